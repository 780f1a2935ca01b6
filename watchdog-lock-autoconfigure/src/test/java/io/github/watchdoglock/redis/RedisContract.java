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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.redis.key.RedisKeys;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStoreContract;
import io.github.watchdoglock.store.WakeUps;

import org.springframework.data.redis.core.StringRedisTemplate;

import static org.awaitility.Awaitility.await;

/**
 * The contract of stores, with Redis.
 */
public abstract class RedisContract extends LeaseStoreContract {

	protected static final String PREFIX = RedisServer.settings().keyPrefix();

	protected abstract RedisLocks locks();

	protected abstract StringRedisTemplate redis();

	@Override
	protected final LeaseStore store() {
		return locks().store();
	}

	@Override
	protected final LeaseInspector inspector() {
		return locks().inspector();
	}

	@Override
	protected final WakeUps wakeUps() {
		return locks().wakeUps();
	}

	@Override
	protected final void pass(Duration time) {
		await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
	}

	@Override
	protected final void expireLease(LockKey key) {
		RedisRecord.expire(redis(), RedisKeys.of(PREFIX, key));
	}

	@Override
	protected final HintRecorder listen(AttemptId attempt) {
		HintRecorder hints = super.listen(attempt);
		// The very first command may be late.
		locks().connect();
		await().until(() -> isHeard(RedisWakeUps.channelPrefix(PREFIX) + attempt.instance()));
		return hints;
	}

	/* Whether a client is subscribed to a channel. */
	protected boolean isHeard(String channel) {
		return Long.valueOf(1).equals(redis().convertAndSend(channel, "nothing"));
	}

}
