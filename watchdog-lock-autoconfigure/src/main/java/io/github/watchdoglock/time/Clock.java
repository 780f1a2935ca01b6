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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The elapsed time, including the time during which the machine slept and the ticker was
 * paused. Thread-safe, and never parks a thread.
 * <p>
 * Not promised: that a wall clock that was set forward is distinguished from sleep. Both
 * are treated as elapsed time, because that is the safe error.
 */
public final class Clock implements Ticker {

	/*
	 * The precision of a reading. A reading that took longer does not show that the wall
	 * clock was set back.
	 */
	private static final long PRECISION = TimeUnit.MILLISECONDS.toNanos(1);

	/*
	 * The wall clock has a resolution of milliseconds, and reading it may be delayed on a
	 * busy machine.
	 */
	private static final long MIN_TOLERANCE = TimeUnit.MILLISECONDS.toNanos(20);

	/*
	 * A wall clock that is being adjusted gains at most half a thousandth; this is twice
	 * that.
	 */
	private static final long DRIFT_DIVISOR = 1_000;

	/*
	 * The maximum drift, as a part of the tolerance. Sleep that is mistaken for drift is
	 * never added to the elapsed time, so it must be short.
	 */
	private static final int DRIFT_SHARE = 20;

	/* The shortest interval at which the watchdog wakes up while a lock is held. */
	private static final long MIN_CHECK_INTERVAL = TimeUnit.MILLISECONDS.toNanos(10);

	private static final long EXCESS = TimeUnit.SECONDS.toNanos(1);

	private final Ticker ticker;

	private final InstantSource wallClock;

	private final AtomicReference<State> state;

	/**
	 * Create a clock.
	 * @param ticker measures elapsed time; may pause while the machine sleeps
	 * @param wallClock continues while the machine sleeps
	 */
	public Clock(Ticker ticker, InstantSource wallClock) {
		this.ticker = ticker;
		this.wallClock = wallClock;
		long now = ticker.read();
		this.state = new AtomicReference<>(new State(wall() - now, now, 0, 0, Long.MAX_VALUE, Long.MAX_VALUE, now));
	}

	/**
	 * Set the difference between the clocks up to which it is not considered sleep.
	 * @param nanos the limit, in nanoseconds; at least 20 ms apply
	 */
	public void tolerate(long nanos) {
		long limit = Math.max(nanos, MIN_TOLERANCE);
		this.state.updateAndGet((before) -> before.limited(limit, Math.min(before.tolerance, limit), before.until));
	}

	/**
	 * Set that limit for a period of time. The smallest of several limits applies until
	 * the last of these periods ends.
	 * @param nanos the limit, in nanoseconds; at least 20 ms apply
	 * @param until when the limit ends, on the scale of {@link #read()}; it may last up
	 * to a second longer
	 */
	public void tolerate(long nanos, long until) {
		long limit = Math.max(nanos, MIN_TOLERANCE);
		State state = state();
		if (limit < state.usual && (limit < state.tolerance || until - state.until > 0)) {
			// Longer than needed, so that the next leases of this length need not change
			// it.
			this.state.updateAndGet((before) -> before.at(this.ticker.read()).with(limit, until + EXCESS));
		}
	}

	/**
	 * Return how long no thread needs to check whether the machine has slept.
	 * @return nanoseconds
	 */
	public long maxCheckInterval() {
		return Math.max(state().tolerance / 4, MIN_CHECK_INTERVAL);
	}

	/**
	 * Read the clock without checking whether the machine has slept.
	 */
	@Override
	public long read() {
		return this.ticker.read() + state().gone;
	}

	/**
	 * Read the clock after checking whether the machine has slept.
	 * @return nanoseconds, as {@link #read()} returns them from now on
	 */
	public long readNoticingSleep() {
		while (true) {
			long wall = wall();
			long now = this.ticker.read();
			State before = state();
			long slept = wall - now - before.ahead;
			if (slept >= -PRECISION && slept <= before.tolerance && now - before.compared <= before.tolerance / 4) {
				return now + before.gone;
			}
			// Guard against a race with another thread that compares or adds a limit.
			if (this.state.compareAndSet(before, compare(before))) {
				return read();
			}
		}
	}

	private State compare(State before) {
		long begun = this.ticker.read();
		long wall = wall();
		long now = this.ticker.read();
		State limited = before.at(now);
		long slept = wall - now - before.ahead;
		long drift = Math.min(before.drift + (now - before.compared) / DRIFT_DIVISOR, limited.tolerance / DRIFT_SHARE);
		if (slept > limited.tolerance) {
			return limited.compared(now, before.ahead + slept, before.gone + slept, drift);
		}
		if (slept > 0) {
			long drifted = Math.min(slept, drift);
			return limited.compared(now, before.ahead + drifted, before.gone, drift - drifted);
		}
		// If the wall clock was set back, its later correction is not sleep.
		long back = (now - begun <= PRECISION) ? slept : 0;
		return limited.compared(now, before.ahead + back, before.gone, drift);
	}

	private State state() {
		return Objects.requireNonNull(this.state.get());
	}

	private long wall() {
		return TimeUnit.MILLISECONDS.toNanos(this.wallClock.millis());
	}

	/**
	 * Return a time of the wall clock, for display.
	 * @param ago how many nanoseconds before now
	 * @return the time
	 */
	public Instant wallTime(long ago) {
		return this.wallClock.instant().minusNanos(ago);
	}

	/**
	 * The state of the clock, which is replaced as a whole.
	 *
	 * @param ahead the difference between wall clock and ticker that is already accounted
	 * for
	 * @param compared when the clocks were compared last, on the ticker's scale
	 * @param gone the elapsed time that the ticker has missed
	 * @param drift the part of the wall clock's next gain that is considered drift
	 * @param usual the limit without an end
	 * @param tolerance the smallest of the limits that end
	 * @param until when those limits end
	 */
	private record State(long ahead, long compared, long gone, long drift, long usual, long tolerance, long until) {

		private State compared(long now, long ahead, long gone, long drift) {
			return new State(ahead, now, gone, drift, this.usual, this.tolerance, this.until);
		}

		private State limited(long usual, long tolerance, long until) {
			return new State(this.ahead, this.compared, this.gone, this.drift, usual, tolerance, until);
		}

		private State with(long limit, long until) {
			return limited(this.usual, Math.min(this.tolerance, limit), (until - this.until > 0) ? until : this.until);
		}

		/* The state without the limits that have ended. */
		private State at(long now) {
			return (this.until - now - this.gone > 0) ? this : limited(this.usual, this.usual, this.until);
		}

	}

}
