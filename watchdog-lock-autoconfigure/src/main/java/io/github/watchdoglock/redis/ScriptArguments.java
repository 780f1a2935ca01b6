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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.text.PrintableText;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Commands as KEYS and ARGV of their scripts. The comment at the beginning of each script
 * says what they mean.
 */
final class ScriptArguments {

	/* A late command of an attempt that has ended must still find its record. */
	private static final int LEASES_RETAINED = 2;

	private static final int MAX_LABEL = 61;

	/*
	 * Version, state and waiting instances in the record of a lease that no instance
	 * waits for.
	 */
	private static final String RECORD_HEAD = "2 o- ";

	private final RedisKeys keys;

	/* Whether messages are sent, and what the number of their receivers means. */
	private final int mode;

	private final long retention;

	ScriptArguments(RedisLockSettings settings, boolean countsListeners) {
		this.keys = new RedisKeys(settings.keyPrefix());
		this.mode = !settings.wakeUps() ? 0 : countsListeners ? 1 : 2;
		this.retention = settings.recordRetention().toMillis();
	}

	ScriptCall acquire(AcquireCommand command) {
		long lease = millis(command.lease());
		long retention = retention(lease);
		Kind kind = command.attempt().kind();
		return call(LockScript.ACQUIRE, command.key(),
				texts(command.attempt(), lease + retention, digits(retention, 13),
						Math.min(command.tokens(), TokenBlock.most(kind)), millis(command.poll()),
						command.ifIdle() ? "idle" : "always", (command.lingering() && !kind.isShared()) ? "l" : "o",
						this.mode, label(command.holder())));
	}

	/* All commands differ only in key, owner and first token. */
	ScriptCall renew(List<RenewCommand> commands) {
		RenewCommand any = commands.get(0);
		List<byte[]> keys = new ArrayList<>(commands.size());
		List<byte[]> arguments = new ArrayList<>(2 + commands.size());
		arguments.addAll(texts(millis(any.lease()), any.nextBlock() ? TokenBlock.SIZE : 0));
		for (RenewCommand command : commands) {
			// If many keys are held, none of them was used recently.
			keys.add(this.keys.of(command.key()));
			arguments.add(text(digits(command.firstToken(), 16) + " " + command.attempt() + " "));
		}
		return new ScriptCall(LockScript.RENEW, keys, arguments);
	}

	ScriptCall release(ReleaseCommand command) {
		ReleaseCommand.Requeue requeue = command.requeue();
		String last = (command.lastToken() != ReleaseCommand.UNKNOWN) ? digits(command.lastToken(), 16) : "-";
		ReleaseCommand.Grant grant = command.grant();
		List<byte[]> arguments = texts(command.attempt(), last, this.mode, (grant != null) ? "-" : "f");
		if (requeue != null || millis(command.keep()) > 0) {
			arguments.addAll(texts(millis(command.keep()), (requeue != null) ? requeue.attempt() : "",
					(requeue != null) ? millis(requeue.poll()) : 0));
		}
		ScriptCall call = call(LockScript.RELEASE, command.key(), arguments);
		if (grant != null && requeue == null && command.keep().isZero() && command.lastToken() > 0) {
			long retention = retention(millis(grant.lease()));
			String record = RECORD_HEAD + digits(retention, 13) + " " + last + " " + last + " " + command.attempt()
					+ " " + label(grant.holder());
			call.tryFirst(new ScriptCall.SetIfEqual(text(record), retention / 2));
		}
		return call;
	}

	ScriptCall find(LockKey key) {
		return call(LockScript.FIND, key, List.of());
	}

	ScriptCall request(LockKey key, long token) {
		return withToken(LockScript.FIND, key, token);
	}

	ScriptCall force(LockKey key, long token) {
		return withToken(LockScript.FORCE, key, token);
	}

	private ScriptCall withToken(LockScript script, LockKey key, long token) {
		List<byte[]> arguments = texts(this.mode);
		if (token != LeaseInspector.ALL) {
			arguments.add(text(digits(token, 16)));
		}
		return call(script, key, arguments);
	}

	private ScriptCall call(LockScript script, LockKey key, List<byte[]> arguments) {
		return new ScriptCall(script, List.of(this.keys.recent(key)), arguments);
	}

	int slot(LockKey key) {
		return ClusterSlotHashUtil.calculateSlot(this.keys.recent(key));
	}

	private long retention(long lease) {
		return Math.max(this.retention, LEASES_RETAINED * lease);
	}

	/* The scripts find the fields of the record by their positions. */
	private static String digits(long number, int count) {
		String digits = Long.toString(number);
		return "0".repeat(Math.max(0, count - digits.length())) + digits;
	}

	/*
	 * At most 64 characters, including the dots that mark a truncated label; no line
	 * feed.
	 */
	private static String label(String holder) {
		return PrintableText.of(holder, MAX_LABEL);
	}

	/* Redis counts in milliseconds; a shorter duration becomes one millisecond. */
	private static long millis(Duration duration) {
		return (duration.isZero() || duration.isNegative()) ? 0 : Math.max(1, duration.toMillis());
	}

	static List<byte[]> texts(Object... values) {
		List<byte[]> texts = new ArrayList<>(values.length);
		for (Object value : values) {
			texts.add(value.toString().getBytes(StandardCharsets.UTF_8));
		}
		return texts;
	}

	private static byte[] text(String value) {
		return value.getBytes(StandardCharsets.UTF_8);
	}

}
