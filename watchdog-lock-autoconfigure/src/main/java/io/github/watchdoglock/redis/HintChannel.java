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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.WakeUps.Hints;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Names of channels, and what their messages mean:
 * {@code granted|forced|in-use <attempt> <key>} and
 * {@code contended <attempt> <asker> <key>}.
 */
final class HintChannel {

	private static final Log logger = LogFactory.getLog(HintChannel.class);

	private HintChannel() {
	}

	static String prefix(String keyPrefix) {
		return keyPrefix + ":instance:";
	}

	static String keyPrefix(String channel) {
		return channel.substring(0, channel.lastIndexOf(":instance:"));
	}

	static String inUse(LockKey key, AttemptId attempt) {
		return "in-use " + attempt + " " + RedisKeys.encode(key);
	}

	/* A message that is not ours, or of a version to come, is no reason to fail. */
	static void deliver(String message, Hints hints) {
		// The last one is the key, which may have spaces.
		String[] words = message.split(" ", message.startsWith("contended ") ? 4 : 3);
		try {
			AttemptId attempt = AttemptId.parse(words[1]);
			LockKey key = RedisKeys.decode(words[words.length - 1]);
			switch (words[0]) {
				case "granted" -> hints.granted(key, attempt);
				case "contended" -> hints.contended(key, attempt, AttemptId.parse(words[2]));
				case "in-use" -> hints.inUse(key, attempt);
				case "forced" -> hints.forced(key, attempt);
				default -> logger.debug("Unknown message '" + words[0] + "'");
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Message was not delivered", ex);
		}
	}

}
