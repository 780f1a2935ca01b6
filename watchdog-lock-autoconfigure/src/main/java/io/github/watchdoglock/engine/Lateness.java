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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.time.Threads;

/**
 * How late the watchdog is. Any thread may notice that; no thread waits for it. Times are
 * elapsed time as threads measure it, because a sleep of the machine does not make a
 * thread late. Thread-safe.
 */
final class Lateness {

	private static final long NEVER = Long.MAX_VALUE;

	/* The time for a thread to run again after its process was paused. */
	private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(100);

	private final Threads threads;

	private final long max;

	/** Until when the watchdog sleeps, or since when it takes its turn. */
	private volatile long expected = NEVER;

	/** When a thread first noticed that it is late. */
	private volatile long noticed = NEVER;

	private final AtomicBoolean reported = new AtomicBoolean();

	/* A delay that is longer than the maximum is reported, once each time. */
	Lateness(Threads threads, long max) {
		this.threads = threads;
		this.max = max;
	}

	void turnBegins() {
		this.expected = this.threads.elapsed();
		if (this.noticed != NEVER) {
			this.noticed = NEVER;
			this.reported.set(false);
		}
	}

	/* The watchdog sleeps for this time, or until it is woken. */
	void sleepBegins(long nanos) {
		this.expected = (nanos != NEVER) ? this.threads.elapsed() + nanos : NEVER;
	}

	void ends() {
		this.expected = NEVER;
	}

	/*
	 * The watchdog was woken to look within this time. It may write the field at the same
	 * moment, which does no harm: it takes its turn, and writes the field again.
	 */
	void expectWithin(long nanos) {
		long by = this.threads.elapsed() + Math.max(nanos, 0);
		long expected = this.expected;
		if (expected == NEVER || by - expected < 0) {
			this.expected = by;
		}
	}

	/* How long a turn has been due, or has lasted. */
	Duration delay() {
		long expected = this.expected;
		return (expected != NEVER) ? Duration.ofNanos(Math.max(this.threads.elapsed() - expected, 0)) : Duration.ZERO;
	}

	/* Return a delay that the calling thread has to report; zero if there is none. */
	long detect() {
		long expected = this.expected;
		long now = this.threads.elapsed();
		if (expected == NEVER || now - expected <= this.max) {
			return 0;
		}
		long noticed = this.noticed;
		if (noticed == NEVER) {
			this.noticed = now;
			return 0;
		}
		return (now - noticed > GRACE && this.reported.compareAndSet(false, true)) ? now - expected : 0;
	}

	/* Whether a delay was reported; false if that has failed. */
	AtomicBoolean reported() {
		return this.reported;
	}

}
