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

import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.sentinel.PrimaryRoute;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.resolver.DefaultAddressResolverGroup;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.Assert;

/**
 * A Lettuce client for locks only. It is created when the first connection is opened, so
 * that it does not slow down an application that is starting what it needs for itself.
 * Every method except {@link #address()} and {@link #derivation()} may block.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceClient implements AutoCloseable {

	private final LettuceDerivation derivation;

	private final String address;

	private final ReentrantLock lock = new ReentrantLock();

	private volatile @Nullable Started started;

	private volatile Runnable moved = () -> {
	};

	private volatile @Nullable RedisConnectionStateListener nodes;

	/* Guarded by lock. */
	private boolean closed;

	LettuceClient(RedisConnectionFactory application, String name) {
		this.derivation = LettuceDerivation.of(application, name);
		this.address = RedisAddress.describe(application);
	}

	private Started started() {
		this.lock.lock();
		try {
			Started started = this.started;
			if (this.closed) {
				throw new IllegalStateException("closed");
			}
			if (started == null) {
				started = this.derivation.start(() -> this.moved.run());
				if (this.derivation.isClustered() && this.nodes != null) {
					started.factory().getRequiredNativeClient().addListener(this.nodes);
				}
				this.started = started;
			}
			return started;
		}
		finally {
			this.lock.unlock();
		}
	}

	/*
	 * Run the callback each time that the sentinels name another primary, and at other
	 * times too. It must not block.
	 */
	void whenMoved(Runnable moved) {
		this.moved = moved;
	}

	/*
	 * In a cluster, Lettuce reconnects to nodes by itself. Run a callback when a
	 * connection is lost, and one when it is opened again. They must not block.
	 */
	void whenNodeReconnects(Runnable lost, Runnable opened) {
		Set<RedisChannelHandler<?, ?>> missing = ConcurrentHashMap.newKeySet();
		this.nodes = new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
				// Those with which Lettuce reads the topology are closed, not reopened.
				missing.removeIf(RedisChannelHandler::isClosed);
				if (!handler.isClosed()) {
					missing.add(handler);
					lost.run();
				}
			}

			@Override
			public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
				// After a failover, the connection to another node replaces the missing
				// one.
				if (!missing.isEmpty()) {
					missing.remove(handler);
					opened.run();
				}
			}

		};
	}

	/*
	 * Whether a connection to this address leads to the current primary, as far as is
	 * known.
	 */
	boolean leadsToPrimary(@Nullable RedisNode address) {
		Started started = this.started;
		PrimaryRoute route = (started != null) ? started.route() : null;
		return route == null || route.leadsTo(address);
	}

	@SuppressWarnings("unchecked")
	CommandConnection connect() throws ExecutionException, InterruptedException {
		Started started = started();
		LockChannels channels = started.channels();
		PrimaryRoute route = started.route();
		if (route != null) {
			return route.connect((client, uri) -> client.connectAsync(ByteArrayCodec.INSTANCE, uri),
					(opened, address) -> new CommandConnection(opened.async(), channels, address, opened::closeAsync));
		}
		RedisConnection connection = started.factory().getConnection();
		// Opens the connection if there is none yet.
		Object commands = connection.getNativeConnection();
		return new CommandConnection((RedisClusterAsyncCommands<byte[], byte[]>) commands, channels, null, () -> {
			connection.close();
			started.factory().resetConnection();
		});
	}

	PubSubConnection connectPubSub() throws ExecutionException, InterruptedException {
		Started started = started();
		PrimaryRoute route = started.route();
		if (route != null) {
			return route.connect((client, uri) -> client.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri),
					PubSubConnection::new);
		}
		AbstractRedisClient client = started.factory().getRequiredNativeClient();
		return new PubSubConnection(
				(client instanceof RedisClusterClient cluster) ? cluster.connectPubSub(ByteArrayCodec.INSTANCE)
						: ((RedisClient) client).connectPubSub(ByteArrayCodec.INSTANCE),
				null);
	}

	/*
	 * Open one more connection to a single address. If the resolver blocks, the name is
	 * resolved here first, and the JDK remembers it: the I/O thread serves locks.
	 */
	StatefulRedisConnection<byte[], byte[]> connectSeparately() throws UnknownHostException {
		Started started = this.started;
		Assert.state(started != null, "closed");
		if (started.resources().addressResolverGroup() instanceof DefaultAddressResolverGroup) {
			InetAddress.getByName(started.factory().getHostName());
		}
		return ((RedisClient) started.factory().getRequiredNativeClient()).connect(ByteArrayCodec.INSTANCE);
	}

	/* The address, as people read it. */
	String address() {
		return this.address;
	}

	/* Its configuration, which says whether there is a cluster. */
	LettuceDerivation derivation() {
		return this.derivation;
	}

	@Override
	public void close() {
		stop(true);
	}

	/*
	 * Close all connections and threads. Unless that is permanent, the next connection
	 * starts them anew.
	 */
	void stop(boolean permanently) {
		Started started;
		this.lock.lock();
		try {
			this.closed |= permanently;
			started = this.started;
			this.started = null;
		}
		finally {
			this.lock.unlock();
		}
		if (started != null) {
			PrimaryRoute route = started.route();
			if (route != null) {
				route.close();
			}
			shutDown(started.factory(), started.resources(), started.eventLoops());
		}
	}

	static void shutDown(LettuceConnectionFactory factory, ClientResources resources,
			EventLoopGroupProvider eventLoops) {
		factory.destroy();
		resources.shutdown(0, ConnectionBackOff.SHUTDOWN_TIME.toMillis(), TimeUnit.MILLISECONDS);
		eventLoops.shutdown(0, ConnectionBackOff.SHUTDOWN_TIME.toMillis(), TimeUnit.MILLISECONDS);
	}

	/**
	 * A connection factory and the resources that it uses.
	 *
	 * @param factory the factory, started
	 * @param resources the client resources of the factory
	 * @param eventLoops its event loops, which the resources do not shut down themselves
	 * @param channels the channels of all of its connections
	 * @param route leads to the primary that the sentinels name; null without sentinels
	 */
	record Started(LettuceConnectionFactory factory, ClientResources resources, EventLoopGroupProvider eventLoops,
			LockChannels channels, @Nullable PrimaryRoute route) {

	}

	/**
	 * A connection for commands.
	 *
	 * @param commands the commands that exist both with and without a cluster
	 * @param channels the channels of the client
	 * @param address the address of the primary; null if no sentinel has named it
	 * @param closing closes the connection
	 */
	record CommandConnection(RedisClusterAsyncCommands<byte[], byte[]> commands, LockChannels channels,
			@Nullable RedisNode address, Runnable closing) {

	}

	/**
	 * A connection for messages.
	 *
	 * @param connection the connection
	 * @param address the address of the primary; null if no sentinel has named it
	 */
	record PubSubConnection(StatefulRedisPubSubConnection<byte[], byte[]> connection, @Nullable RedisNode address) {

	}

}
