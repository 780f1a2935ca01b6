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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.AnyMoment;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.StandStills;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for connections that look open but carry no data any more.
 */
@Tag("slow")
class HalfOpenConnectionTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final int RUNS = 30;

	private static final int AT_A_TIME = 10;

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final Duration STOP_MARGIN = LEASE.dividedBy(6);

	@Test
	void holderNoticesLossStopMarginBeforeNextHolderAcquires() throws Exception {
		List<Run> runs = new ArrayList<>();
		StandStills standStills = new StandStills();
		try (standStills; RedisInstance waiting = new RedisInstance(redis.port()).connected()) {
			while (runs.size() < RUNS) {
				int first = runs.size();
				runs.addAll(Concurrently.run(AT_A_TIME, (i) -> run(waiting, "lock-" + (first + i))));
			}
		}
		System.out.println("From held until acquired: " + statistics(runs, Run::margin));
		System.out.println("From not held until told: " + statistics(runs, Run::telling));
		assertThat(runs.stream().filter((run) -> run.stalled() > 0))
			.as("runs in which the holder sent commands in vain")
			.hasSizeGreaterThan(RUNS / 2);
		assertThat(runs).hasSize(RUNS).allSatisfy((run) -> {
			assertThat(run.margin()).isGreaterThanOrEqualTo(STOP_MARGIN.toNanos());
			assertThat(run.telling() - standStills.between(run.notHeld(), run.told()))
				.isLessThanOrEqualTo(STOP_MARGIN.dividedBy(2).toNanos());
		});
	}

	private static Run run(RedisInstance waiting, String name) throws Exception {
		LockRequest request = LockRequest.of(name).withLease(Lease.renewed(LEASE)).withWaitTime(Duration.ofMinutes(1));
		try (FaultProxy proxy = FaultProxy.to(redis.port());
				RedisInstance holding = new RedisInstance(proxy.port()).connected()) {
			LockHandle handle = holding.engine().acquire(request);
			CompletableFuture<Long> told = new CompletableFuture<>();
			var unusedToo = handle.whenLost().thenRun(() -> told.complete(System.nanoTime()));
			CompletableFuture<Long> acquired = new CompletableFuture<>();
			var unused = waiting.engine().acquireAsync(request).thenAccept((next) -> {
				acquired.complete(System.nanoTime());
				next.close();
			});
			AnyMoment.within(LEASE.dividedBy(2), List.of(handle));
			proxy.stall(Direction.values());
			AtomicLong held = new AtomicLong(System.nanoTime());
			await().pollInSameThread().pollInterval(Duration.ofMillis(1)).until(() -> {
				long now = System.nanoTime();
				if (handle.isHeld()) {
					held.set(now);
					return false;
				}
				return true;
			});
			long notHeld = System.nanoTime();
			return new Run(held.get(), notHeld, told.get(10, TimeUnit.SECONDS), acquired.get(10, TimeUnit.SECONDS),
					proxy.effects(Fault.STALL));
		}
	}

	private static String statistics(List<Run> runs, ToLongFunction<Run> value) {
		List<Long> sorted = runs.stream().map((run) -> value.applyAsLong(run) / 1_000_000).sorted().toList();
		return "min %d ms, median %d ms, max %d ms".formatted(sorted.get(0), sorted.get(sorted.size() / 2),
				sorted.get(sorted.size() - 1));
	}

	/**
	 * The observations of one holder and of the next one.
	 *
	 * @param held when {@code isHeld()} was last seen to be true; if the machine is
	 * paused, this is long before it was seen to be false
	 * @param notHeld when {@code isHeld()} was seen to be false
	 * @param told when {@code whenLost()} was complete
	 * @param acquired when the next holder had the lock
	 * @param stalled the commands that the holder sent in vain
	 */
	private record Run(long held, long notHeld, long told, long acquired, long stalled) {

		long margin() {
			return this.acquired - this.held;
		}

		long telling() {
			return this.told - this.notHeld;
		}

	}

}
