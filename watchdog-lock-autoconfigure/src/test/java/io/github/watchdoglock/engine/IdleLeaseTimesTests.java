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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the exact time when an idle lease is renewed or released, and that nothing of
 * it remains.
 */
class IdleLeaseTimesTests extends TwoInstances {

	private static final LockRequest KEPT_LONG = LockRequest.of("kept long");

	/* The poll interval less its jitter. */
	private static final Duration POLL = Duration.ofMillis(950);

	private final TestEngine idling = engine(
			SETTINGS.withLinger(new TimeRules(Duration.ofSeconds(10), Map.of("kept long", Duration.ofMinutes(5)))));

	@Test
	void idleLeaseIsRenewedOncePerPollInterval() {
		useOnce(FOREVER);
		IntStream.range(0, 10).forEach((i) -> assertSentAfter(this.idling, RenewCommand.class, POLL));
	}

	@Test
	void dueRenewalIsNotPostponedWhenLeaseBecomesIdle() {
		LockHandle handle = this.idling.ask(FOREVER).join();
		this.idling.pass(Duration.ofSeconds(7));
		handle.close();
		assertSentAfter(this.idling, RenewCommand.class, Duration.ofMillis(500));
		assertSentAfter(this.idling, RenewCommand.class, POLL);
	}

	@Test
	void failedRenewalOfIdleLeaseIsRepeatedWithBackOff() {
		useOnce(FOREVER);
		this.store.down = true;
		assertSentAfter(this.idling, RenewCommand.class, POLL);
		assertSentAfter(this.idling, RenewCommand.class, Duration.ofMillis(40));
		assertSentAfter(this.idling, RenewCommand.class, Duration.ofMillis(80));
		this.store.down = false;
		assertSentAfter(this.idling, RenewCommand.class, Duration.ofMillis(150));
		assertSentAfter(this.idling, RenewCommand.class, POLL);
		assertThat(this.idling.events.heard).doesNotContain("renewed", "renewal failed", "at risk", "recovered");
	}

	@Test
	void idleLeaseIsReleasedAfterLingerTime() {
		useOnce(FOREVER);
		this.idling.pass(Duration.ofMillis(9_990));
		assertThat(this.idling.engine.idle()).as("idle leases just before the end of the linger time").hasSize(1);
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.idling.pass(TestEngine.TICK);
		assertThat(this.idling.engine.idle()).isEmpty();
		assertThat(this.store.count(ReleaseCommand.class)).isOne();
	}

	@Test
	void idleLeaseEndsWithLastConfirmationWhileStoreFails() {
		useOnce(KEPT_LONG);
		assertSentAfter(this.idling, RenewCommand.class, POLL);
		this.store.down = true;
		this.idling.pass(Duration.ofMillis(24_690));
		assertThat(this.idling.engine.idle()).singleElement().returns(Duration.ofMillis(10), IdleLock::remaining);
		this.idling.pass(TestEngine.TICK);
		assertThat(this.idling.engine.idle()).isEmpty();
	}

	@Test
	void leaseStaysIdleWhenCallerGivesUpDuringConfirmation() {
		useOnce(FOREVER);
		this.idling.pass(Duration.ofMillis(260));
		askInVain(FOREVER);
		assertThat(this.idling.engine.idle()).as("idle leases after the caller gave up").hasSize(1);
		assertSentAfter(this.idling, RenewCommand.class, POLL);
		assertThat(this.idling.ask(FOREVER)).isCompleted();
	}

	@Test
	void stopWaitsForHoldAndNotForEndedIdleLeases() {
		useOnce(FOREVER);
		useOnce(FOREVER);
		this.idling.pass(Duration.ofMillis(260));
		askInVain(FOREVER);
		useOnce(LockRequest.of("forced"));
		this.secondInstance.engine.forceRelease(LockKey.of("forced"));
		this.store.down = true;
		this.idling.pass(Duration.ofSeconds(11));
		this.store.down = false;
		this.idling.pass(Duration.ofSeconds(5));
		useOnce(LockRequest.of("kept"));
		LockHandle held = this.idling.ask(LockRequest.of("held")).join();
		CompletableFuture<Void> stopped = this.idling.engine.stop().toCompletableFuture();
		assertThat(stopped).isNotDone();
		held.close();
		assertThat(stopped).isCompleted();
		assertThat(this.idling.engine.idle()).isEmpty();
		this.idling.assertNoKeyInUse();
	}

	@Test
	void leaseRequestedAsFixedIsNotKeptIdleAfterHandOff() {
		LockHandle fixed = this.idling.ask(FOREVER.withLease(Lease.fixed(Duration.ofSeconds(5)))).join();
		CompletableFuture<LockHandle> renewed = this.idling.ask(FOREVER);
		fixed.close();
		renewed.orTimeout(5, TimeUnit.SECONDS).join().close();
		assertThat(this.idling.engine.idle()).isEmpty();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void oldestIdleLeaseIsReleasedWhenLimitIsExceeded() {
		useOnce(LockRequest.of("oldest"));
		useOnce(LockRequest.of("older"));
		crowd(9_998);
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		useOnce(FOREVER);
		assertThat(this.store.sent(ReleaseCommand.class)).singleElement()
			.returns(LockKey.of("oldest"), ReleaseCommand::key);
		assertThat(this.secondInstance.engine.find(LockKey.of("older"))).isPresent();
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
	}

	@Test
	void leaseEvictedDuringConfirmationIsReleasedWhenCallerGivesUp() {
		useOnce(FOREVER);
		crowd(9_999);
		this.idling.pass(Duration.ofMillis(260));
		this.store.hold = true;
		CompletableFuture<LockHandle> caller = this.idling.engine.acquireAsync(FOREVER);
		this.store.hold = false;
		useOnce(LockRequest.of("one more"));
		caller.cancel(false);
		this.store.deliver();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertThat(this.secondInstance.engine.find(LockKey.of("one more"))).isPresent();
	}

	/* Add this many other idle leases that do nothing. */
	private void crowd(int size) {
		LockHandle handle = this.idling.ask(LockRequest.of("crowd").withMinHoldTime(Duration.ofMillis(1))).join();
		Hold hold = hold(handle);
		IdleLeases all = hold.lease.context().idleLeases;
		handle.close();
		this.store.commands.clear();
		IntStream.range(0, size).forEach((i) -> assertThat(all.add(new IdleLease(hold, 0, 0))).isNull());
	}

	@Test
	void idleLockShowsKeyTokenElapsedAndRemainingTime() {
		LockHandle handle = this.idling.ask(KEPT_LONG).join();
		long token = handle.fencingToken();
		handle.close();
		this.store.down = true;
		this.ticker.advance(Duration.ofSeconds(3));
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		assertThat(this.idling.engine.localLocks().list()).isEmpty();
		IdleLock idle = this.idling.engine.idle().get(0);
		assertThat(idle.key()).isEqualTo(KEPT_LONG.key());
		assertThat(idle.token()).isEqualTo(token);
		assertThat(idle.elapsed()).isEqualTo(Duration.ofSeconds(3));
		assertThat(idle.remaining()).isEqualTo(Duration.ofMillis(21_700));
		assertThat(idle.since()).isEqualTo(this.ticker.wallClock.instant().minusSeconds(3));
		this.ticker.advance(Duration.ofSeconds(30));
		assertThat(this.idling.engine.idle().get(0).remaining()).isZero();
	}

	private void askInVain(LockRequest request) {
		this.store.hold = true;
		this.idling.engine.acquireAsync(request).cancel(false);
		this.store.deliver();
	}

	private void useOnce(LockRequest request) {
		this.idling.ask(request).orTimeout(5, TimeUnit.SECONDS).join().close();
	}

}
