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

package io.github.watchdoglock.metrics;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.Ticker;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link MeteredLeases}.
 */
class MeteredLeasesTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private static final AttemptId ATTEMPT = new AttemptId("me", 1);

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final AcquireCommand ACQUIRE = new AcquireCommand(KEY, ATTEMPT, "me", Duration.ofSeconds(30),
			Duration.ZERO, TIMEOUT);

	private static final ReleaseCommand RELEASE = new ReleaseCommand(KEY, ATTEMPT, ReleaseCommand.UNKNOWN,
			Duration.ZERO, null, TIMEOUT);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	@Test
	void eachCommandIsTimedAndItsAnswerPassedOn() {
		LeaseStore metered = metered(this.store);
		AcquireAnswer granted = metered.acquire(ACQUIRE).toCompletableFuture().join();
		assertThat(granted).isInstanceOf(AcquireAnswer.Granted.class);
		long token = ((AcquireAnswer.Granted) granted).block().first();
		List<CompletionStage<RenewAnswer>> answers = metered.renew(List.of(renewal(token), renewal(token + 1)));
		assertThat(answers).extracting((answer) -> answer.toCompletableFuture().join().getClass().getSimpleName())
			.containsExactly("Renewed", "Gone");
		assertThat(metered.release(RELEASE).toCompletableFuture().join().ended()).isEqualTo(ReleaseAnswer.Ended.LEASE);
		assertThat(count("acquire", "ok")).isOne();
		assertThat(count("renew", "ok")).isEqualTo(2);
		assertThat(count("release", "ok")).isOne();
	}

	@Test
	void commandsOfOperatorsAreTimed() {
		LeaseInspector inspector = metered(this.store);
		assertThat(inspector.find(KEY, TIMEOUT).toCompletableFuture().join()).isEmpty();
		assertThat(inspector.force(KEY, LeaseInspector.ALL, TIMEOUT).toCompletableFuture().join().held()).isFalse();
		assertThat(count("find", "ok")).isOne();
		assertThat(count("force", "ok")).isOne();
	}

	@Test
	void timeLastsUntilTheAnswer() {
		Answers store = new Answers();
		CompletionStage<AcquireAnswer> answer = metered(store).acquire(ACQUIRE);
		assertThat(count("acquire", "ok")).isZero();
		long asked = System.nanoTime();
		while (System.nanoTime() - asked < 20_000_000) {
			Thread.onSpinWait();
		}
		store.acquired.complete(new AcquireAnswer.Busy("somebody", TIMEOUT, false));
		assertThat(answer.toCompletableFuture()).isCompleted();
		assertThat(timer("acquire", "ok").totalTime(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(20);
	}

	@Test
	void failureIsAnErrorAndPassedOn() {
		Answers store = new Answers();
		CompletionStage<AcquireAnswer> answer = metered(store).acquire(ACQUIRE);
		store.acquired.completeExceptionally(new LockStoreException("refused", null));
		assertThat(answer.toCompletableFuture()).isCompletedExceptionally();
		assertThat(count("acquire", "error")).isOne();
		assertThat(count("acquire", "timeout")).isZero();
	}

	@Test
	void answerThatDidNotComeInTimeIsATimeout() {
		Answers store = new Answers();
		metered(store).acquire(ACQUIRE);
		store.acquired.completeExceptionally(new OutcomeUnknownException("no answer", new TimeoutException()));
		assertThat(count("acquire", "timeout")).isOne();
		assertThat(count("acquire", "error")).isZero();
	}

	@Test
	void storeThatThrowsIsAnErrorOfEachCommand() {
		LeaseStore metered = metered(new Answers());
		assertThatIllegalStateException().isThrownBy(() -> metered.renew(List.of(renewal(1), renewal(2))));
		assertThatIllegalStateException().isThrownBy(() -> metered.release(RELEASE));
		assertThat(count("renew", "error")).isEqualTo(2);
		assertThat(count("release", "error")).isOne();
	}

	private MeteredLeases metered(LeaseStore store) {
		return new MeteredLeases(store, this.store, this.registry);
	}

	private static RenewCommand renewal(long token) {
		return new RenewCommand(KEY, ATTEMPT, token, Duration.ofSeconds(30), false, TIMEOUT);
	}

	private long count(String command, String outcome) {
		return timer(command, outcome).count();
	}

	private Timer timer(String command, String outcome) {
		return this.registry.get("watchdog.lock.commands").tags("command", command, "outcome", outcome).timer();
	}

	private static final class Answers implements LeaseStore {

		private final CompletableFuture<AcquireAnswer> acquired = new CompletableFuture<>();

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return this.acquired;
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			throw new IllegalStateException("renew");
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			throw new IllegalStateException("release");
		}

	}

}
