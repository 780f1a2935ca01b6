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

package io.github.watchdoglock.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

import io.github.watchdoglock.LockException;
import io.github.watchdoglock.benchmarks.run.Consumption;
import org.jspecify.annotations.Nullable;

/**
 * A round with a number of callers, each on its own thread, that acquire and release
 * locks without a pause. They begin gradually, and the measurement begins when each of
 * them has acquired a lock.
 */
final class LoadRound {

	/* The time for all of them: if they need longer, the system has reached its limit. */
	private static final Duration GOING = Duration.ofMinutes(2);

	/* The number of threads that begin when the ones before have acquired a lock. */
	private static final int AT_ONCE = 500;

	private final AtomicInteger going = new AtomicInteger();

	private final LoadThreads threads;

	private final List<Thread> started = new ArrayList<>();

	private final LongAdder acquired = new LongAdder();

	private final LongAdder failed = new LongAdder();

	private final AtomicReference<@Nullable Throwable> unexpected = new AtomicReference<>();

	private volatile boolean measured;

	private volatile boolean over;

	private LoadRound(LoadThreads threads) {
		this.threads = threads;
	}

	static LoadResult measure(Entrance.Source entrances, boolean ownKeys, LoadThreads threads, int callers,
			Duration length, LoadProbe probe) throws InterruptedException {
		LoadRound round = new LoadRound(threads);
		probe.clear();
		try {
			round.start(entrances, ownKeys, callers);
			return round.measure(callers, length, probe);
		}
		finally {
			round.end();
		}
	}

	private void start(Entrance.Source entrances, boolean ownKeys, int callers) throws InterruptedException {
		long deadline = System.nanoTime() + GOING.toNanos();
		Entrance one = entrances.of("one");
		AtomicInteger inside = new AtomicInteger();
		for (int i = 1; i <= callers; i++) {
			Entrance entrance = ownKeys ? entrances.of("own-" + i) : one;
			AtomicInteger holder = ownKeys ? new AtomicInteger() : inside;
			int number = i;
			this.started.add(this.threads.start(() -> call(entrance, () -> check(holder, number))));
			if (i % AT_ONCE == 0 || i == callers) {
				awaitGoing(i, deadline);
			}
		}
	}

	static void check(AtomicInteger holder, int number) {
		if (!holder.compareAndSet(0, number) || !holder.compareAndSet(number, 0)) {
			throw new IllegalStateException("Caller " + number + " got the lock while another one was still inside");
		}
	}

	private void call(Entrance entrance, Runnable work) {
		try {
			while (!passes(entrance, work) && !this.over) {
				this.threads.letOthersIn();
			}
			this.going.incrementAndGet();
			long mine = 0;
			while (!this.over) {
				if (passes(entrance, work) && this.measured) {
					mine++;
				}
				this.threads.letOthersIn();
			}
			this.acquired.add(mine);
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			this.unexpected.compareAndSet(null, ex);
		}
	}

	private boolean passes(Entrance entrance, Runnable work) throws InterruptedException {
		try {
			entrance.pass(work);
			return true;
		}
		catch (LockException ex) {
			this.failed.increment();
			return false;
		}
	}

	private void awaitGoing(int callers, long deadline) throws InterruptedException {
		while (this.going.get() < callers) {
			TimeUnit.MILLISECONDS.sleep(10);
			failIfUnexpected();
			if (System.nanoTime() - deadline > 0) {
				throw new IllegalStateException(
						(callers - this.going.get()) + " callers had no lock after " + GOING.toSeconds() + " s");
			}
		}
	}

	private LoadResult measure(int callers, Duration length, LoadProbe probe) throws InterruptedException {
		long bytes = Consumption.bytes();
		long start = System.nanoTime();
		this.measured = true;
		TimeUnit.NANOSECONDS.sleep(length.toNanos());
		this.measured = false;
		double nanos = System.nanoTime() - start;
		bytes = Consumption.bytes() - bytes;
		end();
		failIfUnexpected();
		double each = Math.max(1, this.acquired.sum());
		return new LoadResult(callers, this.acquired.sum() * 1e9 / nanos, bytes / each, probe.latest() / 1e6,
				this.failed.sum() + probe.losses());
	}

	private void end() throws InterruptedException {
		this.over = true;
		long deadline = System.nanoTime() + GOING.toNanos();
		for (Thread thread : this.started) {
			thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
			if (thread.isAlive()) {
				throw new IllegalStateException("A caller still waits: " + List.of(thread.getStackTrace()));
			}
		}
	}

	private void failIfUnexpected() {
		Throwable unexpected = this.unexpected.get();
		if (unexpected != null) {
			throw new IllegalStateException("A caller failed", unexpected);
		}
	}

}
