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
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

import org.junit.jupiter.api.Test;

/**
 * What one lock and unlock costs the watchdog's schedule: an alarm set and cancelled
 * among many others, by the timer wheel and by the JDK's heap. Run by name only; prints
 * medians of interleaved rounds.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class TimerBenchmark {

	private static final int ROUNDS = 15;

	private static final int OPERATIONS = 200_000;

	private static final long PERIOD = Duration.ofSeconds(10).toNanos();

	private final Random random = new Random(42);

	@Test
	void setAndCancelAmongMany() {
		for (int pending : new int[] { 100, 10_000, 100_000 }) {
			compare(pending);
		}
	}

	@Test
	void ringAndSetAgain() {
		for (int pending : new int[] { 100, 10_000, 100_000 }) {
			double[] wheelNanos = new double[ROUNDS];
			double[] heapNanos = new double[ROUNDS];
			for (int round = 0; round < ROUNDS; round++) {
				wheelNanos[round] = ringWheel(pending);
				heapNanos[round] = ringHeap(pending);
			}
			print("ring and set", pending, wheelNanos, heapNanos);
		}
	}

	/* Two periods of ten seconds, in ticks. */
	private double ringWheel(int pending) {
		TimerWheel wheel = new TimerWheel(0);
		for (int i = 0; i < pending; i++) {
			wheel.set(alarm(), period());
		}
		int rung = 0;
		List<TimerWheel.Alarm> due = new ArrayList<>();
		long start = System.nanoTime();
		for (long now = 0; now < 2 * PERIOD; now += TimerWheel.TICK) {
			due.clear();
			wheel.drain(now, due);
			for (TimerWheel.Alarm alarm : due) {
				wheel.set(alarm, now + period());
				rung++;
			}
		}
		return (double) (System.nanoTime() - start) / rung;
	}

	private double ringHeap(int pending) {
		ReentrantLock lock = new ReentrantLock();
		PriorityQueue<TimerWheel.Alarm> heap = new PriorityQueue<>((a, b) -> Long.compare(a.tick, b.tick));
		for (int i = 0; i < pending; i++) {
			TimerWheel.Alarm alarm = alarm();
			alarm.tick = period();
			heap.add(alarm);
		}
		int rung = 0;
		long start = System.nanoTime();
		for (long now = 0; now < 2 * PERIOD; now += TimerWheel.TICK) {
			while (true) {
				lock.lock();
				try {
					TimerWheel.Alarm alarm = heap.peek();
					if (alarm == null || alarm.tick > now) {
						break;
					}
					heap.remove();
					alarm.tick = now + period();
					heap.add(alarm);
				}
				finally {
					lock.unlock();
				}
				rung++;
			}
		}
		return (double) (System.nanoTime() - start) / rung;
	}

	private long period() {
		return (long) (PERIOD * this.random.nextDouble(0.9, 1.1));
	}

	private static void print(String what, int pending, double[] wheel, double[] heap) {
		System.out.printf("%s, %,7d pending: timer wheel %4.0f ns, heap %4.0f ns, ratio %.2f%n", what, pending,
				median(wheel), median(heap), median(wheel) / median(heap));
	}

	private void compare(int pending) {
		TimerWheel wheel = new TimerWheel(System.nanoTime());
		for (int i = 0; i < pending; i++) {
			wheel.set(alarm(), System.nanoTime() + delay());
		}
		ScheduledThreadPoolExecutor heap = new ScheduledThreadPoolExecutor(1);
		heap.setRemoveOnCancelPolicy(true);
		for (int i = 0; i < pending; i++) {
			schedule(heap);
		}
		double[] wheelNanos = new double[ROUNDS];
		double[] heapNanos = new double[ROUNDS];
		for (int round = 0; round < ROUNDS; round++) {
			wheelNanos[round] = time((i) -> {
				TimerWheel.Alarm alarm = alarm();
				wheel.set(alarm, System.nanoTime() + delay());
				wheel.cancel(alarm);
				return alarm;
			});
			heapNanos[round] = time((i) -> schedule(heap).cancel(false));
		}
		heap.shutdownNow();
		print("set and cancel", pending, wheelNanos, heapNanos);
	}

	private static double time(IntFunction<Object> operation) {
		long start = System.nanoTime();
		int sink = 0;
		for (int i = 0; i < OPERATIONS; i++) {
			sink += operation.apply(i).hashCode();
		}
		long nanos = System.nanoTime() - start;
		return (sink != 1) ? (double) nanos / OPERATIONS : Double.NaN;
	}

	private static double median(double[] values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}

	private ScheduledFuture<?> schedule(ScheduledThreadPoolExecutor heap) {
		return heap.schedule(() -> {
		}, delay(), TimeUnit.NANOSECONDS);
	}

	/* When a default lease is renewed first: in five to ten seconds; here, far enough. */
	private long delay() {
		return Duration.ofMinutes(5).toNanos() + this.random.nextLong(Duration.ofSeconds(5).toNanos());
	}

	private static TimerWheel.Alarm alarm() {
		return new TimerWheel.Alarm() {

			@Override
			public void proceed(long now) {
			}

		};
	}

}
