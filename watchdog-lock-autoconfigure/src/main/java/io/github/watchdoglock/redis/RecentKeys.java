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

package io.github.watchdoglock.redis;

import java.nio.charset.StandardCharsets;

import io.github.watchdoglock.LockKey;

/**
 * The names of what was used lately: a lock and its release need the same one.
 * Thread-safe without a lock, since an entry never changes and a lost one is made anew.
 */
final class RecentKeys {

	/* A power of two. */
	private static final int SIZE = 1_024;

	private final String prefix;

	private final Entry[] entries = new Entry[SIZE];

	RecentKeys(String prefix) {
		this.prefix = prefix;
	}

	byte[] of(LockKey key) {
		int hash = key.hashCode();
		int index = (hash ^ (hash >>> 16)) & (SIZE - 1);
		Entry entry = this.entries[index];
		if (entry == null || !entry.key.equals(key)) {
			entry = new Entry(key, RedisKeys.of(this.prefix, key).getBytes(StandardCharsets.UTF_8));
			this.entries[index] = entry;
		}
		return entry.name;
	}

	@SuppressWarnings("ArrayRecordComponent")
	private record Entry(LockKey key, byte[] name) {

	}

}
