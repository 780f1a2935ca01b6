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

package io.github.watchdoglock.memory;

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.store.AttemptId;

/**
 * The attempts that wait for one key, in order of arrival. Not thread-safe. Times are
 * nanoseconds of the store's ticker.
 */
final class InMemoryQueue {

	/* A place that was not seen for so many of its polls is dead. */
	private static final int DEAD = 3;

	/* The same where nobody hears the channel of its instance. */
	private static final int DEAD_UNHEARD = 2;

	final List<Place> places = new ArrayList<>(2);

	/* Take the last place, or refresh the one there is. */
	void enter(AttemptId attempt, long poll, long now) {
		Place place = new Place(attempt, now, poll);
		int index = indexOf(attempt);
		if (index < 0) {
			this.places.add(place);
		}
		else {
			this.places.set(index, place);
		}
	}

	boolean contains(AttemptId attempt) {
		return indexOf(attempt) >= 0;
	}

	boolean leave(AttemptId attempt) {
		return this.places.removeIf((place) -> place.attempt().equals(attempt));
	}

	void dropDead(long now) {
		this.places.removeIf((place) -> place.isDead(now));
	}

	int alive(long now) {
		return (int) this.places.stream().filter((place) -> !place.isDead(now)).count();
	}

	int size() {
		return this.places.size();
	}

	void clear() {
		this.places.clear();
	}

	private int indexOf(AttemptId attempt) {
		for (int i = 0; i < this.places.size(); i++) {
			if (this.places.get(i).attempt().equals(attempt)) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * One that waits.
	 *
	 * @param attempt who
	 * @param seen when it asked last
	 * @param poll the interval in which it asks
	 */
	record Place(AttemptId attempt, long seen, long poll) {

		boolean isDead(long now) {
			return now - this.seen >= DEAD * this.poll;
		}

		/* Whether it is dead where nobody hears it. */
		boolean isUnheard(long now) {
			return now - this.seen >= DEAD_UNHEARD * this.poll;
		}

		/* How long the key waits for it: a lost message costs a poll and not a turn. */
		long claim() {
			return this.poll + this.poll / 2;
		}

	}

}
