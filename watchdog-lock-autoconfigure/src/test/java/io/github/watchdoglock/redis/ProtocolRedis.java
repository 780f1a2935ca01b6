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

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ProtocolRecord;
import io.github.watchdoglock.store.ProtocolSide;
import io.github.watchdoglock.store.ProtocolText;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.awaitility.Awaitility.await;

/**
 * The store in Redis, with its scripts.
 */
public final class ProtocolRedis implements ProtocolSide {

	private static final String CHANNEL = "watchdog-lock:instance:";

	private final RedisLocks locks;

	private final StringRedisTemplate redis;

	private final HintRecorder hints;

	public ProtocolRedis(RedisServerExtension server, List<String> instances, HintRecorder hints) {
		this.locks = server.locks();
		this.redis = server.template();
		this.hints = hints;
		instances.forEach((instance) -> this.locks.wakeUps().subscribe(instance, hints));
		instances.forEach(server.admin()::awaitListener);
	}

	@Override
	public void put(LockKey key, String text) {
		if (text.equals(ABSENT)) {
			return;
		}
		if (text.startsWith("raw ")) {
			String[] parts = text.split(" ", 3);
			set(key, parts[2], ProtocolText.millis(parts[1]));
			return;
		}
		ProtocolRecord record = ProtocolRecord.parse(text);
		set(key, record.value(micros() / 1_000),
				(record.rest() == null) ? null : (Long) (record.rest() + record.retention()));
	}

	private void set(LockKey key, String value, @Nullable Long ttl) {
		if (ttl == null) {
			this.redis.opsForValue().set(RedisRecord.name(key), value);
		}
		else {
			this.redis.opsForValue().set(RedisRecord.name(key), value, Duration.ofMillis(ttl));
		}
	}

	@Override
	public String record(LockKey key, ProtocolText words) {
		String value = this.redis.opsForValue().get(RedisRecord.name(key));
		if (value == null) {
			return ABSENT;
		}
		long ttl = Objects.requireNonNull(this.redis.getExpire(RedisRecord.name(key), TimeUnit.MILLISECONDS));
		ProtocolRecord record = ProtocolRecord.ofValue(value, ttl, micros() / 1_000);
		return (record != null) ? record.text(words) : "raw " + ProtocolText.text(Duration.ofMillis(ttl)) + " " + value;
	}

	/* Messages that were published earlier have arrived when this one has. */
	@Override
	public List<String> told(LockKey key) {
		String end = "granted a.zz";
		String name = RedisRecord.name(key);
		this.redis.convertAndSend(CHANNEL + "a", end + " " + name.substring(name.indexOf('{') + 1, name.length() - 1));
		await().pollInterval(Duration.ofMillis(1)).until(() -> this.hints.about(key).contains(end));
		return this.hints.about(key).stream().filter((hint) -> !hint.equals(end)).toList();
	}

	@Override
	public long micros() {
		return Objects.requireNonNull(this.redis
			.execute((RedisConnection connection) -> connection.serverCommands().time(TimeUnit.MICROSECONDS), true));
	}

	@Override
	public LeaseStore store() {
		return this.locks.store();
	}

	@Override
	public LeaseInspector inspector() {
		return this.locks.inspector();
	}

}
