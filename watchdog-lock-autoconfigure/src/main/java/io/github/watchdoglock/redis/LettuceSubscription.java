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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One connection that listens. Does not block, except for {@link #close()}.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceSubscription {

	/* As long as a connection may take. */
	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final Log logger = LogFactory.getLog(LettuceSubscription.class);

	private final StatefulRedisPubSubConnection<byte[], byte[]> connection;

	private final AtomicBoolean refused = new AtomicBoolean();

	LettuceSubscription(StatefulRedisPubSubConnection<byte[], byte[]> connection,
			RedisPubSubListener<byte[], byte[]> listener) {
		this.connection = connection;
		connection.addListener(listener);
	}

	/*
	 * Complete when Redis has answered, be it that the user may not, which is for good;
	 * failed where it has not, or can't at the moment.
	 */
	CompletableFuture<@Nullable Void> subscribe(String channel) {
		return this.connection.async()
			.subscribe(channel.getBytes(StandardCharsets.UTF_8))
			.<@Nullable Void>handle((nothing, failure) -> {
				Throwable cause = (failure != null) ? StoreFailures.unwrap(failure) : null;
				String error = (cause != null) ? StoreFailures.serverError(cause) : null;
				if (error != null && StoreFailures.isForbidden(error)) {
					warn(channel, error);
				}
				else if (cause != null) {
					throw new CompletionException(cause);
				}
				return null;
			})
			.toCompletableFuture()
			.orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void warn(String channel, String refusal) {
		if (this.refused.compareAndSet(false, true)) {
			MissingPermissions missing = new MissingPermissions(HintChannel.keyPrefix(channel));
			missing.add("subscribe", refusal);
			logger.warn("Redis refuses the subscription to '" + channel + "': " + missing + " (" + refusal + ")");
		}
	}

	void unsubscribe(String channel) {
		this.connection.async().unsubscribe(channel.getBytes(StandardCharsets.UTF_8));
	}

	CompletableFuture<String> ping() {
		return this.connection.async()
			.ping()
			.toCompletableFuture()
			.orTimeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	void close() {
		this.connection.close();
	}

}
