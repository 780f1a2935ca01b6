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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.store.AttemptId;

/**
 * What the store knows of one key, as the record in Redis does. Not thread-safe: the
 * store has its lock while a command takes effect.
 */
final class InMemoryKey {

	final ReentrantLock lock = new ReentrantLock();

	/** The store does not contain it any more. */
	boolean removed;

	/** Who has it, or had it last; empty where nothing is known of it. */
	final List<InMemoryHolder> holders = new ArrayList<>(1);

	/** Who waits, in order of arrival. */
	final Map<AttemptId, InMemoryPlace> places = new LinkedHashMap<>();

	/** The greatest token that may have been given. */
	long last;

	/** Whether there is one holder, to whom all tokens since its first were given. */
	boolean alone;

	/** Whether others wait, or did since it was given. */
	boolean contended;

	/** How long it is remembered after the last end, in nanoseconds. */
	long retention;

	/* Forget what is over; answers whether nothing is known of it. */
	boolean forget(long now) {
		if (this.holders.stream().allMatch((holder) -> holder.left(now) + this.retention <= 0)) {
			this.holders.clear();
			this.places.clear();
		}
		return this.holders.isEmpty();
	}

	/* How many wait, as far as is known. */
	int waiting(long now) {
		return (int) this.places.values().stream().filter((place) -> !place.isDead(now)).count();
	}

	/*
	 * A key that is free: a clock that is set back by less than this gives it to nobody.
	 */
	long freeSince(long now) {
		return now - this.retention / 2;
	}

	/* Play that the lease or reservation is over. */
	void expire(long now) {
		this.holders.replaceAll((holder) -> holder.endingAt(freeSince(now)));
	}

}
