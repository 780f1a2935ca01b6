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
import java.util.Objects;

import io.github.watchdoglock.LockKey;

/**
 * The names of locks' keys in Redis. Each lock has one key, {@code <prefix>:{<k>}}, and k
 * is the encoded name, or the encoded name and id, separated by a colon. For a role, k is
 * {@code %role:} and its encoded name; no lock's k begins with this. Because of the
 * braces, k alone determines the hash slot, whatever the prefix is. Thread-safe.
 */
public final class RedisKeys {

	/*
	 * Not the beginning of an encoded string: two digits would follow the percent sign.
	 */
	static final String ROLE = "%role:";

	private final String prefix;

	/* A lock and its release need the same name. */
	private final RecentBytes<LockKey> recent = new RecentBytes<>(this::of);

	RedisKeys(String prefix) {
		this.prefix = prefix;
	}

	byte[] recent(LockKey key) {
		return this.recent.of(key);
	}

	/* For keys that were probably not used recently. */
	byte[] of(LockKey key) {
		return of(this.prefix, key).getBytes(StandardCharsets.UTF_8);
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

	/* Colons in the name and in the id are encoded, so the first colon separates them. */
	static String encode(LockKey key) {
		if (key.isRole()) {
			return ROLE + PercentCode.encode(Objects.requireNonNull(key.id()));
		}
		String name = PercentCode.encode(key.name());
		return (key.id() != null) ? name + ":" + PercentCode.encode(key.id()) : name;
	}

	static LockKey decode(String name) {
		if (name.startsWith(ROLE)) {
			return LockKey.ofRole(PercentCode.decode(name.substring(ROLE.length())));
		}
		int colon = name.indexOf(':');
		return (colon < 0) ? LockKey.of(PercentCode.decode(name)) : LockKey
			.of(PercentCode.decode(name.substring(0, colon)), PercentCode.decode(name.substring(colon + 1)));
	}

}
