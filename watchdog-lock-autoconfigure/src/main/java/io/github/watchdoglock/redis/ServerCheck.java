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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.github.watchdoglock.redis.connection.BackgroundLog;
import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.connection.StoreFailures;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A check of the server, which runs once, at first contact, and warns if locks would not
 * be safe on it or would not work. It is a script like all others, so it needs nothing
 * that locks do not need. Facts that the server does not report are not checked.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class ServerCheck {

	/* The versions before the oldest one on which the scripts were tested. */
	private static final Pattern BEFORE_6_2 = Pattern.compile("([0-5]|6\\.[01])(\\..*)?");

	private static final Log logger = LogFactory.getLog(ServerCheck.class);

	private final RedisLockSettings settings;

	private final CallTimeouts timeouts;

	private final ReplicationCheck replication;

	private final AtomicBoolean begun = new AtomicBoolean();

	/**
	 * Create a check.
	 * @param settings the settings of the store
	 * @param timeouts ends calls
	 * @param failsOver whether sentinels can make another server the primary
	 */
	ServerCheck(RedisLockSettings settings, CallTimeouts timeouts, boolean failsOver) {
		this.settings = settings;
		this.timeouts = timeouts;
		this.replication = new ReplicationCheck(failsOver);
	}

	/* Does not block. A warning about a server is not repeated. */
	void beginWithReplicas(Consumer<ScriptCall<?>> sender) {
		if (this.settings.warnOfUnsafeReplication()) {
			ask(sender, LockScript.REPLICATION, arguments(LockScript.REPLICATION), (answer, failure) -> {
				if (failure == null) {
					this.replication.report(answer);
				}
				else {
					logger.debug("Replicas were not looked at", StoreFailures.unwrap(failure));
				}
			});
		}
	}

	/* Does not block. If the check fails, the next contact begins it again. */
	void begin(Consumer<ScriptCall<?>> sender) {
		if (!this.begun.compareAndSet(false, true)) {
			return;
		}
		EncodedArguments arguments = arguments(LockScript.CHECK)
			.add(this.settings.wakeUps() ? RedisWakeUps.channelPrefix(this.settings.keyPrefix()) + "check" : "")
			.add(ConnectionBackOff.CONNECT_TIMEOUT.toMillis());
		ask(sender, LockScript.CHECK, arguments, (answer, failure) -> {
			if (failure == null) {
				report(answer);
				beginWithReplicas(sender);
			}
			else {
				failed(StoreFailures.unwrap(failure));
			}
		});
	}

	private EncodedArguments arguments(LockScript script) {
		return new EncodedArguments(script, List.of(key().getBytes(StandardCharsets.UTF_8)));
	}

	private void ask(Consumer<ScriptCall<?>> sender, LockScript script, EncodedArguments arguments,
			BiConsumer<List<String>, @Nullable Throwable> then) {
		ScriptCall<List<String>> call = new ScriptCall<>(script, arguments, Function.identity(), null);
		call.within(ConnectionBackOff.CONNECT_TIMEOUT, this.timeouts).whenComplete(then);
		sender.accept(call);
	}

	/* No lock's key has this ending. */
	String key() {
		return this.settings.keyPrefix() + ":{check}:check";
	}

	private void failed(Throwable failure) {
		logger.debug("The server was not checked", failure);
		String error = StoreFailures.serverError(failure);
		if (error == null || !StoreFailures.isForbidden(error)) {
			this.begun.set(false);
			return;
		}
		MissingPermissions missing = new MissingPermissions(this.settings.keyPrefix());
		missing.add("evalsha", error);
		missing.addAll();
		warn(missing);
	}

	/* Visible for a test that has no such server. */
	void report(List<String> answer) {
		checkVersion(answer.get(0));
		checkEviction(answer.get(1));
		MissingPermissions missing = new MissingPermissions(this.settings.keyPrefix());
		for (String refusal : answer.subList(2, answer.size())) {
			if (StoreFailures.isForbidden(refusal)) {
				missing.add(refusal.substring(0, refusal.indexOf(' ')), refusal);
			}
		}
		warn(missing);
	}

	private static void warn(MissingPermissions missing) {
		if (!missing.isEmpty()) {
			BackgroundLog.log(() -> logger.warn("In this Redis " + missing));
		}
	}

	private static void checkVersion(String version) {
		if (BEFORE_6_2.matcher(version).matches()) {
			BackgroundLog.log(() -> logger
				.warn("Redis " + version + " is older than 6.2, and locks may fail there: upgrade the server"));
		}
	}

	private static void checkEviction(String policy) {
		if (!policy.isEmpty() && !policy.equals("noeviction")) {
			BackgroundLog.log(() -> logger.warn("Redis evicts keys when its memory is full (maxmemory-policy " + policy
					+ "), and a lock that is evicted is lost: set noeviction, or give locks a Redis of their own"));
		}
	}

}
