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
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.redis.key.RedisKeys;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.TokenBlock;
import io.github.watchdoglock.text.PrintableText;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Commands as keys and arguments of their scripts. The comment at the beginning of each
 * script says what they mean.
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

	private static final String NONE = "-";

	private final String keyPrefix;

	/* A lock and its release need the same name. */
	private final RecentBytes<LockKey> names = new RecentBytes<>(this::name);

	private final RecentBytes<String> labels = new RecentBytes<>(
			(holder) -> label(holder).getBytes(StandardCharsets.UTF_8));

	/* Whether messages are sent, and what the number of their receivers means. */
	private final int mode;

	private final long retention;

	/**
	 * Create arguments.
	 * @param settings the settings of the store
	 * @param countsListeners whether PUBLISH counts all subscribers, and not only those
	 * of one node; false if Lettuce finds the primaries itself, which it does for
	 * commands, but not for messages
	 */
	ScriptArguments(RedisLockSettings settings, boolean countsListeners) {
		this.keyPrefix = settings.keyPrefix();
		this.mode = !settings.wakeUps() ? 0 : countsListeners ? 1 : 2;
		this.retention = settings.recordRetention().toMillis();
	}

	EncodedArguments acquire(AcquireCommand command) {
		long lease = millis(command.lease());
		long retention = retention(lease);
		Kind kind = command.attempt().kind();
		return of(LockScript.ACQUIRE, command.key()).add(command.attempt())
			.add(lease + retention)
			.addDigits(retention, 13)
			.add(Math.min(command.tokens(), TokenBlock.most(kind)))
			.add(millis(command.poll()))
			.addWord(command.ifIdle() ? "idle" : "always")
			.addWord((command.lingering() && !kind.isShared()) ? "l" : "o")
			.add(this.mode)
			.add(this.labels.of(command.holder()));
	}

	/* All commands differ only in key, owner and first token. */
	EncodedArguments renew(List<RenewCommand> commands) {
		RenewCommand any = commands.get(0);
		// If many keys are held, none of them was used recently.
		List<byte[]> keys = commands.stream().map((command) -> name(command.key())).toList();
		EncodedArguments arguments = new EncodedArguments(LockScript.RENEW, keys).add(millis(any.lease()))
			.add(any.nextBlock() ? TokenBlock.SIZE : 0);
		commands.forEach((command) -> arguments.add(command.firstToken(), 16, command.attempt()));
		return arguments;
	}

	EncodedArguments release(ReleaseCommand command) {
		ReleaseCommand.Requeue requeue = command.requeue();
		EncodedArguments arguments = of(LockScript.RELEASE, command.key()).add(command.attempt());
		if (command.lastToken() != ReleaseCommand.UNKNOWN) {
			arguments.addDigits(command.lastToken(), 16);
		}
		else {
			arguments.addWord(NONE);
		}
		arguments.add(this.mode).addWord((command.grant() != null) ? NONE : "f");
		if (requeue != null || millis(command.keep()) > 0) {
			arguments.add(millis(command.keep()));
			if (requeue != null) {
				arguments.add(requeue.attempt()).add(millis(requeue.poll()));
			}
			else {
				arguments.addWord("").add(0);
			}
		}
		return arguments;
	}

	/*
	 * Return the command that may release a lease in place of the script; null if only
	 * the script can.
	 */
	ScriptCall.@Nullable SetIfEqual setIfEqual(ReleaseCommand command) {
		ReleaseCommand.Grant grant = command.grant();
		if (grant == null || command.requeue() != null || !command.keep().isZero() || command.lastToken() <= 0) {
			return null;
		}
		long retention = retention(millis(grant.lease()));
		String last = digits(command.lastToken(), 16);
		String record = RECORD_HEAD + digits(retention, 13) + " " + last + " " + last + " " + command.attempt() + " "
				+ label(grant.holder());
		return new ScriptCall.SetIfEqual(this.names.of(command.key()), record.getBytes(StandardCharsets.UTF_8),
				retention / 2);
	}

	/*
	 * For a script that notifies the holders, or only the one whose hold has the token.
	 */
	EncodedArguments withToken(LockScript script, LockKey key, long token) {
		EncodedArguments arguments = of(script, key).add(this.mode);
		return (token != LeaseInspector.ALL) ? arguments.addDigits(token, 16) : arguments;
	}

	EncodedArguments of(LockScript script, LockKey key) {
		return new EncodedArguments(script, List.of(this.names.of(key)));
	}

	private byte[] name(LockKey key) {
		return RedisKeys.of(this.keyPrefix, key).getBytes(StandardCharsets.UTF_8);
	}

	int slot(LockKey key) {
		return ClusterSlotHashUtil.calculateSlot(this.names.of(key));
	}

	private long retention(long lease) {
		return Math.max(this.retention, LEASES_RETAINED * lease);
	}

	/*
	 * At most 64 characters, including the dots that mark a truncated label; no line
	 * feed.
	 */
	private static String label(String holder) {
		return PrintableText.of(holder, MAX_LABEL);
	}

	/* String.format allocates 2 KB. */
	private static String digits(long number, int length) {
		String digits = Long.toString(number);
		return "0".repeat(Math.max(0, length - digits.length())) + digits;
	}

	/* Redis counts in milliseconds; a shorter duration becomes one millisecond. */
	private static long millis(Duration duration) {
		return (duration.isZero() || duration.isNegative()) ? 0 : Math.max(1, duration.toMillis());
	}

}
