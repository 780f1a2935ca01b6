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

package io.github.watchdoglock.scenario;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for holds that are not closed properly.
 */
@Tag("slow")
class UnclosedHoldsTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final Duration PERIOD = LEASE.dividedBy(3);

	/* Additional time for the machine. */
	private static final Duration SLACK = Duration.ofSeconds(1);

	/*
	 * Much longer than the waiting time, so that the end of the lease does not free the
	 * key in time.
	 */
	private static final LockRequest LONG = LockRequest.of("orders").withLease(Lease.renewed(Duration.ofSeconds(12)));

	private static final Duration LONG_PERIOD = Duration.ofSeconds(4);

	private static final LockRequest ORDERS = LockRequest.of("orders").withLease(Lease.renewed(LEASE));

	private final LockNews news = new LockNews();

	@AutoClose
	private final RedisInstance instance = new RedisInstance(redis.port(), this.news).connected();

	@AutoClose
	private final RedisInstance other = new RedisInstance(redis.port()).connected();

	@Test
	void lockOfEndedThreadIsFreeWithinTwoPeriods() throws Exception {
		Thread holder = new Thread(() -> {
			try {
				this.instance.engine().acquire(LONG);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		holder.start();
		holder.join();
		await().atMost(LONG_PERIOD.multipliedBy(2)).until(() -> isFree());
		assertThat(this.news.losses()).extracting(LockLoss::reason).containsExactly(LockLoss.Reason.ABANDONED);
		assertThat(this.news.count("abandoned by " + holder.getName())).isOne();
	}

	@Test
	void lockOfCollectedDetachedHandleIsFreeAgain() throws Exception {
		this.instance.engine().acquire(LONG).detach();
		await().atMost(LONG_PERIOD.multipliedBy(2)).until(() -> {
			System.gc();
			return isFree();
		});
		assertThat(this.news.losses()).extracting(LockLoss::reason).containsExactly(LockLoss.Reason.ABANDONED);
	}

	@Test
	void stuckHolderLosesLockAtMaximumHoldTimeAndNextCallerAcquires() throws Exception {
		Duration maximum = Duration.ofSeconds(1);
		try (LockHandle stuck = this.instance.engine().acquire(ORDERS.withMaxHoldTime(maximum))) {
			CompletableFuture<LockLoss> loss = stuck.whenLost().toCompletableFuture();
			try (LockHandle next = this.other.engine().acquire(ORDERS.withWaitTime(maximum.plus(LEASE).plus(SLACK)))) {
				assertThat(loss.join().reason()).isEqualTo(LockLoss.Reason.MAX_HOLD);
				assertThat(stuck.isHeld()).isFalse();
				assertThat(next.isHeld()).isTrue();
			}
		}
	}

	@Test
	void forcedLockIsLostAtOnceAndGrantedToWaiter() throws Exception {
		try (LockHandle forced = this.instance.engine().acquire(ORDERS)) {
			CompletableFuture<LockHandle> next = this.other.engine()
				.acquireAsync(ORDERS.withWaitTime(Duration.ofSeconds(20)));
			await().until(() -> this.other.engine().find(LockKey.of("orders")).orElseThrow().waiting() == 1);
			assertThat(this.other.engine().forceRelease(LockKey.of("orders"))).isTrue();
			CompletableFuture<LockLoss> loss = forced.whenLost().toCompletableFuture();
			await().atMost(SLACK).until(loss::isDone);
			assertThat(loss.join().reason()).isEqualTo(LockLoss.Reason.FORCED);
			await().atMost(SLACK).until(next::isDone);
			next.join().close();
		}
	}

	@Test
	void expiredFixedLeaseDoesNotShortenNextRenewedLease() throws Exception {
		LockRequest fixed = LockRequest.of("orders").withLease(Lease.fixed(Duration.ofSeconds(1)));
		for (int i = 0; i < 2; i++) {
			LockHandle lapsed = this.instance.engine().acquire(fixed);
			await().until(() -> !lapsed.isHeld());
			lapsed.close();
			try (LockHandle renewed = this.instance.engine().acquire(ORDERS)) {
				assertThat(remaining()).isGreaterThan(LEASE.minus(SLACK));
				// Longer than the lease.
				await().during(LEASE.plusMillis(500)).atMost(LEASE.multipliedBy(2)).until(renewed::isHeld);
			}
		}
	}

	@Test
	void interruptedCallersLeaveNoLockAndNoRenewal() throws Exception {
		Thread[] callers = new Thread[4];
		for (int t = 0; t < callers.length; t++) {
			callers[t] = new Thread(() -> {
				for (int i = 0; i < 200; i++) {
					try (LockHandle handle = this.instance.engine().acquire(ORDERS)) {
						assertThat(handle.isHeld()).isTrue();
					}
					catch (InterruptedException ex) {
						// The next round begins without the interrupt flag.
					}
				}
			});
			callers[t].start();
		}
		AtomicInteger interrupts = new AtomicInteger();
		await().pollInterval(Duration.ofMillis(1)).atMost(Duration.ofMinutes(1)).until(() -> {
			callers[interrupts.getAndIncrement() % callers.length].interrupt();
			return Stream.of(callers).noneMatch(Thread::isAlive);
		});
		await().atMost(SLACK).until(() -> isFree() && this.instance.engine().localLocks().list().isEmpty());
		long renewed = this.news.count("renewed");
		await().during(PERIOD.multipliedBy(2))
			.atMost(PERIOD.multipliedBy(3))
			.until(() -> this.news.count("renewed") == renewed);
	}

	private boolean isFree() {
		return this.other.engine().find(LockKey.of("orders")).isEmpty();
	}

	private Duration remaining() {
		return this.other.engine().find(LockKey.of("orders")).orElseThrow().remaining();
	}

}
