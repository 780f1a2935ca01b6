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

package io.github.watchdoglock.redis.key;

import java.util.Objects;

import io.github.watchdoglock.LockKey;

/**
 * The names of locks' keys in Redis. Each lock has one key, {@code <prefix>:{<k>}}, and k
 * is the encoded name, or the encoded name and id, separated by a colon. For a role, k is
 * {@code %role:} and its encoded name; no lock's k begins with this. Because of the
 * braces, k alone determines the hash slot, whatever the prefix is.
 */
public final class RedisKeys {

	/**
	 * The beginning of the encoded name of each role. No encoded string begins with it:
	 * two digits would follow the percent sign.
	 */
	public static final String ROLE = "%role:";

	private RedisKeys() {
	}

	/**
	 * Return the whole name of a lock's key.
	 * @param prefix the prefix of all names
	 * @param key the lock
	 * @return the name, which no other lock has
	 */
	public static String of(String prefix, LockKey key) {
		return prefix + ":{" + encode(key) + "}";
	}

	/**
	 * Encode a lock. Colons in the name and in the id are encoded, so the first colon
	 * separates them.
	 * @param key the lock
	 * @return the part of its key's name that is in braces
	 */
	public static String encode(LockKey key) {
		if (key.isRole()) {
			return ROLE + PercentCode.encode(Objects.requireNonNull(key.id()));
		}
		String name = PercentCode.encode(key.name());
		return (key.id() != null) ? name + ":" + PercentCode.encode(key.id()) : name;
	}

	/**
	 * Decode a lock.
	 * @param name the part of its key's name that is in braces
	 * @return the lock
	 * @throws IllegalArgumentException if it is no lock's
	 */
	public static LockKey decode(String name) {
		if (name.startsWith(ROLE)) {
			return LockKey.ofRole(PercentCode.decode(name.substring(ROLE.length())));
		}
		int colon = name.indexOf(':');
		return (colon < 0) ? LockKey.of(PercentCode.decode(name)) : LockKey
			.of(PercentCode.decode(name.substring(0, colon)), PercentCode.decode(name.substring(colon + 1)));
	}

}
