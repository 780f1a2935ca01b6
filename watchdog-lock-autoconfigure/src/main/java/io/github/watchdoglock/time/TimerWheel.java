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

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Alarms by the tick in which they are due. Setting and cancelling one takes the same
 * short time however many there are. Thread-safe.
 */
public final class TimerWheel {

	/**
	 * The time between two turns, in nanoseconds: how late an alarm may ring.
	 */
	public static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

	/* Ten seconds a turn: the renewals of a default lease fit into one. */
	private static final int BUCKETS = 1_024;

	/* A bucket that was longer, as for a thousand locks made at once, gives that back. */
	private static final int KEPT = 256;

	private static final Alarm[] EMPTY = {};

	/*
	 * A bucket is an array in no order: alarms that point to each other are more work for
	 * the collector whenever one is set. An alarm that is due in a later turn of the
	 * wheel stays in its bucket. Everything is guarded by the lock.
	 */
	private final SpinLock lock = SpinLock.innermost();

	private final Alarm[][] buckets = new Alarm[BUCKETS][];

	private final int[] sizes = new int[BUCKETS];

	private final long origin;

	private long lastTick;

	private long wakeTick = Long.MAX_VALUE;

	private int size;

	/**
	 * Create a wheel without alarms.
	 * @param now the moment, by the clock of all later ones
	 */
	public TimerWheel(long now) {
		this.origin = now;
		Arrays.fill(this.buckets, EMPTY);
	}

	/**
	 * Set an alarm, or put it off.
	 * @param alarm the alarm
	 * @param due when it rings, a tick later at most
	 * @return whether it is due before the sleeper would look
	 * @throws OutOfMemoryError if there is no room for it; it is then set as before
	 */
	public boolean set(Alarm alarm, long due) {
		this.lock.lock();
		try {
			long tick = Math.max(ceilTick(due), this.lastTick + 1);
			reserve(index(tick));
			unlink(alarm);
			link(alarm, tick);
			return tick < this.wakeTick;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Cancel an alarm, if it is set.
	 * @param alarm the alarm
	 */
	public void cancel(Alarm alarm) {
		this.lock.lock();
		try {
			unlink(alarm);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Move all alarms that are due to a list, one after the other: whatever is thrown on
	 * the way, each of them is here or there.
	 * @param now the moment
	 * @param due gets them, in no order
	 * @throws OutOfMemoryError if there is no room for more; the others are still set
	 */
	public void drain(long now, List<Alarm> due) {
		this.lock.lock();
		try {
			long tick = (now - this.origin) / TICK;
			for (long t = Math.max(this.lastTick + 1, tick - BUCKETS + 1); t <= tick; t++) {
				drain(index(t), tick, due);
				shrink(index(t));
			}
			this.lastTick = Math.max(this.lastTick, tick);
			this.wakeTick = Long.MAX_VALUE;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void drain(int index, long tick, List<Alarm> due) {
		Alarm[] alarms = this.buckets[index];
		for (int i = this.sizes[index] - 1; i >= 0; i--) {
			Alarm alarm = alarms[i];
			if (alarm.tick <= tick) {
				due.add(alarm);
				unlink(alarm);
			}
		}
	}

	private void shrink(int index) {
		if (this.sizes[index] == 0 && this.buckets[index].length > KEPT) {
			this.buckets[index] = EMPTY;
		}
	}

	/**
	 * How long there is nothing to do. From now on {@link #set} tells when that changes.
	 * @param now the moment
	 * @return nanoseconds, {@link Long#MAX_VALUE} where no alarm is set
	 */
	public long sleep(long now) {
		this.lock.lock();
		try {
			if (this.size == 0) {
				return Long.MAX_VALUE;
			}
			long tick = this.lastTick + 1;
			while (this.sizes[index(tick)] == 0) {
				tick++;
			}
			this.wakeTick = tick;
			return this.origin + tick * TICK - now;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * How many alarms are set.
	 * @return the number
	 */
	public int size() {
		this.lock.lock();
		try {
			return this.size;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long ceilTick(long due) {
		return -Math.floorDiv(this.origin - due, TICK);
	}

	private static int index(long tick) {
		return (int) (tick & (BUCKETS - 1));
	}

	/* Nothing has changed where there is no memory left to grow. */
	private void reserve(int index) {
		int size = this.sizes[index];
		if (size == this.buckets[index].length) {
			this.buckets[index] = Arrays.copyOf(this.buckets[index], Math.max(4, size + size / 2));
		}
	}

	/* There is room. */
	private void link(Alarm alarm, long tick) {
		int index = index(tick);
		int size = this.sizes[index];
		this.buckets[index][size] = alarm;
		this.sizes[index] = size + 1;
		alarm.tick = tick;
		alarm.place = size;
		this.size++;
	}

	/* The last one of the bucket takes its place. */
	private void unlink(Alarm alarm) {
		if (alarm.tick == Alarm.UNSET) {
			return;
		}
		int index = index(alarm.tick);
		@Nullable Alarm[] alarms = this.buckets[index];
		int last = this.sizes[index] - 1;
		Alarm moved = Objects.requireNonNull(alarms[last]);
		// From here on nothing is called that could fail.
		this.sizes[index] = last;
		alarms[alarm.place] = moved;
		moved.place = alarm.place;
		alarms[last] = null;
		alarm.tick = Alarm.UNSET;
		this.size--;
	}

	/**
	 * What the watchdog looks at when its time has come: an entry of the wheel, which
	 * alone touches the fields. It may ring though it was cancelled or put off a moment
	 * ago: the state decides what is to be done.
	 */
	public abstract static class Alarm {

		/*
		 * Extended by what is looked at, rather than pointing to it: a held lock would be
		 * heavier by an object.
		 */
		static final long UNSET = Long.MIN_VALUE;

		long tick = UNSET;

		/** Its index in its bucket. */
		int place;

		/**
		 * First pass of a turn: what is over is declared over before anything is sent.
		 * @param now the moment of the turn, by the clock
		 */
		public void expire(long now) {
		}

		/**
		 * Second pass: what is to be done is done, or is sent with the others of the
		 * turn.
		 * @param now the moment of the turn, by the clock
		 */
		public abstract void proceed(long now);

	}

}
