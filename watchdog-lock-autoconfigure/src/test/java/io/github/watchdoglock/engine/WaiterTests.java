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
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.time.ManualTicker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Waiter}: the times of a caller, and how long its thread is parked.
 */
class WaiterTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest FOREVER = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	/* Of a default lease. */
	private static final Duration TIME_OUT = Duration.ofSeconds(2);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final ThreadsByHand threads = new ThreadsByHand(this.ticker);

	private final TestEngine test = new TestEngine(EngineSettings.of("test"), this.threads, this.ticker, this.store,
			this.memory, this.memory, Runnable::run);

	private final Core core = this.test.engine.registry.core;

	@Test
	void waitIsCountedFromItsBeginning() {
		Waiter waiter = waiter(Duration.ofSeconds(3));
		assertThat(waiter.once()).isFalse();
		assertThat(waiter.left(at(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(2).toNanos());
		assertThat(waiter.left(at(Duration.ofSeconds(4)))).isEqualTo(-Duration.ofSeconds(1).toNanos());
		assertThat(waiter(Duration.ZERO).once()).isTrue();
		assertThat(waiter(Duration.ofNanos(-1)).once()).isFalse();
		assertThat(waiter(Duration.ofNanos(-1)).left(at(Duration.ofDays(1)))).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void answerIsOwedWithinATimeOutOfWhichTheStoreGetsAQuarterAtLeast() {
		Waiter waiter = waiter(Duration.ofSeconds(3));
		assertThat(waiter.unanswered(at(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(1).toNanos());
		assertThat(waiter.mayTake(at(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(1).toNanos());
		assertThat(waiter.mayTake(at(Duration.ofMillis(1_900)))).isEqualTo(Duration.ofMillis(500).toNanos());
		assertThat(waiter.mayTake(at(TIME_OUT))).isZero();
		assertThat(waiter.mayTake(at(Duration.ofMillis(2_100)))).isNegative();
		assertThat(waiter.isTooLate(at(Duration.ofMillis(1_500)))).isFalse();
		assertThat(waiter.isTooLate(at(Duration.ofMillis(1_500).plusNanos(1)))).isTrue();
	}

	@Test
	void patienceIsForAnAnswerFirstAndForTheLockThen() {
		Waiter waiter = waiter(Duration.ofSeconds(3));
		Duration connecting = Duration.ofSeconds(10);
		Duration reconnecting = Duration.ofSeconds(2);
		// Twice the time-out, and a trial.
		Duration patience = Duration.ofMillis(4_100);
		assertThat(waiter.patience(this.core, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.plus(connecting).minusSeconds(1).toNanos());
		this.core.heardFromStore();
		assertThat(waiter.patience(this.core, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.plus(reconnecting).minusSeconds(1).toNanos());
		assertThat(waiter(Duration.ofMillis(500)).patience(this.core, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.plusMillis(500).minusSeconds(1).toNanos());
		assertThat(waiter(Duration.ZERO).patience(this.core, at(Duration.ofSeconds(1))))
			.isEqualTo(patience.minusSeconds(1).toNanos());
		waiter.answered = true;
		assertThat(waiter.patience(this.core, at(Duration.ofSeconds(1)))).isEqualTo(Duration.ofSeconds(2).toNanos());
	}

	@Test
	void threadIsParkedForWhatIsLeftAndForAMillisecondAtLeast() throws Exception {
		LockHandle holder = this.test.ask(FOREVER).join();
		this.threads.wait = (nanos) -> {
			long[] woken = { 1_000_000_000, 1_999_900_000 };
			int parks = this.threads.parks.size();
			this.threads.pass((parks <= woken.length) ? woken[parks - 1] : nanos);
		};
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.test.engine.acquire(FOREVER.withWaitTime(Duration.ofSeconds(3))))
			.satisfies((ex) -> assertThat(ex.getWaited()).isEqualTo(Duration.ofNanos(3_000_900_000L)));
		assertThat(this.threads.parks).containsExactly(3_000_000_000L, 2_000_000_000L, 1_000_000L);
		assertThat(this.threads.failures).isEmpty();
		holder.close();
	}

	@Test
	void threadThatIsOwedAnAnswerLooksForItself() throws Exception {
		this.store.hold = true;
		List<Integer> alarms = new ArrayList<>();
		this.threads.wait = (nanos) -> {
			alarms.add(this.test.pendingAlarms());
			this.store.deliver();
		};
		this.test.engine.acquire(FOREVER.withWaitTime(Duration.ofSeconds(3))).close();
		// That of the attempt.
		assertThat(alarms).containsExactly(1);
	}

	@Test
	void waiterThatGivesUpWhileItsKeyRetiresIsATaskOfTheNextKeyOnly() {
		LocalLock retired = new LocalLock(KEY, this.test.engine.registry);
		retired.rest();
		Waiter waiter = waiter(Duration.ofSeconds(3));
		List<Runnable> next = new ArrayList<>();
		ReflectionTestUtils.setField(this.test.engine.registry, "locks", new ConcurrentHashMap<LockKey, LocalLock>() {

			private static final long serialVersionUID = 1;

			@Override
			public @Nullable LocalLock get(Object key) {
				waiter.leave(new InterruptedException());
				WaiterTests.this.threads.tasks = next;
				return super.get(key);
			}

		});
		waiter.join(retired);
		assertThat(next).hasSize(1);
		assertThat(waiter.decided).isNull();
		this.threads.runTasks();
		assertThat(waiter.decided).isInstanceOf(Waiter.Outcome.Failed.class);
		assertThat(this.test.keys()).isZero();
	}

	private Waiter waiter(Duration wait) {
		return new Waiter(KEY, Kind.EXCLUSIVE, false, this.core.defaults, this.core.rules, wait.toNanos(),
				this.ticker.read(), null, (outcome) -> {
				});
	}

	private long at(Duration later) {
		return this.ticker.read() + later.toNanos();
	}

}
