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

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Elapsed time, to which the time is added in which the machine slept and the ticker
 * stood still. Thread-safe.
 * <p>
 * Not promised: that a wall clock which was set forward is told from sleep. Both count as
 * time gone, which is the safe way to be wrong.
 */
public final class Clock implements Ticker {

	/* Readings that took longer say nothing of a wall clock that was set back. */
	private static final long PRECISION = TimeUnit.MILLISECONDS.toNanos(1);

	/* The wall clock has milliseconds, and is read on machines that are busy. */
	private static final long SMALLEST_TOLERANCE = TimeUnit.MILLISECONDS.toNanos(20);

	/* A wall clock that is being adjusted gains half a thousandth at most. */
	private static final long DRIFT_DIVISOR = 1_000;

	/*
	 * Of the tolerance: what counts as drift may be sleep, and is then never accounted
	 * for.
	 */
	private static final int DRIFT_SHARE = 20;

	private final Ticker ticker;

	private final InstantSource wallClock;

	private final SpinLock lock = SpinLock.innermost();

	/*
	 * What follows is written with the lock, by one of many at a time: whoever takes a
	 * lock reads the clock several times, and must not wait for others who do.
	 */

	/**
	 * How far the wall clock was ahead of the ticker, as far as that is accounted for.
	 */
	private final AtomicLong ahead = new AtomicLong();

	/** When the ticker was compared last, and how much of what was gained is drift. */
	private volatile long compared;

	private long drift;

	/** How much more than the ticker says has gone by. */
	private final AtomicLong gone = new AtomicLong();

	private volatile long tolerance = Long.MAX_VALUE;

	/**
	 * Create a clock.
	 * @param ticker counts elapsed time, may stand still while the machine sleeps
	 * @param wallClock goes on meanwhile
	 */
	public Clock(Ticker ticker, InstantSource wallClock) {
		this.ticker = ticker;
		this.wallClock = wallClock;
		this.compared = ticker.read();
		this.ahead.set(wall() - this.compared);
	}

	/**
	 * From now on the clocks may differ by this much at most.
	 * @param nanos the time, in nanoseconds; of several the least counts
	 */
	public void tolerate(long nanos) {
		this.lock.lock();
		try {
			this.tolerance = Math.min(this.tolerance, Math.max(nanos, SMALLEST_TOLERANCE));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * How long nobody needs to look whether the machine has slept.
	 * @return nanoseconds
	 */
	public long patience() {
		return this.tolerance / 4;
	}

	/**
	 * Read the clock, whether or not the machine has slept since somebody looked.
	 */
	@Override
	public long read() {
		return this.ticker.read() + this.gone.get();
	}

	/**
	 * Read the clock, having looked whether the machine has slept since.
	 * @return nanoseconds, as {@link #read()} gives them from now on
	 */
	public long readNoticingSleep() {
		long wall = wall();
		long now = this.ticker.read();
		long slept = wall - now - this.ahead.get();
		if (slept < -PRECISION || slept > this.tolerance || now - this.compared > patience()) {
			this.lock.lock();
			try {
				compare();
			}
			finally {
				this.lock.unlock();
			}
			return read();
		}
		return now + this.gone.get();
	}

	private void compare() {
		long before = this.ticker.read();
		long wall = wall();
		long after = this.ticker.read();
		long slept = wall - after - this.ahead.get();
		this.drift = Math.min(this.drift + (after - this.compared) / DRIFT_DIVISOR, this.tolerance / DRIFT_SHARE);
		this.compared = after;
		if (slept > this.tolerance) {
			// In this order: who finds that all is accounted for reads what has gone.
			this.gone.addAndGet(slept);
			this.ahead.addAndGet(slept);
		}
		else if (slept > 0) {
			long drifted = Math.min(slept, this.drift);
			this.drift -= drifted;
			this.ahead.addAndGet(drifted);
		}
		else if (after - before <= PRECISION) {
			// The wall clock was set back: what it gains later is no sleep.
			this.ahead.addAndGet(slept);
		}
	}

	private long wall() {
		return TimeUnit.MILLISECONDS.toNanos(this.wallClock.millis());
	}

	/**
	 * A moment by the wall clock, for display.
	 * @param ago how many nanoseconds before now
	 * @return the moment
	 */
	public Instant wallTime(long ago) {
		return this.wallClock.instant().minusNanos(ago);
	}

}
