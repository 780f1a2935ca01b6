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
import java.util.Objects;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link TimerWheel}: entries are drained once, when they are due.
 */
class TimerWheelTests {

	private static final long ORIGIN = -1_234_567_891_234L;

	private final TimerWheel<Entry> wheel = new TimerWheel<>(ORIGIN);

	@Test
	void entryThatIsDueInThePastIsDrainedInTheNextTick() {
		drain(at(Duration.ofSeconds(60)));
		Entry entry = new Entry();
		this.wheel.set(entry, ORIGIN);
		assertThat(drain(at(Duration.ofMillis(60_010)))).containsExactly(entry);
	}

	@Test
	void nextReturnsTimeOfEarliestEntry() {
		assertThat(this.wheel.next()).isEqualTo(Long.MAX_VALUE);
		this.wheel.set(new Entry(), at(Duration.ofSeconds(5)));
		this.wheel.set(new Entry(), at(Duration.ofSeconds(6)));
		assertThat(this.wheel.next()).isEqualTo(at(Duration.ofSeconds(5)));
		Entry earlier = new Entry();
		this.wheel.set(earlier, at(Duration.ofSeconds(4)));
		assertThat(this.wheel.next()).isEqualTo(at(Duration.ofSeconds(4)));
		this.wheel.cancel(earlier);
		assertThat(this.wheel.next()).isEqualTo(at(Duration.ofSeconds(5)));
	}

	@Test
	@SuppressWarnings({ "unchecked", "serial" })
	void setAfterOutOfMemoryErrorAddsEntryAndKeepsOthers() {
		Entry other = new Entry();
		this.wheel.set(other, at(Duration.ofMillis(50)));
		List<ArrayList<TimerWheel.Entry>> buckets = (List<ArrayList<TimerWheel.Entry>>) Objects
			.requireNonNull(ReflectionTestUtils.getField(this.wheel, "buckets"));
		buckets.set(5, new ArrayList<>(buckets.get(5)) {

			private boolean failed;

			@Override
			public boolean add(TimerWheel.Entry entry) {
				if (!this.failed) {
					this.failed = true;
					throw new OutOfMemoryError("on purpose");
				}
				return super.add(entry);
			}

		});
		Entry entry = new Entry();
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> this.wheel.set(entry, at(Duration.ofMillis(50))));
		this.wheel.set(entry, at(Duration.ofMillis(50)));
		assertThat(drain(at(Duration.ofMillis(60)))).containsExactlyInAnyOrder(other, entry);
		assertThat(this.wheel.next()).isEqualTo(Long.MAX_VALUE);
	}

	@RepeatedTest(20)
	void randomEntriesAreDrainedExactlyWhenDue() {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		Map<Entry, Long> due = new HashMap<>();
		List<Entry> entries = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			entries.add(new Entry());
		}
		long now = ORIGIN;
		for (int step = 0; step < 2_000; step++) {
			Entry entry = entries.get(random.nextInt(entries.size()));
			if (random.nextInt(3) == 0) {
				this.wheel.cancel(entry);
				due.remove(entry);
			}
			else {
				long at = now + random.nextLong(Duration.ofSeconds(40).toNanos());
				this.wheel.set(entry, at);
				due.put(entry, at);
			}
			now += random.nextLong(Duration.ofSeconds((random.nextInt(20) != 0) ? 1 : 30).toNanos());
			long tick = (now - ORIGIN) / TimerWheel.TICK * TimerWheel.TICK + ORIGIN;
			List<Entry> expected = due.entrySet()
				.stream()
				.filter((e) -> e.getValue() <= tick)
				.map(Map.Entry::getKey)
				.toList();
			assertThat(drain(now)).as("seed %d, step %d", seed, step).containsExactlyInAnyOrderElementsOf(expected);
			expected.forEach(due::remove);
			assertThat(this.wheel.next() == Long.MAX_VALUE).isEqualTo(due.isEmpty());
		}
	}

	private List<Entry> drain(long now) {
		List<Entry> due = new ArrayList<>();
		this.wheel.drain(now, due);
		return due;
	}

	private static long at(Duration later) {
		return ORIGIN + later.toNanos();
	}

	private static final class Entry extends TimerWheel.Entry {

	}

}
