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
import java.util.concurrent.locks.ReentrantLock;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A client of our own, made when the first connection is opened: that costs an
 * application that starts what it needs for itself. Every method but
 * {@link #isClustered()}, {@link #findsPrimaries()}, {@link #inOrder} and
 * {@link #closeSilent} may block.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceClient implements AutoCloseable {

	private static final long SHUTDOWN_MILLIS = 1_000;

	private final LettuceDerivation derivation;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable Started started;

	/* Guarded by lock. */
	private boolean closed;

	private LettuceClient(LettuceDerivation derivation) {
		this.derivation = derivation;
	}

	/* Null where the factory's configuration can't be read. */
	static @Nullable LettuceClient of(RedisConnectionFactory application, RedisLockSettings settings) {
		LettuceDerivation derivation = LettuceDerivation.of(application, settings.clientName());
		return (derivation != null) ? new LettuceClient(derivation) : null;
	}

	private Started started() {
		Started started = this.started;
		return (started != null) ? started : start();
	}

	private Started start() {
		this.lock.lock();
		try {
			Started started = this.started;
			if (this.closed) {
				throw new IllegalStateException("closed");
			}
			if (started == null) {
				started = this.derivation.start();
				this.started = started;
			}
			return started;
		}
		finally {
			this.lock.unlock();
		}
	}

	/* Opens the connection where there is none yet. */
	RedisConnection connect() {
		RedisConnection connection = started().factory().getConnection();
		connection.getNativeConnection();
		return connection;
	}

	void disconnect(RedisConnection connection) {
		connection.close();
		started().factory().resetConnection();
	}

	/* A command that was sent then had no answer in time. */
	void closeSilent(long sentAt) {
		Started started = this.started;
		if (started != null) {
			started.channels().close(sentAt);
		}
	}

	/* Write behind all that was written before. */
	void inOrder(Runnable write) {
		Started started = this.started;
		if (started != null) {
			started.channels().inOrder(write);
		}
		else {
			write.run();
		}
	}

	StatefulRedisPubSubConnection<byte[], byte[]> connectPubSub() {
		AbstractRedisClient client = started().factory().getRequiredNativeClient();
		return (client instanceof RedisClusterClient cluster) ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
				: ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE);
	}

	boolean isClustered() {
		return this.derivation.isClustered();
	}

	boolean findsPrimaries() {
		return this.derivation.findsPrimaries();
	}

	@Override
	public void close() {
		Started started;
		this.lock.lock();
		try {
			this.closed = true;
			started = this.started;
		}
		finally {
			this.lock.unlock();
		}
		if (started != null) {
			started.factory().destroy();
			started.resources().shutdown(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
			started.eventLoops().shutdown(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
		}
	}

	/**
	 * A connection factory and what it runs on.
	 *
	 * @param factory the factory, started
	 * @param resources what it runs on
	 * @param eventLoops which the resources don't end themselves
	 * @param channels the channels of all of its connections
	 */
	record Started(LettuceConnectionFactory factory, ClientResources resources, EventLoopGroupProvider eventLoops,
			LockChannels channels) {

	}

}
