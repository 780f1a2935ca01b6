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
 * The state of one key, with the same data as the record in Redis. Not thread-safe: the
 * store holds its lock while a command takes effect.
 */
final class InMemoryKey {

	final ReentrantLock lock = new ReentrantLock();

	/** Whether it was removed from the store. */
	boolean removed;

	/**
	 * The attempts that have the key, or the last one that had it; empty if nothing is
	 * known of the key.
	 */
	final List<InMemoryHolder> holders = new ArrayList<>(1);

	/** The waiting attempts, in order of arrival. */
	final Map<AttemptId, InMemoryPlace> places = new LinkedHashMap<>();

	/** The greatest token that may have been granted. */
	long last;

	/**
	 * Whether there is only one holder, and all tokens since its first were granted to
	 * it.
	 */
	boolean alone;

	/** Whether other attempts wait, or have waited since the key was granted. */
	boolean contended;

	/** How long the key is remembered after its last lease has ended, in nanoseconds. */
	long retention;

	/*
	 * Forget ended state after its retention. Return whether nothing is known of the key
	 * any more.
	 */
	boolean removeExpired(long now) {
		if (this.holders.stream().allMatch((holder) -> holder.left(now) + this.retention <= 0)) {
			this.holders.clear();
			this.places.clear();
		}
		return this.holders.isEmpty();
	}

	/* Return the number of places that are not dead. */
	int waiting(long now) {
		return (int) this.places.values().stream().filter((place) -> !place.isDead(now)).count();
	}

	/*
	 * Return the end of a released lease. It is half a retention in the past, so that a
	 * clock that is set back by less than this does not restore the lease.
	 */
	long freeSince(long now) {
		return now - this.retention / 2;
	}

}
