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

package io.github.watchdoglock.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Alarms ring when they are due, once, and not when they were cancelled.
 */
class TimerWheelTests {

	private static final long ORIGIN = -1_234_567_891_234L;

	private final TimerWheel wheel = new TimerWheel(ORIGIN);

	@Test
	void anAlarmRingsInTheTickAfterItIsDueAndNeverBefore() {
		TimerWheel.Alarm alarm = alarm();
		this.wheel.set(alarm, ORIGIN + Duration.ofMillis(25).toNanos());
		assertThat(drain(ORIGIN + Duration.ofMillis(29).toNanos())).isEmpty();
		assertThat(drain(ORIGIN + Duration.ofMillis(30).toNanos())).containsExactly(alarm);
		assertThat(drain(ORIGIN + Duration.ofMinutes(1).toNanos())).isEmpty();
	}

	@Test
	void anAlarmOfThePastRingsInTheNextTick() {
		drain(ORIGIN + Duration.ofSeconds(60).toNanos());
		TimerWheel.Alarm alarm = alarm();
		this.wheel.set(alarm, ORIGIN);
		assertThat(drain(ORIGIN + Duration.ofMillis(60_010).toNanos())).containsExactly(alarm);
	}

	@Test
	void whoSleepsIsToldOfAnEarlierAlarmOnly() {
		this.wheel.set(alarm(), ORIGIN + Duration.ofSeconds(5).toNanos());
		assertThat(this.wheel.sleep(ORIGIN)).isEqualTo(Duration.ofSeconds(5).toNanos());
		assertThat(this.wheel.set(alarm(), ORIGIN + Duration.ofSeconds(6).toNanos())).isFalse();
		assertThat(this.wheel.set(alarm(), ORIGIN + Duration.ofSeconds(4).toNanos())).isTrue();
	}

	@RepeatedTest(20)
	void randomAlarmsRingLikeInASortedList() {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		Map<TimerWheel.Alarm, Long> due = new HashMap<>();
		List<TimerWheel.Alarm> alarms = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			alarms.add(alarm());
		}
		long now = ORIGIN;
		for (int step = 0; step < 2_000; step++) {
			TimerWheel.Alarm alarm = alarms.get(random.nextInt(alarms.size()));
			if (random.nextInt(3) == 0) {
				this.wheel.cancel(alarm);
				due.remove(alarm);
			}
			else {
				long at = now + random.nextLong(Duration.ofSeconds(40).toNanos());
				this.wheel.set(alarm, at);
				due.put(alarm, at);
			}
			now += random.nextLong(Duration.ofSeconds((random.nextInt(20) != 0) ? 1 : 30).toNanos());
			long tick = (now - ORIGIN) / TimerWheel.TICK * TimerWheel.TICK + ORIGIN;
			List<TimerWheel.Alarm> expected = due.entrySet()
				.stream()
				.filter((e) -> e.getValue() <= tick)
				.map(Map.Entry::getKey)
				.toList();
			assertThat(drain(now)).as("seed %d, step %d", seed, step).containsExactlyInAnyOrderElementsOf(expected);
			expected.forEach(due::remove);
			assertThat(this.wheel.size()).isEqualTo(due.size());
		}
	}

	@Test
	void aStackThatOverflowsAtAnyStepLosesNoAlarm() throws Exception {
		List<TimerWheel.Alarm> alarms = new ArrayList<>();
		Random random = new Random();
		for (int i = 0; i < 100_000; i++) {
			TimerWheel.Alarm alarm = alarm();
			alarms.add(alarm);
			this.wheel.set(alarm, ORIGIN + random.nextLong(Duration.ofSeconds(20).toNanos()));
		}
		int[] depth = new int[1];
		Thread thread = new Thread(null, () -> overflowing(() -> this.wheel.set(alarms.get(depth[0]++ % alarms.size()),
				ORIGIN + random.nextLong(Duration.ofSeconds(20).toNanos()))), "overflowing", 256 * 1024);
		thread.start();
		thread.join();
		assertThat(depth[0]).isGreaterThan(100);
		assertThat(this.wheel.size()).isEqualTo(alarms.size());
		assertThat(drain(ORIGIN + Duration.ofSeconds(21).toNanos())).doesNotHaveDuplicates().hasSameSizeAs(alarms);
	}

	private List<TimerWheel.Alarm> drain(long now) {
		List<TimerWheel.Alarm> due = new ArrayList<>();
		this.wheel.drain(now, due);
		return due;
	}

	/* Once where there is room to link all of it, then at every depth. */
	private static void overflowing(Runnable step) {
		step.run();
		overflow(step, Integer.MAX_VALUE);
	}

	private static void overflow(Runnable step, int depth) {
		try {
			if (depth > 0) {
				overflow(step, depth - 1);
			}
		}
		catch (StackOverflowError ex) {
			// This is as deep as it gets.
		}
		step.run();
	}

	private static TimerWheel.Alarm alarm() {
		return new TimerWheel.Alarm() {

			@Override
			public void proceed(long now) {
			}

		};
	}

}
