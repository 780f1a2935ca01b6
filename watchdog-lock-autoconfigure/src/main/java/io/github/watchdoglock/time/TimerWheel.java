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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A timer wheel: entries by the tick in which they are due. Setting or canceling an entry
 * takes the same short time regardless of their number. Not thread-safe.
 *
 * @param <E> the type of the entries
 */
public final class TimerWheel<E extends TimerWheel.Entry> {

	/** The time between two ticks, in nanoseconds: the maximum delay of an entry. */
	public static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

	/*
	 * One turn of the wheel is ten seconds, so the renewals of a default lease fit into
	 * it.
	 */
	private static final int BUCKETS = 1_024;

	/*
	 * A bucket is an unordered array: entries that refer to each other would be more work
	 * for the garbage collector whenever an entry is set. An entry that is due in a later
	 * turn of the wheel stays in its bucket.
	 */
	private final List<ArrayList<Entry>> buckets = new ArrayList<>();

	private final long origin;

	private long lastTick;

	private int size;

	/**
	 * Create a wheel without entries.
	 * @param now the current time, on the clock that is used for all later calls
	 */
	public TimerWheel(long now) {
		this.origin = now;
		for (int i = 0; i < BUCKETS; i++) {
			this.buckets.add(new ArrayList<>(0));
		}
	}

	/**
	 * Set an entry, or move it.
	 * @param entry the entry
	 * @param due when it is drained, at most one tick later
	 */
	public void set(E entry, long due) {
		cancel(entry);
		long tick = Math.max(-Math.floorDiv(this.origin - due, TICK), this.lastTick + 1);
		List<Entry> bucket = bucket(tick);
		Entry linked = entry;
		// Before any other change, because it may fail if memory is exhausted.
		bucket.add(linked);
		linked.tick = (int) tick;
		linked.place = bucket.size() - 1;
		this.size++;
	}

	/**
	 * Cancel an entry, if it is set.
	 * @param entry the entry
	 */
	public void cancel(Entry entry) {
		if (entry.place == Entry.UNSET) {
			return;
		}
		List<Entry> bucket = bucket(entry.tick);
		Entry last = bucket.remove(bucket.size() - 1);
		if (last != entry) {
			bucket.set(entry.place, last);
			last.place = entry.place;
		}
		entry.place = Entry.UNSET;
		this.size--;
	}

	/**
	 * Move all entries that are due to a list.
	 * @param now the current time
	 * @param due the list that receives them, in no particular order
	 */
	@SuppressWarnings("unchecked")
	public void drain(long now, List<? super E> due) {
		long tick = (now - this.origin) / TICK;
		for (long t = Math.max(this.lastTick + 1, tick - BUCKETS + 1); t <= tick; t++) {
			ArrayList<Entry> bucket = bucket(t);
			for (int i = bucket.size() - 1; i >= 0; i--) {
				Entry entry = bucket.get(i);
				if (entry.tick - (int) tick <= 0) {
					due.add((E) entry);
					cancel(entry);
				}
			}
			if (bucket.isEmpty()) {
				// The array may be long, for example after a thousand locks were acquired
				// at once.
				bucket.trimToSize();
			}
		}
		this.lastTick = Math.max(this.lastTick, tick);
	}

	/**
	 * Return when to drain next.
	 * @return the time, {@link Long#MAX_VALUE} if no entry is set
	 */
	public long next() {
		if (this.size == 0) {
			return Long.MAX_VALUE;
		}
		long tick = this.lastTick + 1;
		while (bucket(tick).isEmpty()) {
			tick++;
		}
		return this.origin + tick * TICK;
	}

	// Not declared as List, because a List cannot be trimmed.
	@SuppressWarnings("NonApiType")
	private ArrayList<Entry> bucket(long tick) {
		return this.buckets.get((int) (tick & (BUCKETS - 1)));
	}

	/**
	 * An entry of a wheel. Only the wheel uses its fields.
	 */
	public abstract static class Entry {

		/*
		 * Objects that can be due extend this class and are not referred to by it:
		 * otherwise each held lock would need one more object.
		 */
		static final int UNSET = -1;

		/* The low bits of the tick's number, which distinguish ticks within 248 days. */
		int tick;

		/** Its index in its bucket. */
		int place = UNSET;

	}

}
