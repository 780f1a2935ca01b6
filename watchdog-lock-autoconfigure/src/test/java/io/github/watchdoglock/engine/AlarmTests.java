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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Alarm}: how it gets into the watchdog's wheel, and that it fires.
 */
class AlarmTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final int SHORT_LOCKS = 100_000;

	private final ManualTicker ticker = new ManualTicker();

	private final Watchdog watchdog = new Watchdog(new ThreadsByHand(this.ticker),
			new Clock(this.ticker, this.ticker.wallClock), SECOND.toNanos());

	private final Recorded alarm = new Recorded();

	private final long start = this.ticker.read();

	@ParameterizedTest
	@CsvSource({ "3, 3", "3 turn 5, 5", "5 turn 3, 3", "3 never 2 turn never, never", "3 turn 2 never turn 5, 5" })
	void alarmFiresOnceAtTimeThatWasSetLast(String steps, String expected) {
		for (String step : steps.split(" ", -1)) {
			if (step.equals("turn")) {
				this.watchdog.turn();
			}
			else {
				this.watchdog.set(this.alarm, step.equals("never") ? Alarm.NEVER : at(Integer.parseInt(step)));
			}
		}
		while (this.ticker.read() - at(10) < 0) {
			this.ticker.advance(TestEngine.TICK);
			this.watchdog.turn();
		}
		List<Long> moments = expected.equals("never") ? List.of() : List.of(at(Integer.parseInt(expected)));
		assertThat(this.alarm.fired).isEqualTo(moments);
		assertThat(this.alarm.isSet()).isFalse();
	}

	@Test
	void alarmFiresAgainWhenSetDuringFiring() {
		this.watchdog.set(this.alarm, at(1));
		this.alarm.firing = () -> this.watchdog.set(this.alarm, at(1 + this.alarm.fired.size()));
		for (int second = 1; second <= 3; second++) {
			this.ticker.advance(SECOND);
			this.watchdog.turn();
			assertThat(this.alarm.fired).hasSize(second);
		}
	}

	@Test
	void alarmIsSentOnlyForEarlierTimeAndNotTwice() {
		TimerWheel<Alarm> wheel = new TimerWheel<>(this.start);
		AtomicReference<@Nullable Alarm> inbox = new AtomicReference<>();
		assertThat(this.alarm.move(at(5))).isTrue();
		assertThat(this.alarm.send(inbox)).isTrue();
		assertThat(inbox).hasValue(this.alarm);
		// The alarm is on its way to the watchdog.
		assertThat(this.alarm.move(at(4))).isTrue();
		assertThat(this.alarm.send(inbox)).as("an alarm that was sent is sent again").isFalse();
		this.alarm.received(wheel);
		assertThat(this.alarm.move(at(6))).as("a later time has to be sent to the watchdog").isFalse();
		assertThat(this.alarm.move(Alarm.NEVER)).isFalse();
		assertThat(this.alarm.isSet()).isFalse();
		assertThat(this.alarm.move(at(3))).isTrue();
	}

	@Test
	void alarmIsLinkedIntoWheelUnlessAlreadySent() {
		TimerWheel<Alarm> wheel = new TimerWheel<>(this.start);
		assertThat(this.alarm.move(at(5))).isTrue();
		assertThat(this.alarm.linkUnlessSent(wheel)).isTrue();
		assertThat(wheel.next()).isEqualTo(at(5));
		assertThat(this.alarm.move(at(3))).isTrue();
		assertThat(this.alarm.send(new AtomicReference<>())).isTrue();
		assertThat(this.alarm.linkUnlessSent(wheel)).as("the alarm is linked although it was sent").isFalse();
		assertThat(wheel.next()).isEqualTo(at(5));
	}

	@Test
	void soonerTimeIsChosenAcrossOverflowAndBeforeNever() {
		assertThat(Alarm.earlier(Long.MAX_VALUE - 1, Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE - 1);
		assertThat(Alarm.earlier(1, Alarm.NEVER)).isEqualTo(1);
		assertThat(Alarm.earlier(Alarm.NEVER, -1)).isEqualTo(-1);
		assertThat(Alarm.isBefore(Alarm.NEVER, Alarm.NEVER)).isFalse();
	}

	@Test
	void retiredKeyIsNotReachableThroughItsAlarm() {
		TestEngine test = TestEngine.over(this.ticker, new InMemoryLeaseStore(this.ticker, this.ticker.wallClock));
		LockHandle handle = test.engine.acquireAsync(LockRequest.of("orders")).join();
		WeakReference<KeyTasks> lock = new WeakReference<>(((Handle) handle).hold().lease.lock.tasks());
		// The alarm is in the wheel, and on its way to the watchdog again.
		test.turn();
		handle.close();
		handle = test.engine.acquireAsync(LockRequest.of("stock")).join();
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
		EngineContext context = new EngineContext(EngineSettings.of("test"), "one", Threads.system(), this.ticker,
				this.ticker.wallClock, store, new Events(), Runnable::run);
		LockEngine engine = new LockEngine(context, store, store);
		List<LockHandle> held = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			held.add(engine.acquire(LockRequest.of("held", "" + i)));
		}
		LockRequest request = LockRequest.of("orders");
		List<Long> growths = new ArrayList<>();
		long before = HeapTests.used();
		for (int batch = 0; batch < 3; batch++) {
			for (int i = 0; i < SHORT_LOCKS; i++) {
				engine.acquire(request).close();
			}
			long after = HeapTests.used();
			growths.add(after - before);
			before = after;
		}
		// Earlier tests of this JVM may change the heap, too, but not in each batch.
		assertThat(Collections.min(growths)).as("growth in bytes of %s", growths).isLessThan(1L << 20);
		// Alarms of held locks are not lost.
		for (int i = 0; i < 40; i++) {
			this.ticker.advance(SECOND);
			context.watchdog.turn();
		}
		assertThat(held).allMatch(LockHandle::isHeld);
	}

	private long at(int seconds) {
		return this.start + SECOND.multipliedBy(seconds).toNanos();
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
