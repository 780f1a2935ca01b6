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
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.store.AttemptId.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Waiter}: the times of a caller, and how long its thread is parked.
 */
class WaiterTests extends TwoInstances {

	private final EngineContext context = this.firstInstance.engine.keys.context();

	@Test
	void timeoutCoversAnswerOfStoreUntilLockIsReportedBusy() {
		Waiter waiter = waiter(Duration.ofSeconds(3));
		Duration connecting = Duration.ofSeconds(10);
		Duration reconnecting = Duration.ofSeconds(2);
		// Twice the timeout, and the time of a trial.
		Duration patience = Duration.ofMillis(4_100);
		assertThat(waiter.timeToGiveUp(this.context, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.plus(connecting).minusSeconds(1).toNanos());
		this.context.recordStoreAnswer();
		assertThat(waiter.timeToGiveUp(this.context, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.plus(reconnecting).minusSeconds(1).toNanos());
		assertThat(waiter(Duration.ofMillis(500)).timeToGiveUp(this.context, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.plusMillis(500).minusSeconds(1).toNanos());
		assertThat(waiter(Duration.ZERO).timeToGiveUp(this.context, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.minusSeconds(1).toNanos());
		waiter.toldBusy = true;
		assertThat(waiter.timeToGiveUp(this.context, at(Duration.ofSeconds(1))))
			.isEqualTo(Duration.ofSeconds(2).toNanos());
	}

	@Test
	void threadParksForRemainingTimeButAtLeastOneMillisecond() throws Exception {
		LockHandle holder = this.firstInstance.ask(FOREVER).join();
		this.threads.wait = (nanos) -> {
			long[] woken = { 1_000_000_000, 1_999_900_000 };
			int parks = this.threads.parks.size();
			this.threads.pass((parks <= woken.length) ? woken[parks - 1] : nanos);
		};
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(FOREVER.withWaitTime(Duration.ofSeconds(3))))
			.satisfies((ex) -> assertThat(ex.getWaited()).isEqualTo(Duration.ofNanos(3_000_900_000L)));
		assertThat(this.threads.parks).containsExactly(3_000_000_000L, 2_000_000_000L, 1_000_000L);
		assertThat(this.threads.failures).isEmpty();
		holder.close();
	}

	@Test
	void waiterThatLeavesRetiringKeyIsTaskOfNextKeyOnly() {
		LocalLock retired = new LocalLock(KEY, this.firstInstance.engine.keys);
		retired.onIdle();
		Waiter waiter = waiter(Duration.ofSeconds(3));
		List<Runnable> next = new ArrayList<>();
		ReflectionTestUtils.setField(this.firstInstance.engine.keys, "locks",
				new ConcurrentHashMap<LockKey, LocalLock>() {

					private static final long serialVersionUID = 1;

					@Override
					public @Nullable LocalLock get(Object key) {
						waiter.leave(new InterruptedException());
						WaiterTests.this.threads.tasks = next;
						return super.get(key);
					}

				});
		waiter.join(retired);
		assertThat(next).as("as('tasks of the key that replaces the retired key'): 1").hasSize(1);
		assertThat(waiter.decided).isNull();
		this.threads.runTasks();
		assertThat(waiter.decided).isInstanceOf(Waiter.Outcome.Failed.class);
		this.firstInstance.assertNoKeyInUse();
	}

	private Waiter waiter(Duration wait) {
		return new Waiter(KEY, Kind.EXCLUSIVE, this.context.defaults, this.context.rules, wait.toNanos(),
				this.ticker.read(), null, (outcome) -> {
				});
	}

	private long at(Duration later) {
		return this.ticker.read() + later.toNanos();
	}

}
