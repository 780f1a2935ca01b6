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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.redis.key.RedisKeys;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The hints that are sent as messages of Redis, with one channel for each instance:
 * {@code granted|forced|in-use|asked <attempt> <key>} and
 * {@code contended <attempt> <asker> <key>}. The scripts send most of them.
 */
final class RedisWakeUps implements WakeUps {

	private static final Log logger = LogFactory.getLog(RedisWakeUps.class);

	private final LettuceSubscriptions subscriptions;

	private final LettuceScripts scripts;

	private final String keyPrefix;

	/**
	 * Create the wake-ups.
	 * @param subscriptions deliver hints
	 * @param scripts sends hints
	 * @param keyPrefix the prefix of the names of channels
	 */
	RedisWakeUps(LettuceSubscriptions subscriptions, LettuceScripts scripts, String keyPrefix) {
		this.subscriptions = subscriptions;
		this.scripts = scripts;
		this.keyPrefix = keyPrefix;
	}

	static String channelPrefix(String keyPrefix) {
		return keyPrefix + ":instance:";
	}

	static String keyPrefix(String channel) {
		return channel.substring(0, channel.lastIndexOf(":instance:"));
	}

	@Override
	public void subscribe(String instance, Hints hints) {
		this.subscriptions.subscribe(instance, hints);
	}

	@Override
	public void unsubscribe(String instance) {
		this.subscriptions.unsubscribe(instance);
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		String channel = channelPrefix(this.keyPrefix) + attempt.instance();
		try {
			this.scripts.publish(channel.getBytes(StandardCharsets.UTF_8),
					("in-use " + attempt + " " + RedisKeys.encode(key)).getBytes(StandardCharsets.UTF_8));
		}
		catch (RuntimeException ex) {
			// Closed, or too busy: an attempt that is not notified waits for a moment.
			logger.debug("A message was not sent", ex);
		}
	}

	/* A message from another program, or of a later version, is no reason to fail. */
	static void deliver(String message, Hints hints) {
		// The last word is the key, which may have spaces.
		String[] words = message.split(" ", message.matches("(contended|force) .*") ? 4 : 3);
		try {
			AttemptId attempt = AttemptId.parse(words[1]);
			LockKey key = RedisKeys.decode(words[words.length - 1]);
			switch (words[0]) {
				case "granted" -> hints.granted(key, attempt);
				case "contended" -> hints.contended(key, attempt, AttemptId.parse(words[2]));
				case "in-use" -> hints.inUse(key, attempt);
				case "forced" -> hints.forced(key, attempt);
				case "force" -> hints.forceRequested(key, attempt, Long.parseLong(words[2]));
				case "asked" -> hints.resignRequested(key, attempt);
				default -> logger.debug("Unknown message '" + words[0] + "'");
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Message was not delivered", ex);
		}
	}

}
