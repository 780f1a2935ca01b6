/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.LingerRules;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers that come in another order than their commands were sent in, or together.
 */
class AnswerOrderTests extends InstancesByHand {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	private static final Duration FIRST = Duration.ofMillis(7_500);

	private final AnswersByHand answers = new AnswersByHand(this.memory);

	private final TestEngine late = engine(this.answers,
			EngineSettings.of("test").withLinger(new LingerRules(Duration.ofSeconds(30), Map.of())));

	private TestEngine engine(LeaseStore store, EngineSettings settings) {
		return new TestEngine(settings, this.threads, this.ticker, store, this.memory, new NoWakeUps(), Runnable::run);
	}

	@Test
	void aGrantOfWhichTwoCommandsTellIsHadThoughTheFirstIsAnsweredLast() {
		LockHandle handle = acquireByTheSecondOfTwoCommands();
		answerTheFirst();
		assertThat(this.answers.releases).isEmpty();
		assertThat(this.other.engine.find(KEY)).isPresent();
		handle.close();
		assertThat(this.late.engine.idle()).hasSize(1);
	}

	@Test
	void aGrantThatIsIdleWhenTheFirstIsAnsweredStaysIdle() {
		acquireByTheSecondOfTwoCommands().close();
		answerTheFirst();
		assertThat(this.answers.releases).isEmpty();
		assertThat(this.late.engine.idle()).hasSize(1);
		assertThat(this.other.engine.find(KEY)).isPresent();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aGrantThatIsOverIsUndoneWhenAnAnswerTellsOfItThoughTheKeyIsHeldOrIdleAgain(boolean idle) {
		LockHandle lost = acquireByTheSecondOfTwoCommands();
		CompletableFuture<LockHandle> next = this.late.ask(ORDERS);
		assertThat(this.late.engine.forceRelease(KEY)).isTrue();
		assertThat(lost.isHeld()).isFalse();
		assertThat(next.join().isHeld()).isTrue();
		if (idle) {
			next.join().close();
		}
		answerTheFirst();
		// Should the store have carried out that command last.
		assertThat(this.answers.releases).singleElement().returns(hold(lost).lease.id(), ReleaseCommand::attempt);
		assertThat(next.join().isHeld()).isEqualTo(!idle);
		assertThat(this.late.engine.idle()).hasSize(idle ? 1 : 0);
		assertThat(this.other.engine.find(KEY)).isPresent();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whoHadNoAnswerForLongWhileWhatWasIdleIsConfirmedIsToldSoAndTheNextIsServed(boolean alone) {
		this.late.ask(ORDERS).join().close();
		this.late.pass(Duration.ofSeconds(9));
		StoreFaults.forget(this.memory, KEY);
		this.answers.keeps = true;
		CompletableFuture<LockHandle> first = this.late.ask(ORDERS);
		this.late.pass(Duration.ofSeconds(1));
		CompletableFuture<LockHandle> second = alone ? null : this.late.ask(ORDERS);
		this.late.pass(Duration.ofSeconds(1));
		assertThat(first).isNotDone();
		this.answers.keeps = false;
		answerTheFirst();
		assertThat(first).isCompletedExceptionally();
		if (second != null) {
			second.join().close();
		}
		assertThat(this.other.engine.find(KEY)).matches((owner) -> owner.isPresent() == (second != null));
	}

	/* The first of them has not been answered for long. */
	private LockHandle acquireByTheSecondOfTwoCommands() {
		LockHandle holder = this.other.ask(ORDERS).join();
		CompletableFuture<LockHandle> granted = this.late.ask(ORDERS);
		this.answers.keeps = true;
		holder.close();
		for (int i = 0; i < 1_000 && this.answers.kept.size() < 2; i++) {
			this.late.pass(TestEngine.TICK);
		}
		this.answers.keeps = false;
		this.answers.kept.get(1).run();
		assertThat(granted.join().isHeld()).isTrue();
		return granted.join();
	}

	private void answerTheFirst() {
		this.answers.kept.get(0).run();
	}

	@Test
	void ofRenewalsThatAreSentTogetherEachHasItsOwnAnswer() {
		List<LockHandle> handles = List.of(take(this.test, "a"), take(this.test, "b"), take(this.test, "c"));
		StoreFaults.expireLease(this.memory, handles.get(1).key());
		this.test.pass(FIRST);
		assertThat(handles).extracting(LockHandle::isHeld).containsExactly(true, false, true);
		assertThat(handles.get(1).loss()).map(LockLoss::reason).contains(LockLoss.Reason.GONE);
		assertThat(handles.get(0).remaining()).isEqualTo(Duration.ofMillis(24_700));
		assertThat(this.test.events.count("renewed")).isEqualTo(2);
		assertThat(this.test.events.lateness).hasSize(3).containsOnly(Duration.ZERO);
	}

	@Test
	void anAnswerThatCannotBeWaitedForIsAFailureOfItsRenewalAlone() {
		TestEngine broken = engine(new Deaf(LockKey.of("deaf")), EngineSettings.of("test"));
		List<LockHandle> handles = List.of(take(broken, "a"), take(broken, "deaf"), take(broken, "c"));
		broken.pass(FIRST);
		assertThat(broken.events.count("renewed")).isEqualTo(2);
		assertThat(broken.events.count("renewal failed")).isOne();
		assertThat(broken.events.count("at risk")).isOne();
		broken.pass(Duration.ofMillis(17_200));
		assertThat(handles).extracting(LockHandle::isHeld).containsExactly(true, false, true);
	}

	private static LockHandle take(TestEngine engine, String name) {
		return engine.ask(LockRequest.of(name)).join();
	}

	/**
	 * A store with which nobody can wait for the renewals of a key.
	 */
	private final class Deaf implements LeaseStore {

		private final LockKey key;

		private Deaf(LockKey key) {
			this.key = key;
		}

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return AnswerOrderTests.this.memory.acquire(command);
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return commands.stream().map(this::renew).toList();
		}

		private CompletionStage<RenewAnswer> renew(RenewCommand command) {
			return command.key().equals(this.key) ? new CompletableFuture<>() {

				@Override
				public CompletableFuture<RenewAnswer> whenComplete(
						BiConsumer<? super RenewAnswer, ? super Throwable> action) {
					throw new LinkageError("on purpose");
				}

			} : AnswerOrderTests.this.memory.renew(List.of(command)).get(0);
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return AnswerOrderTests.this.memory.release(command);
		}

	}

}
