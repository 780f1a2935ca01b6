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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * One connection that listens.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class SubscriptionConnection implements AutoCloseable {

	/* As long as a connection may take. */
	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final Log logger = LogFactory.getLog(SubscriptionConnection.class);

	private final LettuceClient client;

	private final StatefulRedisPubSubConnection<byte[], byte[]> connection;

	private final @Nullable RedisNode address;

	private final Consumer<Throwable> broken;

	private final ScheduledExecutorService thread;

	private final AtomicBoolean refused = new AtomicBoolean();

	/**
	 * Open the connection. Blocks.
	 * @param client opens it
	 * @param messages receives channels and messages, on the I/O thread
	 * @param broken receives the reason when the connection is of no use any more
	 * @param thread where time-outs are noticed
	 */
	SubscriptionConnection(LettuceClient client, BiConsumer<byte[], byte[]> messages,
			BiConsumer<SubscriptionConnection, Throwable> broken, ScheduledExecutorService thread)
			throws ExecutionException, InterruptedException {
		this.client = client;
		PrimaryRoute.Led<StatefulRedisPubSubConnection<byte[], byte[]>> led = client.connectPubSub();
		this.connection = led.connection();
		this.address = led.address();
		this.broken = (reason) -> broken.accept(this, reason);
		this.thread = thread;
		this.connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(byte[] channel, byte[] message) {
				messages.accept(channel, message);
			}

		});
	}

	/* Null where no sentinel has named it. */
	@Nullable RedisNode address() {
		return this.address;
	}

	/* Hear of its loss, and look where it leads. Blocks. */
	void begin() throws ExecutionException, InterruptedException, TimeoutException {
		if (!this.client.isClustered()) {
			LettuceClient.whenLost(this.connection, this.broken);
		}
		if (!this.client.findsPrimaries()) {
			PrimaryCheck.ensureNoReplica(this.connection.async());
		}
	}

	/*
	 * Complete when Redis has answered, be it that the user may not, which is for good;
	 * failed where it has not, or can't at the moment.
	 */
	CompletableFuture<@Nullable Void> subscribe(String channel) {
		return inTime(send(channel));
	}

	/* The same, waiting for it: where time is over is not told to a thread that waits. */
	void subscribeNow(String channel) throws ExecutionException, InterruptedException, TimeoutException {
		send(channel).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	private CompletableFuture<@Nullable Void> send(String channel) {
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
			.toCompletableFuture();
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
	 * A connection that only listens is as good as its last answer, even if that rejects
	 * PING. What Lettuce rejects is no sign: in a cluster it is connecting again, and
	 * then subscribes to all that was confirmed before.
	 */
	void ping() {
		inTime(this.connection.async().ping().toCompletableFuture()).whenComplete((pong, failure) -> {
			Throwable cause = (failure != null) ? StoreFailures.unwrap(failure) : null;
			if (cause != null && StoreFailures.serverError(cause) == null && !StoreFailures.isRejection(cause)) {
				this.broken.accept(cause);
			}
		});
	}

	/* On a thread of ours: the JDK's own for that outlives the application. */
	private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
		Future<?> timeOut = this.thread.schedule(() -> answer.completeExceptionally(StoreFailures.noResponse(TIMEOUT)),
				TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		answer.whenComplete((value, failure) -> timeOut.cancel(false));
		return answer;
	}

	@Override
	public void close() {
		this.connection.close();
	}

}
