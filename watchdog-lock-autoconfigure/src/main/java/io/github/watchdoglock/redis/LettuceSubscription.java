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

	private final ScheduledExecutorService thread;

	private final AtomicBoolean refused = new AtomicBoolean();

	LettuceSubscription(StatefulRedisPubSubConnection<byte[], byte[]> connection,
			RedisPubSubListener<byte[], byte[]> listener, ScheduledExecutorService thread) {
		this.connection = connection;
		this.thread = thread;
		connection.addListener(listener);
	}

	/* Who hears that this is broken closes it. */
	void whenBroken(BiConsumer<LettuceSubscription, Throwable> broken) {
		LettuceBreaks.tell(this.connection, (reason) -> broken.accept(this, reason));
	}

	/* Blocks. */
	void ensureNoReplica() throws ExecutionException, InterruptedException, TimeoutException {
		PrimaryCheck.ensureNoReplica(this.connection.async());
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
			MissingPermissions missing = new MissingPermissions(HintChannel.keyPrefix(channel));
			missing.add("subscribe", refusal);
			logger.warn("Redis refuses the subscription to '" + channel + "': " + missing + " (" + refusal + ")");
		}
	}

	void unsubscribe(String channel) {
		this.connection.async().unsubscribe(channel.getBytes(StandardCharsets.UTF_8));
	}

	CompletableFuture<String> ping() {
		return inTime(this.connection.async().ping().toCompletableFuture());
	}

	/* On a thread of ours: the JDK's own for that outlives the application. */
	private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer) {
		Future<?> timeOut = this.thread.schedule(() -> answer.completeExceptionally(new TimeoutException()),
				TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		answer.whenComplete((value, failure) -> timeOut.cancel(false));
		return answer;
	}

	void close() {
		this.connection.close();
	}

}
