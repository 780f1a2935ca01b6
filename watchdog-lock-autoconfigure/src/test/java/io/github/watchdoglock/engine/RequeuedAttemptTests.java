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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.ReleaseCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an attempt that got its place in the queue with the release of the previous
 * lease, because other instances wait.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RequeuedAttemptTests extends TwoInstances {

	private CompletableFuture<LockHandle> elsewhere = new CompletableFuture<>();

	@SuppressWarnings("NullAway.Init")
	private LockHandle holder;

	@Test
	void attemptAsksStoreAfterTwiceTimeoutOfUnansweredRelease() {
		CompletableFuture<LockHandle> waiting = waitBehindOthers(FOREVER);
		this.store.hold = true;
		CompletableFuture<Void> closed = this.holder.closeAsync();
		this.firstInstance.pass(Duration.ofSeconds(4).minus(TestEngine.TICK));
		assertThat(this.store.count(AcquireCommand.class)).isZero();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(attempts()).containsExactly(requeued());
		// Both answers arrive now, and the late answer to the release is the first.
		this.store.deliver();
		assertThat(closed).isCompleted();
		this.firstInstance.pass(Duration.ofMillis(940));
		assertThat(attempts()).hasSize(1);
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(attempts()).hasSize(2).containsOnly(requeued());
		this.elsewhere.join().close();
		assertThat(waiting).isCompleted();
	}

	@Test
	void pollIntervalOfAttemptIsCountedFromRelease() {
		waitBehindOthers(FOREVER);
		this.store.hold = true;
		var unused = this.holder.closeAsync();
		this.firstInstance.pass(Duration.ofMillis(200));
		this.store.deliver();
		this.firstInstance.pass(Duration.ofMillis(740));
		assertThat(this.store.count(AcquireCommand.class)).isZero();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(attempts()).containsExactly(requeued());
	}

	@Test
	void attemptAsksStoreAtOnceWhenGrantedMessagePrecedesAnswer() {
		CompletableFuture<LockHandle> waiting = waitBehindOthers(FOREVER);
		this.store.hold = true;
		var unused = this.holder.closeAsync();
		this.elsewhere.join().close();
		assertThat(this.store.count(AcquireCommand.class)).isZero();
		this.store.deliver();
		assertThat(attempts()).containsExactly(requeued());
		assertThat(waiting).isCompleted();
	}

	@Test
	void attemptAsksStoreAtOnceWhenSubscriptionPrecedesAnswer() {
		waitBehindOthers(FOREVER);
		this.store.hold = true;
		var unused = this.holder.closeAsync();
		this.firstInstance.engine.messages.subscribed();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.store.count(AcquireCommand.class)).as("requests before the answer").isZero();
		this.store.deliver();
		assertThat(attempts()).containsExactly(requeued());
	}

	@Test
	void attemptAsksStoreAtOnceWhenNoOtherInstanceWaits() {
		CompletableFuture<LockHandle> waiting = waitBehindOthers(FOREVER);
		this.elsewhere.cancel(false);
		this.holder.close();
		assertThat(attempts()).containsExactly(requeued());
		assertThat(waiting).isCompleted();
	}

	@Test
	void attemptAsksStoreAtOnceWhenReleaseFails() {
		waitBehindOthers(FOREVER);
		this.store.loseAnswers = true;
		this.holder.close();
		assertThat(attempts()).containsExactly(requeued());
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void attemptIsUndoneWhenWaiterGivesUpBeforeOrAfterAnswer(boolean answered) {
		CompletableFuture<LockHandle> waiting = waitBehindOthers(FOREVER);
		this.store.hold = !answered;
		var unused = this.holder.closeAsync();
		assertThat(places()).containsExactly(requeued());
		waiting.cancel(false);
		assertThat(places()).isEmpty();
		this.store.deliver();
		assertThat(this.store.count(AcquireCommand.class)).isZero();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void failedUndoIsRepeatedUntilPossibleLeaseEnds() {
		CompletableFuture<LockHandle> waiting = waitBehindOthers(FOREVER);
		this.holder.close();
		this.store.down = true;
		waiting.cancel(false);
		this.firstInstance.pass(Duration.ofMillis(29_800));
		this.store.commands.clear();
		this.firstInstance.pass(Duration.ofMillis(200));
		assertThat(this.store.count(ReleaseCommand.class)).isPositive();
		assertSilent(this.firstInstance, Duration.ofSeconds(1));
	}

	@Test
	void attemptLeavesQueueWhenWaitTimeEndsWithAnswer() {
		CompletableFuture<LockHandle> waiting = waitBehindOthers(FOREVER.withWaitTime(Duration.ofSeconds(1)));
		this.store.hold = true;
		var unused = this.holder.closeAsync();
		this.ticker.advance(Duration.ofMillis(950));
		this.store.deliver();
		assertFailed(waiting, LockNotAcquiredException.class);
		assertThat(places()).isEmpty();
		this.firstInstance.assertNoKeyInUse();
	}

	/* The holder's instance may not pass waiting instances any more. */
	private CompletableFuture<LockHandle> waitBehindOthers(LockRequest request) {
		this.holder = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(request);
		this.elsewhere = this.secondInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofMillis(50));
		this.store.commands.clear();
		return waiting;
	}

	private AttemptId requeued() {
		return Objects.requireNonNull(this.store.sent(ReleaseCommand.class).get(0).requeue()).attempt();
	}

	private List<AttemptId> attempts() {
		return this.store.sent(AcquireCommand.class).stream().map(AcquireCommand::attempt).toList();
	}

	private List<AttemptId> places() {
		List<AttemptId> places = new ArrayList<>();
		StoreFaults.places(this.memory, KEY, places::add);
		return places;
	}

}
