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

package io.github.watchdoglock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.support.StandStills;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Ten thousand locks, held for ten periods of renewal.
 */
class ManyHeldLocksTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int LOCKS = 10_000;

	private static final int THREADS = 8;

	private static final Duration LEASE = Duration.ofSeconds(5);

	private static final Duration LATEST = LEASE.dividedBy(10);

	@Test
	void tenThousandHeldLocksHaveOneWatchdogAndNoneIsLateOrLost() throws Exception {
		RedisLocks locks = new RedisLocks(redis.factory(), RedisLockSettings.defaults());
		Lateness lateness = new Lateness();
		long watchdogs = watchdogs();
		StandStills standStills = new StandStills();
		try (standStills;
				locks;
				LockEngine engine = new LockEngine(EngineSettings.of("test"), locks.store(), locks.inspector(),
						locks.wakeUps(), lateness)) {
			await().ignoreExceptions().until(() -> engine.find(LockKey.of("none")).isEmpty());
			Collection<LockHandle> handles = acquireAll(engine);
			assertThat(watchdogs() - watchdogs).isOne();
			Duration periods = LEASE.multipliedBy(10).dividedBy(3);
			long start = System.nanoTime();
			await().pollInterval(Duration.ofSeconds(1))
				.during(periods)
				.atMost(periods.plus(LEASE))
				.until(() -> handles.stream().allMatch(LockHandle::isHeld));
			assertThat(handles).hasSize(LOCKS).allMatch(LockHandle::isHeld);
			long stoodStill = standStills.between(start, System.nanoTime());
			long missed = stoodStill * LOCKS / LEASE.dividedBy(3).toNanos();
			// The last answers are under way.
			await().pollDelay(Duration.ZERO)
				.atMost(LATEST)
				.untilAsserted(() -> assertThat(lateness.renewals).hasValueGreaterThan(9L * LOCKS - missed));
			System.out.printf("renewals: %d, the latest by %d ms of %d%n", lateness.renewals.get(),
					lateness.greatest.get() / 1_000_000, LATEST.toMillis());
			assertThat(lateness.late)
				.allMatch((late) -> late.time() - standStills.between(late.from(), late.to()) < LATEST.toNanos());
			CompletableFuture.allOf(handles.stream().map(LockHandle::closeAsync).toArray(CompletableFuture[]::new))
				.join();
			assertThat(engine.list()).isEmpty();
		}
	}

	private static Collection<LockHandle> acquireAll(LockEngine engine) throws InterruptedException {
		Collection<LockHandle> handles = new ConcurrentLinkedQueue<>();
		List<Thread> threads = new ArrayList<>();
		for (int t = 0; t < THREADS; t++) {
			int first = t;
			threads.add(new Thread(() -> {
				for (int i = first; i < LOCKS; i += THREADS) {
					LockRequest request = LockRequest.of("many", "" + i).withLease(Lease.renewed(LEASE));
					handles.add(acquire(engine, request));
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		return handles;
	}

	/*
	 * Taking ten thousand at once is not what is measured: a command that was late is
	 * repeated.
	 */
	private static LockHandle acquire(LockEngine engine, LockRequest request) {
		while (true) {
			try {
				return engine.acquireAsync(request).join();
			}
			catch (CompletionException ex) {
				assertThat(ex).hasCauseInstanceOf(LockStoreException.class);
			}
		}
	}

	private static long watchdogs() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("watchdog-lock"))
			.count();
	}

	/**
	 * How late renewals are, from when they are due until they are sent.
	 */
	private static final class Lateness implements EngineObserver {

		private final AtomicLong renewals = new AtomicLong();

		private final AtomicLong greatest = new AtomicLong();

		private final Collection<Late> late = new ConcurrentLinkedQueue<>();

		@Override
		public void renewalSent(Duration lateness) {
			this.renewals.incrementAndGet();
			this.greatest.accumulateAndGet(lateness.toNanos(), Math::max);
			if (lateness.compareTo(LATEST) >= 0) {
				// Told when it is answered, which may take as long as a command may.
				long now = System.nanoTime();
				this.late.add(new Late(lateness.toNanos(), now - lateness.plus(LEASE.dividedBy(10)).toNanos(), now));
			}
		}

	}

	/**
	 * A renewal that was too late, maybe by the machine.
	 *
	 * @param time how late it was
	 * @param from when it was due at the earliest, by {@link System#nanoTime()}
	 * @param to when it was answered
	 */
	private record Late(long time, long from, long to) {

	}

}
