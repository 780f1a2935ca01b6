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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.redis.key.RedisKeys;
import io.github.watchdoglock.store.ProtocolRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The record of a lock in Redis, as read by a test.
 *
 * @param key its name
 * @param retention milliseconds
 * @param last the greatest token that may have been granted
 * @param places the number of places in the queue
 * @param left milliseconds of the lease, negative if it has expired
 */
public record RedisRecord(String key, long retention, long last, int places, long left) {

	/**
	 * Return the name of a lock in Redis, with the default prefix.
	 * @param key the lock
	 * @return its name
	 */
	public static String name(LockKey key) {
		return RedisKeys.of("watchdog-lock", key);
	}

	/**
	 * Read a record.
	 * @param redis where it is
	 * @param key its name
	 * @return the record, or null if there is none
	 */
	public static @Nullable RedisRecord read(StringRedisTemplate redis, String key) {
		String value = redis.opsForValue().get(key);
		return (value != null) ? of(key, value, Objects.requireNonNull(redis.getExpire(key, TimeUnit.MILLISECONDS)))
				: null;
	}

	/**
	 * Read records with one round trip. Reading a thousand of them one by one takes
	 * seconds if other processes use the processors. Not for clusters with Jedis, which
	 * has no pipelines there.
	 * @param redis where they are
	 * @param keys their names
	 * @return the existing records
	 */
	@SuppressWarnings("NullAway") // the callback of a pipeline has to return null
	static List<RedisRecord> readAll(StringRedisTemplate redis, Collection<String> keys) {
		Iterator<Object> answers = redis.executePipelined((RedisCallback<?>) (connection) -> {
			for (String key : keys) {
				byte[] name = key.getBytes(StandardCharsets.UTF_8);
				connection.stringCommands().get(name);
				connection.keyCommands().pTtl(name);
			}
			return null;
		}).iterator();
		List<RedisRecord> records = new ArrayList<>();
		for (String key : keys) {
			String value = (String) answers.next();
			long ttl = (Long) answers.next();
			if (value != null) {
				records.add(of(key, value, ttl));
			}
		}
		return records;
	}

	private static RedisRecord of(String key, String value, long ttl) {
		ProtocolRecord record = ProtocolRecord.ofValue(value, ttl, 0);
		if (record == null) {
			throw new AssertionError(key + " is no record: " + value);
		}
		return new RedisRecord(key, record.retention(), record.last(), record.places().size(),
				ttl - record.retention());
	}

	/**
	 * Let a lease, a reservation or a minimum hold expire.
	 * @param redis where it is
	 * @param key its name
	 */
	public static void expire(StringRedisTemplate redis, String key) {
		RedisRecord record = read(redis, key);
		if (record != null) {
			redis.expire(key, Duration.ofMillis(record.retention / 2));
		}
	}

	/**
	 * Return whether the key is neither held nor waited for, and its record expires.
	 * @return true if it is so
	 */
	public boolean isFree() {
		return this.left <= 0 && this.left > -this.retention && this.places == 0;
	}

}
