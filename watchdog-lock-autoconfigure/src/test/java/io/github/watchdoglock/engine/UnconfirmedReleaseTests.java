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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for releases that are not yet confirmed: whether, when and for how long they are
 * sent.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class UnconfirmedReleaseTests extends TwoInstances {

	private static final LockRequest FIXED = FOREVER.withLease(Lease.fixed(Duration.ofSeconds(5)));

	private static final Duration FIRST = Duration.ofMillis(7_500);

	@Test
	void expiredFixedHoldIsReleasedOnlyWhenHandleIsClosed() {
		LockHandle handle = this.firstInstance.ask(FIXED).join();
		this.firstInstance.pass(Duration.ofMillis(4_950));
		assertThat(handle.loss()).isPresent();
		assertReleases(0);
		handle.close();
		assertReleases(1);
		handle.close();
		assertReleases(1);
	}

	@Test
	void expiredFixedHoldAfterHandOffIsReleasedOnlyAtClose() {
		LockHandle first = this.firstInstance.ask(FIXED).join();
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FIXED);
		this.firstInstance.pass(Duration.ofSeconds(1));
		first.close();
		this.firstInstance.pass(Duration.ofMillis(4_940));
		assertThat(second.join().isHeld()).as("'second.join' is held").isTrue();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(second.join().loss()).isPresent();
		assertReleases(0);
		second.join().close();
		assertReleases(1);
	}

	@Test
	void leaseThatOutlastsHoldIsReleasedOnceWhenHoldExpires() {
		LockHandle handle = this.firstInstance.ask(FIXED).join();
		this.store.loseAnswers = true;
		handle.extend(Lease.renewed(Duration.ofSeconds(30)));
		this.store.loseAnswers = false;
		this.firstInstance.pass(Duration.ofMillis(4_950));
		assertReleases(1);
		handle.close();
		assertReleases(1);
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void closeOfGoneOrForcedHoldSendsNoRelease() {
		LockHandle gone = this.firstInstance.ask(FOREVER).join();
		StoreFaults.forget(this.memory, KEY);
		this.firstInstance.pass(FIRST);
		assertThat(gone.loss()).map(LockLoss::reason).contains(LockLoss.Reason.GONE);
		gone.close();
		LockHandle forced = this.firstInstance.ask(FOREVER).join();
		this.secondInstance.engine.forceRelease(KEY);
		assertThat(forced.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
		forced.close();
		assertReleases(0);
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void stopDoesNotWaitForLostHolds() {
		LockHandle handle = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<Void> stopped = this.firstInstance.engine.stop().toCompletableFuture();
		assertThat(stopped).isNotDone();
		this.secondInstance.engine.forceRelease(KEY);
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(stopped).isCompleted();
	}

	@Test
	void closeReleasesLeaseInStoreAfterEngineIsClosed() {
		LockHandle handle = this.firstInstance.ask(FOREVER).join();
		this.firstInstance.engine.close();
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.SHUTDOWN);
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		handle.close();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void releaseOfLostHoldFollowsAnswerOfPendingRenewal() {
		LockHandle handle = this.firstInstance.ask(FOREVER.withMaxHoldTime(Duration.ofSeconds(8))).join();
		this.store.hold = true;
		this.firstInstance.pass(Duration.ofSeconds(8));
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		handle.close();
		assertReleases(0);
		this.store.deliver();
		assertReleases(1);
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		this.firstInstance.assertNoKeyInUse();
	}

	@Test
	void releaseWaitsForPendingRenewalAfterReconnect() {
		LockHandle handle = this.firstInstance.ask(FOREVER).join();
		this.store.hold = true;
		this.firstInstance.pass(FIRST.plusSeconds(1));
		handle.closeAsync();
		this.firstInstance.reconnect();
		assertSentAfter(this.firstInstance, ReleaseCommand.class, Duration.ofSeconds(3).minus(TestEngine.TICK));
	}

	@Test
	void releaseIsSentWhenConfirmationOfHandOffIsNotAnswered() {
		LockHandle first = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofSeconds(1));
		this.store.hold = true;
		CompletableFuture<Void> closed = first.closeAsync();
		assertThat(this.store.count(RenewCommand.class)).isOne();
		// Twice the time that the answer to the renewal may take.
		assertSentAfter(this.firstInstance, ReleaseCommand.class, Duration.ofSeconds(4));
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(second.join().isHeld()).as("'second.join' is held").isTrue();
	}

	@Test
	void releaseDoesNotWaitForOverdueRenewalWhenClosedInSameTurn() {
		LockRequest limited = LockRequest.of("limited").withMaxHoldTime(FIRST.plusSeconds(4));
		LockHandle handle = this.firstInstance.ask(FOREVER).join();
		this.firstInstance.ask(limited).join().whenLost().thenAccept((loss) -> handle.closeAsync());
		this.store.hold = true;
		this.firstInstance.pass(FIRST.plusSeconds(4));
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(this.firstInstance.events.count("lost: MAX_HOLD")).isOne();
		assertReleases(1);
	}

	@Test
	void closedHoldIsReportedGoneWhenHandOffFindsNoLease() {
		LockHandle first = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		this.firstInstance.pass(Duration.ofSeconds(1));
		StoreFaults.forget(this.memory, KEY);
		assertThat(first.closeAsync()).isCompleted();
		assertThat(first.loss()).map(LockLoss::reason).contains(LockLoss.Reason.GONE);
		assertThat(second.join().isHeld()).as("'second.join' is held").isTrue();
		assertThat(this.firstInstance.events.heard).containsExactlyInAnyOrder("acquired", "lost: GONE", "acquired");
		assertThat(this.firstInstance.events.held).containsExactly(Duration.ofSeconds(1));
		second.join().close();
		assertThat(this.firstInstance.engine.stop().toCompletableFuture()).isCompleted();
	}

	@Test
	void failedReleaseIsRepeatedUntilLeaseOfLastRenewalEnds() {
		LockHandle handle = this.firstInstance.ask(FOREVER).join();
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(this.store.count(RenewCommand.class)).isOne();
		this.store.down = true;
		handle.close();
		assertRepeatedFor(FIRST.plusSeconds(30).minusSeconds(10));
	}

	@Test
	void failedReleaseIsRepeatedUntilLeaseOfUnansweredRenewalEnds() {
		LockHandle handle = this.firstInstance.ask(FOREVER).join();
		this.store.loseAnswers = true;
		this.firstInstance.pass(FIRST);
		this.store.down = true;
		handle.close();
		assertRepeatedFor(Duration.ofSeconds(30));
	}

	@Test
	void failedReleaseIsRepeatedUntilUnconfirmedExtensionEnds() {
		LockHandle handle = this.firstInstance.ask(FIXED).join();
		this.store.loseAnswers = true;
		this.firstInstance.pass(Duration.ofSeconds(1));
		handle.extend(Lease.renewed(Duration.ofSeconds(60)));
		this.store.down = true;
		handle.close();
		assertRepeatedFor(Duration.ofSeconds(60));
	}

	private void assertReleases(long expected) {
		assertThat(this.store.count(ReleaseCommand.class)).as("releases sent to the store (helper assertReleases)")
			.isEqualTo(expected);
	}

	private void assertRepeatedFor(Duration time) {
		this.firstInstance.pass(time.minus(TestEngine.TICK));
		assertThat(this.firstInstance.events.count("release repeated: OVER")).isZero();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.firstInstance.events.count("release repeated: OVER")).isOne();
	}

}
