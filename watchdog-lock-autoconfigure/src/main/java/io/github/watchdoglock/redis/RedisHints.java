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
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.WakeUps;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Hints that come by Redis' messages, and those that an instance gives itself.
 *
 * @param wakeUps brings them
 * @param executor sends them
 * @param keyPrefix what the names of channels start with
 */
record RedisHints(RedisWakeUps wakeUps, ScriptExecutor executor, String keyPrefix) implements WakeUps {

	private static final Log logger = LogFactory.getLog(RedisHints.class);

	@Override
	public void subscribe(String instance, Hints hints) {
		this.wakeUps.subscribe(instance, hints);
	}

	@Override
	public void unsubscribe(String instance) {
		this.wakeUps.unsubscribe(instance);
	}

	@Override
	public void inUse(LockKey key, AttemptId attempt) {
		String channel = HintChannel.prefix(this.keyPrefix) + attempt.instance();
		try {
			this.executor.publish(channel.getBytes(StandardCharsets.UTF_8),
					HintChannel.inUse(key, attempt).getBytes(StandardCharsets.UTF_8));
		}
		catch (RuntimeException ex) {
			// Closed, or too busy: who is not told waits for a moment.
			logger.debug("A message was not sent", ex);
		}
	}

}
