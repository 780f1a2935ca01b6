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

package io.github.watchdoglock.samples.flashsale.watch;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/**
 * A component that freezes Redis with CLIENT PAUSE. Redis then answers no client, so no
 * lock can be acquired or renewed, while its clock continues and leases expire. The pause
 * ends by itself, even if the instance that began it is gone.
 */
@Component
class RedisFreezer {

	static final String REDIS_OF_OTHERS = "No instance of the sample has started this Redis:"
			+ " other applications may use it";

	private final StringRedisTemplate redis;

	private final Instances instances;

	private final Events events;

	RedisFreezer(StringRedisTemplate redis, Instances instances, Events events) {
		this.redis = redis;
		this.instances = instances;
		this.events = events;
	}

	void freeze(Duration time) {
		if (this.instances.list().stream().noneMatch(Instance::startedRedis)) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, REDIS_OF_OTHERS);
		}
		byte[] millis = Long.toString(time.toMillis()).getBytes(StandardCharsets.US_ASCII);
		this.redis.execute((RedisCallback<Object>) (connection) -> connection.execute("CLIENT",
				"PAUSE".getBytes(StandardCharsets.US_ASCII), millis));
		this.events.add(Event.Kind.FROZEN, "", "Froze Redis for " + time.toSeconds() + " s");
	}

}
