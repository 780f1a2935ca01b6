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

import java.net.SocketException;
import java.time.Duration;
import java.util.function.Consumer;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a connection of Lettuce is of no use any more: it was lost, its commands
 * are rejected, a replica answers, or nobody does. Who hears of it closes the connection:
 * Lettuce would connect it again without asking who answers there now. Thread-safe.
 */
final class LettuceLiveness implements RedisConnectionStateListener {

	private final LettuceClient client;

	private final Consumer<Throwable> broken;

	private volatile long lastAnswer = System.nanoTime();

	/**
	 * Create a watch.
	 * @param client the client of the connection
	 * @param broken hears why the connection is of no use, perhaps several times
	 */
	LettuceLiveness(LettuceClient client, Consumer<Throwable> broken) {
		this.client = client;
		this.broken = broken;
	}

	/* Hear of its loss; in a cluster Lettuce itself connects to each node again. */
	void watch(StatefulConnection<?, ?> connection) {
		connection.addListener(this);
		if (!connection.isOpen()) {
			this.broken.accept(lost());
		}
	}

	@Override
	public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
		this.broken.accept(lost());
	}

	private static SocketException lost() {
		return new SocketException("the connection was lost");
	}

	/* What came of a command. */
	void completed(@Nullable Throwable failure) {
		if (failure == null) {
			this.lastAnswer = System.nanoTime();
		}
		else if (failure instanceof RedisCommandExecutionException) {
			this.lastAnswer = System.nanoTime();
			refused(String.valueOf(failure.getMessage()));
		}
		else if (!this.client.isClustered() && StoreFailures.isRejection(failure)) {
			// It may be Lettuce that connects again, to where the primary was.
			this.broken.accept(failure);
		}
	}

	/* Who was made a replica would refuse everything for as long as it is one. */
	private void refused(String error) {
		if (!this.client.isClustered() && StoreFailures.isOfReplica(error)) {
			this.broken.accept(PrimaryCheck.NotPrimaryException.ofReplica(error));
		}
	}

	/*
	 * A command that was sent then had no answer in time. In a cluster the silence of one
	 * node says nothing about the connections to others, which go on.
	 */
	void unanswered(long sentAt, Duration timeout) {
		if (this.client.isClustered()) {
			this.client.closeSilent(sentAt);
		}
		else if (this.lastAnswer - sentAt < 0) {
			this.broken.accept(StoreFailures.noResponse(timeout));
		}
	}

	/*
	 * What came of a PING on a connection that only listens, which is as good as its last
	 * answer, be it that PING is refused. What Lettuce rejects is no sign: in a cluster
	 * it is connecting again already, and subscribes to all that was confirmed before.
	 */
	void pinged(@Nullable Throwable failure) {
		if (failure != null && StoreFailures.serverError(failure) == null && !StoreFailures.isRejection(failure)) {
			this.broken.accept(failure);
		}
	}

}
