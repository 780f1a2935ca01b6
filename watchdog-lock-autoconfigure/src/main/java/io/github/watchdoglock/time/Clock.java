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
import java.util.ArrayList;
import java.util.List;
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

	/* The watchdog wakes up as often, while a lock is held. */
	private static final long SHORTEST_PATIENCE = TimeUnit.MILLISECONDS.toNanos(10);

	private static final long EXCESS = TimeUnit.SECONDS.toNanos(1);

	/* Leases have few lengths: those of annotations and properties. */
	private static final int MOST_PASSING = 32;

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

	/** The least of those that apply now. */
	private volatile long tolerance = Long.MAX_VALUE;

	private volatile long lasting = Long.MAX_VALUE;

	/** Those of leases that end, replaced as a whole. */
	private volatile List<Tolerance> passing = List.of();

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
	 * Limit the difference between the clocks that is not taken for sleep. The smallest
	 * of several limits applies.
	 * @param nanos the limit, in nanoseconds; at least 20 ms apply
	 */
	public void tolerate(long nanos) {
		this.lock.lock();
		try {
			this.lasting = Math.min(this.lasting, Math.max(nanos, SMALLEST_TOLERANCE));
			choose(this.passing, read());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Limit that difference for a while.
	 * @param nanos the limit, in nanoseconds; at least 20 ms apply
	 * @param until when the limit ends, as {@link #read()} counts; up to a second later
	 * is as good
	 */
	public void tolerate(long nanos, long until) {
		long limit = Math.max(nanos, SMALLEST_TOLERANCE);
		if (limit >= this.lasting) {
			return;
		}
		for (Tolerance known : this.passing) {
			if (known.nanos() <= limit && known.until() - until >= 0) {
				return;
			}
		}
		// Longer than needed: the next leases of this length need not change it.
		Tolerance added = new Tolerance(limit, until + EXCESS);
		this.lock.lock();
		try {
			List<Tolerance> all = new ArrayList<>(this.passing);
			all.removeIf((known) -> known.nanos() >= limit && known.until() - added.until() <= 0);
			all.add((all.size() < MOST_PASSING) ? added : added.with(all.remove(0)));
			choose(all, read());
		}
		finally {
			this.lock.unlock();
		}
	}

	private void choose(List<Tolerance> limits, long now) {
		List<Tolerance> current = limits.stream().filter((limit) -> limit.until() - now > 0).toList();
		this.passing = current;
		this.tolerance = current.stream().mapToLong(Tolerance::nanos).reduce(this.lasting, Math::min);
	}

	/**
	 * How long no thread needs to look whether the machine has slept.
	 * @return nanoseconds
	 */
	public long patience() {
		return Math.max(this.tolerance / 4, SHORTEST_PATIENCE);
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
		if (!this.passing.isEmpty()) {
			choose(this.passing, read());
		}
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

	/**
	 * A limit that ends.
	 */
	private record Tolerance(long nanos, long until) {

		private Tolerance with(Tolerance other) {
			return new Tolerance(Math.min(this.nanos, other.nanos),
					(this.until - other.until >= 0) ? this.until : other.until);
		}

	}

}
