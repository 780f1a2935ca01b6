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

import java.util.concurrent.TimeUnit;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A connection factory of our own and the resources that it runs on. Every method but
 * {@link #isClustered()}, {@link #inOrder} and {@link #closeSilent} may block.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceSource implements AutoCloseable {

	private static final long SHUTDOWN_MILLIS = 1_000;

	private final LettuceConnectionFactory factory;

	private final ClientResources resources;

	private final EventLoopGroupProvider eventLoops;

	private final LockChannels channels;

	LettuceSource(LettuceConnectionFactory factory, ClientResources resources, EventLoopGroupProvider eventLoops,
			LockChannels channels) {
		this.factory = factory;
		this.resources = resources;
		this.eventLoops = eventLoops;
		this.channels = channels;
		factory.afterPropertiesSet();
		factory.start();
	}

	/* Opens the connection where there is none yet. */
	RedisConnection connect() {
		RedisConnection connection = this.factory.getConnection();
		connection.getNativeConnection();
		return connection;
	}

	void disconnect(RedisConnection connection) {
		connection.close();
		this.factory.resetConnection();
	}

	/* A command that was sent then had no answer in time. */
	void closeSilent(long sentAt) {
		this.channels.close(sentAt);
	}

	/* Write behind all that was written before. */
	void inOrder(Runnable write) {
		this.channels.inOrder(write);
	}

	StatefulRedisPubSubConnection<byte[], byte[]> connectPubSub() {
		AbstractRedisClient client = this.factory.getRequiredNativeClient();
		return (client instanceof RedisClusterClient cluster) ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
				: ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
	}

	boolean isClustered() {
		return this.factory.isClusterAware();
	}

	@Override
	public void close() {
		this.factory.destroy();
		this.resources.shutdown(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
		this.eventLoops.shutdown(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
	}

}
