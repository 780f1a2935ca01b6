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

import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AttemptId;

/**
 * Faults that may happen to a store in memory as to a Redis.
 */
public final class StoreFaults {

	private StoreFaults() {
	}

	/**
	 * Let the lease or reservation of a key expire.
	 * @param store the store
	 * @param key the key
	 */
	public static void expireLease(InMemoryLeaseStore store, LockKey key) {
		InMemoryKey state = store.at(key);
		state.lock.lock();
		try {
			long end = state.freeSince(store.ticker.read());
			state.holders.replaceAll((holder) -> holder.in(holder.state(), end));
		}
		finally {
			state.lock.unlock();
		}
	}

	/**
	 * Lose the record of a key.
	 * @param store the store
	 * @param key the key
	 */
	public static void forget(InMemoryLeaseStore store, LockKey key) {
		store.keys.remove(key);
	}

	/**
	 * Visit the queue of a key, in order.
	 * @param store the store
	 * @param key the key
	 * @param visitor receives the attempt of each place
	 */
	public static void places(InMemoryLeaseStore store, LockKey key, Consumer<AttemptId> visitor) {
		store.at(key).places.keySet().forEach(visitor);
	}

	/**
	 * Return whether an instance waits for a key, as far as the store knows.
	 * @param store the store
	 * @param key the key
	 * @param now by its ticker
	 * @return whether a place is alive
	 */
	public static boolean isAwaited(InMemoryLeaseStore store, LockKey key, long now) {
		return store.at(key).waiting(now) > 0;
	}

	/**
	 * Return the greatest token that is set aside for a key.
	 * @param store the store
	 * @param key the key
	 * @return the token; zero if there is no record
	 */
	public static long lastToken(InMemoryLeaseStore store, LockKey key) {
		return store.at(key).last;
	}

}
