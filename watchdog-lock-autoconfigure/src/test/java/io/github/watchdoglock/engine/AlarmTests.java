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
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Alarm}: how it reaches the watchdog's wheel, and that it fires.
 */
class AlarmTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final int SHORT_LOCKS = 1_000_000;

	private final ManualTicker ticker = new ManualTicker();

	private final Watchdog watchdog = new Watchdog(new ThreadsByHand(this.ticker),
			new Clock(this.ticker, this.ticker.wallClock), SECOND.toNanos());

	private final Recorded alarm = new Recorded();

	private final long start = this.ticker.read();

	@Test
	void firesWhenItIsDueAndOnce() {
		set(3);
		assertThatItFiresAt(3);
	}

	@Test
	void firesLaterIfItIsMovedWhileItIsInTheWheel() {
		set(3);
		this.watchdog.turn();
		set(5);
		assertThatItFiresAt(5);
	}

	@Test
	void firesEarlierIfItIsMovedWhileItIsInTheWheel() {
		set(5);
		this.watchdog.turn();
		set(3);
		assertThatItFiresAt(3);
	}

	@Test
	void doesNotFireIfItIsCancelled() {
		set(3);
		cancel();
		set(2);
		this.watchdog.turn();
		cancel();
		assertThatItFiresAt();
	}

	@Test
	void firesIfItIsSetAgainAfterItWasCancelledInTheWheel() {
		set(3);
		this.watchdog.turn();
		set(2);
		cancel();
		this.watchdog.turn();
		set(5);
		assertThatItFiresAt(5);
	}

	@Test
	void firesAgainIfItIsSetAgain() {
		set(1);
		this.alarm.firing = () -> {
			if (this.alarm.fired.size() < 3) {
				set(1 + this.alarm.fired.size());
			}
		};
		assertThatItFiresAt(1, 2, 3);
	}

	@Test
	void isSentOnlyIfTheWatchdogWouldLookTooLate() {
		TimerWheel<Alarm> wheel = new TimerWheel<>(this.start);
		AtomicReference<@Nullable Alarm> inbox = new AtomicReference<>();
		assertThat(this.alarm.move(at(5))).isTrue();
		assertThat(this.alarm.send(inbox)).isTrue();
		assertThat(inbox).hasValue(this.alarm);
		// It is on its way.
		assertThat(this.alarm.move(at(4))).isTrue();
		assertThat(this.alarm.send(inbox)).isFalse();
		this.alarm.received(wheel);
		assertThat(this.alarm.move(at(6))).isFalse();
		assertThat(this.alarm.move(Alarm.NEVER)).isFalse();
		assertThat(this.alarm.isSet()).isFalse();
		assertThat(this.alarm.move(at(4))).isFalse();
		assertThat(this.alarm.move(at(3))).isTrue();
		assertThat(this.alarm.send(inbox)).isTrue();
		this.alarm.received(wheel);
		List<Alarm> due = new ArrayList<>();
		wheel.drain(at(3), due);
		assertThat(due).containsExactly(this.alarm);
		this.alarm.drained(wheel, at(3));
		assertThat(this.alarm.fired).containsExactly(at(3));
		// The watchdog would not look at it any more.
		assertThat(this.alarm.move(at(9))).isTrue();
	}

	@Test
	void earlierMomentIsTheOneThatComesFirst() {
		assertThat(Alarm.earlier(Long.MAX_VALUE - 1, Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE - 1);
		assertThat(Alarm.earlier(1, Alarm.NEVER)).isEqualTo(1);
		assertThat(Alarm.earlier(Alarm.NEVER, -1)).isEqualTo(-1);
		assertThat(Alarm.isBefore(Alarm.NEVER, Alarm.NEVER)).isFalse();
	}

	@Test
	void retiredKeyIsNotReachableThroughItsAlarm() {
		TestEngine test = newEngine();
		LockHandle handle = test.ask(LockRequest.of("orders")).join();
		WeakReference<LocalLock> lock = new WeakReference<>(((Handle) handle).hold().lease.lock);
		// Its alarm is in the wheel, and on its way to the watchdog.
		test.turn();
		handle.close();
		test.forgetAsked();
		handle = test.ask(LockRequest.of("stock")).join();
		assertThat(test.keys()).isOne();
		for (int i = 0; i < 50 && lock.get() != null; i++) {
			System.gc();
		}
		assertThat(lock.get()).isNull();
		handle.close();
	}

	@Test
	void alarmsOfShortLocksDoNotPileUpWhileTheWatchdogIsPaused() throws Exception {
		InMemoryLeaseStore store = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);
		Core core = new Core(EngineSettings.of("test"), "one", Threads.system(), this.ticker, this.ticker.wallClock,
				store, new Events(), Runnable::run);
		LockEngine engine = new LockEngine(core, store, store);
		List<LockHandle> held = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			held.add(engine.acquire(LockRequest.of("held", "" + i)));
		}
		LockRequest request = LockRequest.of("orders");
		long before = used();
		for (int i = 0; i < SHORT_LOCKS; i++) {
			engine.acquire(request).close();
		}
		assertThat(used() - before).isLessThan(8L << 20);
		// Those of held locks are not lost.
		for (int i = 0; i < 40; i++) {
			this.ticker.advance(SECOND);
			core.watchdog.turn();
		}
		assertThat(held).allMatch(LockHandle::isHeld);
	}

	private static long used() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 3; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

	private TestEngine newEngine() {
		return TestEngine.over(this.ticker, new InMemoryLeaseStore(this.ticker, this.ticker.wallClock));
	}

	private long at(int seconds) {
		return this.start + SECOND.multipliedBy(seconds).toNanos();
	}

	private void set(int seconds) {
		this.watchdog.set(this.alarm, at(seconds));
	}

	private void cancel() {
		this.watchdog.set(this.alarm, Alarm.NEVER);
	}

	private void assertThatItFiresAt(int... seconds) {
		while (this.ticker.read() - at(10) < 0) {
			this.ticker.advance(TestEngine.TICK);
			this.watchdog.turn();
		}
		assertThat(this.alarm.fired.stream().mapToInt((now) -> (int) ((now - this.start) / SECOND.toNanos())))
			.containsExactly(IntStream.of(seconds).boxed().toArray(Integer[]::new));
		assertThat(this.alarm.isSet()).isFalse();
	}

	private static final class Recorded extends Alarm {

		private final List<Long> fired = new ArrayList<>();

		private Runnable firing = () -> {
		};

		@Override
		void fire(long now) {
			this.fired.add(now);
			this.firing.run();
		}

	}

}
