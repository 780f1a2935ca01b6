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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.LateAnswers;
import io.github.watchdoglock.support.StandStills;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for ten thousand locks that are held for ten renewal periods.
 */
@Tag("slow")
class ManyHeldLocksTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int LOCKS = 10_000;

	private static final int THREADS = 8;

	private static final Duration LEASE = Duration.ofSeconds(5);

	private static final Duration LATEST = LEASE.dividedBy(10);

	@Test
	void tenThousandHeldLocksHaveOneWatchdogAndNoneIsLateOrLost() throws Exception {
		Lateness lateness = new Lateness();
		long watchdogs = watchdogs();
		StandStills standStills = new StandStills();
		try (standStills; RedisInstance instance = new RedisInstance(redis.port(), lateness).connected()) {
			// The test does not measure acquiring ten thousand locks at once.
			List<LockHandle> handles = Concurrently.run(THREADS, (thread) -> acquire(instance.engine(), thread))
				.stream()
				.flatMap(List::stream)
				.toList();
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
			assertThat(instance.engine().localLocks().list()).isEmpty();
		}
	}

	private static List<LockHandle> acquire(LockEngine engine, int first) {
		return IntStream.iterate(first, (i) -> i < LOCKS, (i) -> i + THREADS)
			.mapToObj((i) -> LockRequest.of("many", "" + i).withLease(Lease.renewed(LEASE)))
			.map((request) -> LateAnswers.acquire(engine, request).join())
			.toList();
	}

	private static long watchdogs() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("watchdog-lock"))
			.count();
	}

	/**
	 * Measures how late renewals are, from when they are due until they are sent.
	 */
	private static final class Lateness implements EngineObserver {

		private final AtomicLong renewals = new AtomicLong();

		private final AtomicLong greatest = new AtomicLong();

		private final Collection<Late> late = new ConcurrentLinkedQueue<>();

		@Override
		public void renewalSent(long lateness) {
			this.renewals.incrementAndGet();
			this.greatest.accumulateAndGet(lateness, Math::max);
			if (lateness >= LATEST.toNanos()) {
				// The observer is notified when the renewal is answered, which may take
				// as long as a command may.
				long now = System.nanoTime();
				this.late.add(new Late(lateness, now - lateness - LEASE.toNanos() / 10, now));
			}
		}

	}

	/**
	 * A renewal that was too late, possibly because of the machine.
	 *
	 * @param time how late it was
	 * @param from when it was due at the earliest, by {@link System#nanoTime()}
	 * @param to when it was answered
	 */
	private record Late(long time, long from, long to) {

	}

}
