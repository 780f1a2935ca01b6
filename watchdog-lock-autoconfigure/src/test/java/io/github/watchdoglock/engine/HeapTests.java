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

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the heap that a held lock uses.
 */
@Tag("slow")
class HeapTests {

	private static final int LOCKS = 10_000;

	/* Garbage of earlier tests is freed during one of the rounds. */
	private static final int ROUNDS = 5;

	/*
	 * One word more than the median of a JVM of its own, because medians differ by that
	 * much between runs.
	 */
	private static final long MAX_BYTES = 616;

	/*
	 * Long enough to create all locks on a busy machine, because no watchdog renews them.
	 */
	private static final Lease LEASE = Lease.renewed(Duration.ofHours(1));

	@Test
	void heldLockStaysWithinLimitOfHeapBytes() throws Exception {
		long[] perLock = new long[ROUNDS];
		for (int round = 0; round < ROUNDS; round++) {
			perLock[round] = perLock();
		}
		System.out.println("heap per held lock: " + Arrays.toString(perLock) + " bytes");
		Arrays.sort(perLock);
		assertThat(perLock[ROUNDS / 2]).isBetween(200L, MAX_BYTES);
	}

	private static long perLock() throws Exception {
		EngineContext context = new EngineContext(EngineSettings.of("test"), "one", Threads.system(), Ticker.system(),
				InstantSource.system(), new Generous(), new Events(new EngineObserver() {
				}), Runnable::run);
		InMemoryLeaseStore nobody = RunningEngine.newStore();
		LockEngine engine = new LockEngine(context, nobody, nobody);
		LockHandle[] handles = new LockHandle[LOCKS];
		engine.acquire(LockRequest.of("warm", "up")).close();
		long before = used();
		for (int i = 0; i < LOCKS; i++) {
			handles[i] = engine.acquire(LockRequest.of("orders", "order-" + i).withLease(LEASE));
		}
		long after = used();
		assertThat(handles).allMatch(LockHandle::isHeld);
		engine.close();
		return (after - before) / LOCKS;
	}

	static long used() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 2; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

	/**
	 * A store that keeps nothing in memory.
	 */
	private static final class Generous implements LeaseStore {

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return CompletableFuture
				.completedFuture(new AcquireAnswer.Granted(new TokenBlock(1, command.tokens()), false));
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return List.of();
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return CompletableFuture
				.completedFuture(new ReleaseAnswer(ReleaseAnswer.Ended.LEASE, ReleaseAnswer.Next.NOBODY));
		}

	}

}
