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

package io.github.watchdoglock.repeat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of releases that wait for their repetition. The newest release that was
 * never repeated is sent first, so that keys whose node stays unreachable do not delay
 * the releases of other keys.
 */
final class RepeatQueue {

	private static final int CAPACITY = 10_000;

	/** All releases, including those that were sent and have no answer yet. */
	private final TreeSet<Entry> waiting = new TreeSet<>();

	private final TreeSet<Entry> toSend = new TreeSet<>(Comparator.comparingLong(Entry::order));

	private long added;

	private long tried;

	boolean isEmpty() {
		return this.waiting.isEmpty();
	}

	/* The number of releases for which there is room. */
	int room() {
		return CAPACITY - this.waiting.size();
	}

	/* The number of releases that were not sent, or failed again. */
	int toSend() {
		return this.toSend.size();
	}

	int underWay() {
		return this.waiting.size() - toSend();
	}

	/* Return the release that was dropped because there was no room, or null. */
	@Nullable Undo add(Undo undo) {
		add(new Entry(undo, --this.added));
		return (this.waiting.size() > CAPACITY) ? removeFirst() : null;
	}

	private void add(Entry entry) {
		this.waiting.add(entry);
		this.toSend.add(entry);
	}

	/* Remove the releases whose leases end first, as long as the condition is met. */
	List<Undo> removeWhile(Predicate<Undo> condition) {
		List<Undo> removed = new ArrayList<>();
		while (!isEmpty() && condition.test(this.waiting.first().undo)) {
			removed.add(removeFirst());
		}
		return removed;
	}

	private Undo removeFirst() {
		Entry first = this.waiting.first();
		remove(first);
		return first.undo;
	}

	/*
	 * Return the release to send next, which stays in the queue until it is answered;
	 * null if all have been sent.
	 */
	@Nullable Entry next() {
		return this.toSend.pollFirst();
	}

	/* Return whether it was still waiting. */
	boolean remove(Entry entry) {
		this.toSend.remove(entry);
		return this.waiting.remove(entry);
	}

	/* Sending it has failed. */
	void retry(Entry entry) {
		if (this.waiting.remove(entry)) {
			add(new Entry(entry.undo, ++this.tried));
		}
	}

	/**
	 * A waiting release, ordered by the end of its lease.
	 *
	 * @param undo the release
	 * @param order the order of sending: negative for a release that was never repeated,
	 * so that the newest of these is first
	 */
	record Entry(Undo undo, long order) implements Comparable<Entry> {

		@Override
		public int compareTo(Entry other) {
			int end = Long.signum(this.undo.until() - other.undo.until());
			return (end != 0) ? end : Long.compare(this.order, other.order);
		}

	}

}
