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
import java.util.List;
import java.util.Locale;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.engine.AcquireCommand;
import io.github.watchdoglock.engine.ReleaseCommand;
import io.github.watchdoglock.engine.RenewCommand;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Commands as KEYS and ARGV of their scripts; the comment that opens each script says
 * what they mean.
 */
final class ScriptArguments {

	/* A message of an old lease may still be under way for so many leases. */
	private static final int LEASES_RETAINED = 10;

	private final String prefix;

	private final RecentKeys recent;

	private final boolean messages;

	private final long retention;

	ScriptArguments(RedisLockSettings settings) {
		this.prefix = settings.keyPrefix();
		this.recent = new RecentKeys(this.prefix);
		this.messages = settings.wakeUps();
		this.retention = settings.fenceRetention().toMillis();
	}

	ScriptCall acquire(AcquireCommand command, boolean clustered) {
		RedisKeys keys = this.recent.of(command.key());
		return new ScriptCall(LockScript.ACQUIRE, texts(keys.lease(), keys.queue(), keys.fence()),
				texts(command.attempt(), millis(command.lease()), retention(command.lease()), millis(command.poll()),
						mode(clustered), command.holder()));
	}

	/* Commands that differ in nothing but key, owner and first token. */
	ScriptCall renew(List<RenewCommand> commands) {
		RenewCommand any = commands.get(0);
		List<byte[]> leases = new ArrayList<>(2 * commands.size());
		List<byte[]> fences = new ArrayList<>(commands.size());
		List<byte[]> arguments = new ArrayList<>(3 + commands.size());
		arguments
			.addAll(texts(millis(any.lease()), retention(any.lease()), any.fence().name().toLowerCase(Locale.ROOT)));
		for (RenewCommand command : commands) {
			// Where many are held none of them was used lately.
			RedisKeys names = RedisKeys.of(this.prefix, command.key());
			leases.add(text(names.lease()));
			if (any.fence() != RenewCommand.Fence.LEAVE) {
				fences.add(text(names.fence()));
			}
			arguments.add(text(command.attempt() + " " + command.firstToken() + " "));
		}
		leases.addAll(fences);
		return new ScriptCall(LockScript.RENEW, leases, arguments);
	}

	ScriptCall release(ReleaseCommand command, boolean clustered) {
		RedisKeys keys = this.recent.of(command.key());
		ReleaseCommand.Requeue requeue = command.requeue();
		List<byte[]> arguments = texts(command.attempt(), command.lastToken(), retention(command.keep()),
				mode(clustered));
		if (requeue != null || millis(command.keep()) > 0) {
			arguments.addAll(texts(millis(command.keep()), (requeue != null) ? requeue.attempt() : "",
					(requeue != null) ? millis(requeue.poll()) : 0));
		}
		return new ScriptCall(LockScript.RELEASE, texts(keys.lease(), keys.queue(), keys.fence()), arguments);
	}

	ScriptCall find(LockKey key) {
		RedisKeys keys = this.recent.of(key);
		return new ScriptCall(LockScript.FIND, texts(keys.lease(), keys.queue()), List.of());
	}

	ScriptCall force(LockKey key, boolean clustered) {
		RedisKeys keys = this.recent.of(key);
		return new ScriptCall(LockScript.FORCE, texts(keys.lease(), keys.queue()), texts(mode(clustered)));
	}

	/* In a cluster, all entries of a key are in the slot of its lease. */
	int slot(LockKey key) {
		return ClusterSlotHashUtil.calculateSlot(this.recent.of(key).lease());
	}

	private long retention(Duration span) {
		return Math.max(this.retention, LEASES_RETAINED * millis(span));
	}

	/* Redis counts in milliseconds; what is shorter lasts one. */
	private static long millis(Duration duration) {
		return (duration.isZero() || duration.isNegative()) ? 0 : Math.max(1, duration.toMillis());
	}

	/* Whether messages are sent, and what the number of those who hear them means. */
	private int mode(boolean clustered) {
		if (!this.messages) {
			return 0;
		}
		return clustered ? 2 : 1;
	}

	private static List<byte[]> texts(Object... values) {
		List<byte[]> texts = new ArrayList<>(values.length);
		for (Object value : values) {
			texts.add(text(value));
		}
		return texts;
	}

	private static byte[] text(Object value) {
		return value.toString().getBytes(StandardCharsets.UTF_8);
	}

}
