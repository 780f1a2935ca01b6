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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One connection that listens. Does not block, except for {@link #close()}.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceSubscription {

	private static final Log logger = LogFactory.getLog(LettuceSubscription.class);

	private final StatefulRedisPubSubConnection<byte[], byte[]> connection;

	private final AtomicBoolean refused = new AtomicBoolean();

	LettuceSubscription(StatefulRedisPubSubConnection<byte[], byte[]> connection,
			RedisPubSubListener<byte[], byte[]> listener) {
		this.connection = connection;
		connection.addListener(listener);
	}

	void subscribe(String channel) {
		this.connection.async().subscribe(channel.getBytes(StandardCharsets.UTF_8)).whenComplete((nothing, failure) -> {
			Throwable cause = (failure != null) ? StoreFailures.unwrap(failure) : null;
			if (cause instanceof RedisCommandExecutionException && this.refused.compareAndSet(false, true)) {
				logger.warn("Redis refuses the subscription to '" + channel
						+ "', so waiting instances poll and hand-offs take up to a poll interval: "
						+ StoreFailures.describe(cause));
			}
		});
	}

	void unsubscribe(String channel) {
		this.connection.async().unsubscribe(channel.getBytes(StandardCharsets.UTF_8));
	}

	CompletableFuture<String> ping() {
		return this.connection.async().ping().toCompletableFuture();
	}

	void close() {
		this.connection.close();
	}

}
