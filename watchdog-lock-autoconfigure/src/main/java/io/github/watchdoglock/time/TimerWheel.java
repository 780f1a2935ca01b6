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
 * Entries by the tick in which they are due. Setting and cancelling one takes the same
 * short time however many there are. Not thread-safe.
 *
 * @param <E> the type of the entries
 */
public final class TimerWheel<E extends TimerWheel.Entry> {

	/**
	 * The time between two turns, in nanoseconds: how late an entry may be.
	 */
	public static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);

	/* Ten seconds a turn: the renewals of a default lease fit into one. */
	private static final int BUCKETS = 1_024;

	/* A bucket that was longer, as for a thousand locks made at once, gives that back. */
	private static final int KEPT = 256;

	private static final Entry[] EMPTY = {};

	/*
	 * A bucket is an array in no order: entries that point to each other are more work
	 * for the collector whenever one is set. An entry that is due in a later turn of the
	 * wheel stays in its bucket.
	 */
	private final Entry[][] buckets = new Entry[BUCKETS][];

	private final int[] sizes = new int[BUCKETS];

	private final long origin;

	private long lastTick;

	private int size;

	/**
	 * Create a wheel without entries.
	 * @param now the moment, by the clock of all later ones
	 */
	public TimerWheel(long now) {
		this.origin = now;
		Arrays.fill(this.buckets, EMPTY);
	}

	/**
	 * Set an entry, or move it.
	 * @param entry the entry
	 * @param due when it is drained, a tick later at most
	 */
	public void set(E entry, long due) {
		cancel(entry);
		long tick = Math.max(-Math.floorDiv(this.origin - due, TICK), this.lastTick + 1);
		int index = index(tick);
		int size = this.sizes[index];
		if (size == this.buckets[index].length) {
			this.buckets[index] = Arrays.copyOf(this.buckets[index], Math.max(4, size + size / 2));
		}
		this.buckets[index][size] = entry;
		this.sizes[index] = size + 1;
		Entry linked = entry;
		linked.tick = (int) tick;
		linked.place = size;
		this.size++;
	}

	/**
	 * Cancel an entry, if it is set.
	 * @param entry the entry
	 */
	public void cancel(E entry) {
		unlink(entry);
	}

	/* The last one of the bucket takes its place. */
	private void unlink(Entry entry) {
		if (entry.place == Entry.UNSET) {
			return;
		}
		int index = index(entry.tick);
		@Nullable Entry[] entries = this.buckets[index];
		int last = --this.sizes[index];
		Entry moved = Objects.requireNonNull(entries[last]);
		entries[entry.place] = moved;
		moved.place = entry.place;
		entries[last] = null;
		entry.place = Entry.UNSET;
		this.size--;
	}

	/**
	 * Move all entries that are due to a list.
	 * @param now the moment
	 * @param due gets them, in no order
	 */
	@SuppressWarnings("unchecked")
	public void drain(long now, List<? super E> due) {
		long tick = (now - this.origin) / TICK;
		for (long t = Math.max(this.lastTick + 1, tick - BUCKETS + 1); t <= tick; t++) {
			int index = index(t);
			Entry[] entries = this.buckets[index];
			for (int i = this.sizes[index] - 1; i >= 0; i--) {
				Entry entry = entries[i];
				if (entry.tick - (int) tick <= 0) {
					due.add((E) entry);
					unlink(entry);
				}
			}
			if (this.sizes[index] == 0 && entries.length > KEPT) {
				this.buckets[index] = EMPTY;
			}
		}
		this.lastTick = Math.max(this.lastTick, tick);
	}

	/**
	 * Return when to look next.
	 * @return the moment, {@link Long#MAX_VALUE} if no entry is set
	 */
	public long next() {
		if (this.size == 0) {
			return Long.MAX_VALUE;
		}
		long tick = this.lastTick + 1;
		while (this.sizes[index(tick)] == 0) {
			tick++;
		}
		return this.origin + tick * TICK;
	}

	/**
	 * Return how many entries are set.
	 * @return the number
	 */
	public int size() {
		return this.size;
	}

	private static int index(long tick) {
		return (int) (tick & (BUCKETS - 1));
	}

	/**
	 * An entry of a wheel, which alone uses the fields.
	 */
	public abstract static class Entry {

		/*
		 * Extended by what is due, rather than pointing to it: a held lock would be
		 * heavier by an object.
		 */
		static final int UNSET = -1;

		/* The last bits of its number, which tell ticks of 248 days apart. */
		int tick;

		/** Its index in its bucket. */
		int place = UNSET;

	}

}
