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
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * What a test does to a server, and asks of it, besides locks.
 */
public final class RedisAdmin {

	private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha=calls=(\\d+)");

	private final RedisConnectionFactory factory;

	private final StringRedisTemplate template;

	/**
	 * Look at a server.
	 * @param factory connects to it
	 */
	public RedisAdmin(RedisConnectionFactory factory) {
		this.factory = factory;
		this.template = new StringRedisTemplate(factory);
	}

	/**
	 * Send any command.
	 * @param name its name
	 * @param arguments its arguments
	 * @return its answer
	 */
	public @Nullable Object command(String name, String... arguments) {
		byte[][] bytes = new byte[arguments.length][];
		for (int i = 0; i < arguments.length; i++) {
			bytes[i] = arguments[i].getBytes(StandardCharsets.UTF_8);
		}
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.execute(name, bytes);
		}
	}

	/**
	 * Send any command that answers a text.
	 * @param name its name
	 * @param arguments its arguments
	 * @return its answer
	 */
	public String text(String name, String... arguments) {
		return new String((byte[]) Objects.requireNonNull(command(name, arguments)), StandardCharsets.UTF_8);
	}

	/**
	 * How many scripts the server has run by their digests.
	 * @return the count since it was started
	 */
	public long scripts() {
		Matcher calls = CALLS.matcher(info("commandstats"));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	/**
	 * What the server says of itself.
	 * @param section about what
	 * @return a line for each fact
	 */
	public String info(String section) {
		try (RedisConnection connection = this.factory.getConnection()) {
			StringBuilder lines = new StringBuilder();
			Properties facts = connection.serverCommands().info(section);
			if (facts != null) {
				facts.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
			}
			return lines.toString();
		}
	}

	/**
	 * All keys.
	 * @return their names
	 */
	public Set<String> keys() {
		Set<String> keys = this.template.keys("*");
		return (keys != null) ? keys : Set.of();
	}

	/**
	 * Whether nobody has any lock, nor waits for one.
	 * @return false while somebody does
	 */
	public boolean isAllFree() {
		return taken().isEmpty();
	}

	/**
	 * The locks that somebody has, or waits for.
	 * @return their records
	 */
	public List<RedisRecord> taken() {
		return RedisRecord.readAll(this.template, keys()).stream().filter((record) -> !record.isFree()).toList();
	}

	/**
	 * Whether somebody has a lock, or it is reserved for somebody.
	 * @param lock its name
	 * @return true if it is so
	 */
	public boolean isTaken(String lock) {
		RedisRecord record = RedisRecord.read(this.template, "watchdog-lock:{" + lock + "}");
		return record != null && record.left() > 0;
	}

	/**
	 * How many are in the queue of a lock.
	 * @param lock its name
	 * @return the number
	 */
	public int places(String lock) {
		RedisRecord record = RedisRecord.read(this.template, "watchdog-lock:{" + lock + "}");
		return (record != null) ? record.places() : 0;
	}

	/**
	 * How long a key lasts.
	 * @param key its name
	 * @return seconds, negative for a key without a TTL
	 */
	public long ttl(String key) {
		Long ttl = this.template.getExpire(key);
		return (ttl != null) ? ttl : -1;
	}

}
