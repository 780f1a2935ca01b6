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

package io.github.watchdoglock.support;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * The times in which this JVM got no processor: promised times begin when it runs again.
 */
public final class StandStills implements AutoCloseable {

	private static final long NOTEWORTHY = Duration.ofMillis(20).toNanos();

	private static final long TICK = Duration.ofMillis(1).toNanos();

	private final List<long[]> gaps = new CopyOnWriteArrayList<>();

	private final Thread thread = new Thread(this::watch, "stand-stills");

	private volatile long watched = System.nanoTime();

	private volatile boolean over;

	/**
	 * Begin to watch.
	 */
	public StandStills() {
		this.thread.setDaemon(true);
		this.thread.start();
	}

	private void watch() {
		long before = this.watched;
		while (!this.over) {
			LockSupport.parkNanos(TICK);
			long now = System.nanoTime();
			if (now - before > NOTEWORTHY) {
				this.gaps.add(new long[] { before, now });
			}
			before = now;
			this.watched = now;
		}
	}

	/**
	 * Return how long the JVM was paused between two times, once the watch has reached
	 * the second.
	 * @param from the first, by {@link System#nanoTime()}
	 * @param to the second
	 * @return nanoseconds
	 */
	public long between(long from, long to) {
		while (this.watched - to < 0 && this.thread.isAlive()) {
			LockSupport.parkNanos(TICK);
		}
		return this.gaps.stream().mapToLong((gap) -> Math.max(0, Math.min(to, gap[1]) - Math.max(from, gap[0]))).sum();
	}

	/**
	 * Return how long the JVM has run since a time.
	 * @param from the time, by {@link System#nanoTime()}
	 * @return without the time of pauses
	 */
	public Duration ranSince(long from) {
		long now = System.nanoTime();
		return Duration.ofNanos(now - from - between(from, now));
	}

	@Override
	public void close() {
		this.over = true;
	}

}
