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

import io.github.watchdoglock.LockKey;

/**
 * The name of a lock's one key in Redis: {@code <prefix>:{<k>}}, where k is the encoded
 * name, or encoded name and id with a colon between. The braces make k decide about the
 * hash slot, whatever the prefix is.
 */
final class RedisKeys {

	private RedisKeys() {
	}

	static String of(String prefix, LockKey key) {
		return prefix + ":{" + encode(key) + "}";
	}

	/* Colons of name and id are encoded, so the first one divides them. */
	static String encode(LockKey key) {
		String name = PercentCode.encode(key.name());
		return (key.id() != null) ? name + ":" + PercentCode.encode(key.id()) : name;
	}

	static LockKey decode(String name) {
		int colon = name.indexOf(':');
		return (colon < 0) ? LockKey.of(PercentCode.decode(name)) : LockKey
			.of(PercentCode.decode(name.substring(0, colon)), PercentCode.decode(name.substring(colon + 1)));
	}

}
