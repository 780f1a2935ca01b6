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
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.watchdoglock.redis.connection.BackgroundLog;
import io.github.watchdoglock.redis.connection.ReconnectingConnection;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * A connection that only listens.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class SubscriptionConnection implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(SubscriptionConnection.class);

	private final LettuceClient client;

	private final StatefulRedisPubSubConnection<byte[], byte[]> connection;

	private final @Nullable RedisNode address;

	private final Consumer<Throwable> broken;

	private final AtomicBoolean refused = new AtomicBoolean();

	/**
	 * Open the connection. Blocks.
	 * @param client opens it
	 * @param listener receives messages, and each channel whose subscription Redis has
	 * confirmed, also after Lettuce has reconnected; runs on the I/O thread
	 * @param broken receives the reason when the connection cannot be used any more
	 */
	SubscriptionConnection(LettuceClient client, RedisPubSubListener<byte[], byte[]> listener,
			BiConsumer<SubscriptionConnection, Throwable> broken) throws ExecutionException, InterruptedException {
		this.client = client;
		LettuceClient.PubSubConnection opened = client.connectPubSub();
		this.connection = opened.connection();
		this.address = opened.address();
		this.broken = (reason) -> broken.accept(this, reason);
		this.connection.addListener(listener);
	}

	/* Null if no sentinel has named the address. */
	@Nullable RedisNode address() {
		return this.address;
	}

	/*
	 * Register for the loss of the connection, and check the role of its server. Blocks.
	 */
	void begin() throws ExecutionException, InterruptedException, TimeoutException {
		if (!this.client.derivation().isClustered()) {
			ReconnectingConnection.whenLost(this.connection, this.broken);
		}
		if (!this.client.derivation().findsPrimaries()) {
			PrimaryCheck.ensureNoReplica(this.connection.async());
		}
	}

	/*
	 * Return a future that completes when Redis has answered, even if it has answered
	 * that the user may not subscribe, which is logged as a warning once. It fails if
	 * there is no answer, or another error.
	 */
	CompletableFuture<@Nullable Void> subscribe(String channel) {
		return this.connection.async()
			.subscribe(channel.getBytes(StandardCharsets.UTF_8))
			.toCompletableFuture()
			.exceptionally((failure) -> {
				String error = StoreFailures.serverError(failure);
				if (error == null || !StoreFailures.isForbidden(error)) {
					throw new CompletionException(StoreFailures.unwrap(failure));
				}
				warn(channel, error);
				return null;
			});
	}

	private void warn(String channel, String refusal) {
		if (this.refused.compareAndSet(false, true)) {
			MissingPermissions missing = new MissingPermissions(RedisWakeUps.keyPrefix(channel));
			missing.add("subscribe", refusal);
			BackgroundLog.log(() -> logger
				.warn("Redis refuses the subscription to '" + channel + "': " + missing + " (" + refusal + ")"));
		}
	}

	void unsubscribe(String channel) {
		this.connection.async().unsubscribe(channel.getBytes(StandardCharsets.UTF_8));
	}

	/*
	 * Each answer shows that the connection works, even an error about PING. A rejection
	 * by Lettuce shows nothing: in a cluster, Lettuce is reconnecting, and then
	 * subscribes to all channels that were confirmed before.
	 */
	void ping() {
		this.connection.async().ping().whenComplete((pong, failure) -> {
			if (failure != null && StoreFailures.serverError(failure) == null && !StoreFailures.isRejection(failure)) {
				this.broken.accept(StoreFailures.unwrap(failure));
			}
		});
	}

	@Override
	public void close() {
		this.connection.close();
	}

}
