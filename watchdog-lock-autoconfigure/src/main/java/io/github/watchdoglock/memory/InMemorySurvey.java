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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseSurvey;
import org.jspecify.annotations.Nullable;

/**
 * A survey of the keys in the order of their hashes, so that a cursor discloses nothing
 * about keys.
 *
 * @param store the store that has the keys
 * @param roles whether it searches the keys of roles, or those of locks
 */
record InMemorySurvey(InMemoryLeaseStore store, boolean roles) implements LeaseSurvey {

	/* The number of keys that one step looks at in Redis. */
	private static final int MAX_KEYS = 10_000;

	@Override
	public Answer look(@Nullable String cursor, int limit) {
		if (cursor != null && !cursor.matches("[0-9]{1,10}")) {
			return new Answer.UnknownCursor("'cursor' is not from an earlier answer");
		}
		long from = (cursor != null) ? Long.parseLong(cursor) : 0;
		List<LockKey> keys = this.store.keys.keySet()
			.stream()
			.filter((key) -> key.isRole() == this.roles && position(key) >= from)
			.sorted(Comparator.comparing(InMemorySurvey::position))
			.toList();
		List<LockState> held = new ArrayList<>();
		int count = 0;
		for (int i = 0; i < keys.size(); i++) {
			LockKey key = keys.get(i);
			boolean full = i >= MAX_KEYS || (limit > 0 && held.size() >= limit);
			if (full && position(key) != position(keys.get(i - 1))) {
				return new Answer.Held(held, count, List.of(), Long.toString(position(key)));
			}
			List<LockState> states = this.store.find(key, Duration.ZERO).toCompletableFuture().join();
			if (!states.isEmpty()) {
				count++;
				if (held.size() < limit) {
					HolderState.first(states).ifPresent(held::add);
				}
			}
		}
		return new Answer.Held(held, count, List.of(), null);
	}

	private static long position(LockKey key) {
		return Integer.toUnsignedLong(key.hashCode());
	}

}
