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

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.sentinel.PrimaryRoute;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.tracing.Tracing;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

/**
 * The derivation of a separate connection factory from the configuration of the
 * application's factory. Over separate connections, the commands of locks take part in no
 * transaction or pipeline of callers, are not replayed after a reconnect, and do not
 * queue behind the application's commands.
 */
final class LettuceDerivation {

	/*
	 * Not shorter, because each instance asks every node, and a cluster takes seconds to
	 * elect a primary.
	 */
	private static final Duration MIN_REFRESH = Duration.ofSeconds(1);

	private static final Set<Class<?>> READABLE = Set.of(RedisStandaloneConfiguration.class,
			RedisSentinelConfiguration.class, RedisClusterConfiguration.class, RedisSocketConfiguration.class);

	private final RedisConfiguration configuration;

	private final LettuceClientConfiguration client;

	private final String clientName;

	private LettuceDerivation(RedisConfiguration configuration, LettuceClientConfiguration client, String clientName) {
		this.configuration = configuration;
		this.client = client;
		this.clientName = clientName;
	}

	static LettuceDerivation of(RedisConnectionFactory application, String clientName) {
		if (application instanceof LettuceConnectionFactory lettuce
				&& configuration(application) instanceof RedisConfiguration configuration) {
			return new LettuceDerivation(configuration, lettuce.getClientConfiguration(), clientName);
		}
		throw new IllegalArgumentException(
				"The configuration of this " + application.getClass().getSimpleName() + " cannot be read");
	}

	/*
	 * Return null if the configuration cannot be read. The getters of a factory return
	 * localhost if it was configured in another way.
	 */
	static @Nullable Object configuration(RedisConnectionFactory application) {
		if (application.getClass() != LettuceConnectionFactory.class) {
			return null;
		}
		Object configuration = new DirectFieldAccessor(application).getPropertyValue("configuration");
		return (configuration != null && READABLE.contains(configuration.getClass())) ? configuration : null;
	}

	boolean isClustered() {
		return this.configuration instanceof RedisClusterConfiguration;
	}

	/* Whether Lettuce itself finds the primaries, from any node that is configured. */
	boolean findsPrimaries() {
		return isClustered() || readsElsewhere();
	}

	/* Whether the primary is what answers at the one address that is configured. */
	boolean hasSingleAddress() {
		return !findsPrimaries() && !(this.configuration instanceof RedisSentinelConfiguration);
	}

	/*
	 * Whether Lettuce finds the primary behind a single address because the application
	 * has set ReadFrom. Locks read from the primary only. With Sentinel, ReadFrom is not
	 * used: the sentinels name the primary.
	 */
	private boolean readsElsewhere() {
		return this.client.getReadFrom().isPresent() && !(this.configuration instanceof RedisSentinelConfiguration);
	}

	/*
	 * The callback runs each time that the sentinels name another primary, and at other
	 * times too.
	 */
	LettuceClient.Started start(Runnable moved) {
		// Many threads wait for the answers that this thread reads, so it has the highest
		// priority
		DefaultEventLoopGroupProvider eventLoops = new DefaultEventLoopGroupProvider(1,
				(name) -> new DefaultThreadFactory(name, true, Thread.MAX_PRIORITY));
		LockChannels channels = new LockChannels(
				this.client.getClientResources().map(ClientResources::nettyCustomizer).orElse(new NettyCustomizer() {
				}));
		ClientResources resources = resources(eventLoops, channels);
		LettuceConnectionFactory factory = new LettuceConnectionFactory(this.configuration, client(resources));
		try {
			factory.afterPropertiesSet();
			factory.start();
			return new LettuceClient.Started(factory, resources, eventLoops, channels,
					(this.configuration instanceof RedisSentinelConfiguration sentinel)
							? route(sentinel, (RedisClient) factory.getRequiredNativeClient(), resources, moved)
							: null);
		}
		catch (Throwable ex) {
			// The caller tries again repeatedly, so each attempt must release its
			// resources.
			LettuceClient.shutDown(factory, resources, eventLoops);
			throw ex;
		}
	}

	/*
	 * Sentinels are contacted with the settings of the primary, but with user names and
	 * passwords of their own.
	 */
	private PrimaryRoute route(RedisSentinelConfiguration configuration, RedisClient client, ClientResources resources,
			Runnable moved) {
		RedisURI uri = LettuceConverters.sentinelConfigurationToRedisURI(configuration);
		this.client.getRedisCredentialsProviderFactory().ifPresent((credentials) -> {
			uri.setCredentialsProvider(credentials.createCredentialsProvider(configuration));
			RedisCredentialsProvider forSentinels = credentials.createSentinelCredentialsProvider(configuration);
			uri.getSentinels().forEach((sentinel) -> sentinel.setCredentialsProvider(forSentinels));
		});
		Stream.concat(Stream.of(uri), uri.getSentinels().stream()).forEach((each) -> {
			each.setSsl(this.client.isUseSsl());
			each.setVerifyPeer(this.client.getVerifyMode());
			each.setStartTls(this.client.isStartTls());
			each.setClientName(this.clientName);
			each.setTimeout(ConnectionBackOff.CONNECT_TIMEOUT);
		});
		uri.setDatabase(configuration.getDatabase());
		RedisClient sentinels = RedisClient.create(resources);
		sentinels.setOptions(options().mutate().protocolVersion(ProtocolVersion.RESP3).autoReconnect(false).build());
		return new PrimaryRoute(client, sentinels, uri, resources.eventExecutorGroup().next(), moved);
	}

	private LettuceClientConfiguration client(ClientResources resources) {
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.clientResources(resources)
			.clientOptions(isClustered() ? refreshing(options()) : options())
			.clientName(this.clientName)
			.commandTimeout(ConnectionBackOff.CONNECT_TIMEOUT)
			.shutdownQuietPeriod(Duration.ZERO);
		this.client.getReadFrom().filter((from) -> readsElsewhere()).ifPresent(builder::readFrom);
		this.client.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		if (this.client.isUseSsl()) {
			var ssl = builder.useSsl().verifyPeer(this.client.getVerifyMode());
			return (this.client.isStartTls() ? ssl.startTls() : ssl).and().build();
		}
		return builder.build();
	}

	private ClientOptions options() {
		ClientOptions original = this.client.getClientOptions().orElseGet(ClientOptions::create);
		return original.mutate()
			.autoReconnect(true)
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.socketOptions(
					original.getSocketOptions().mutate().connectTimeout(ConnectionBackOff.CONNECT_TIMEOUT).build())
			.timeoutOptions(TimeoutOptions.builder().timeoutSource(new CommandTimeouts()).build())
			.build();
	}

	/*
	 * By default, Lettuce looks for another primary never or late, depending on its
	 * version. Settings of the application are kept. The deprecated methods set what
	 * later versions do anyway.
	 */
	@SuppressWarnings("deprecation")
	private static ClientOptions refreshing(ClientOptions options) {
		ClusterTopologyRefreshOptions set = (options instanceof ClusterClientOptions cluster)
				? cluster.getTopologyRefreshOptions() : null;
		if (set != null && (set.isPeriodicRefreshEnabled() || !set.getAdaptiveRefreshTriggers()
			.equals(ClusterTopologyRefreshOptions.DEFAULT_ADAPTIVE_REFRESH_TRIGGERS))) {
			return options;
		}
		ClusterTopologyRefreshOptions.Builder refresh = ClusterTopologyRefreshOptions.builder()
			.enablePeriodicRefresh()
			.enableAdaptiveRefreshTrigger(ClusterTopologyRefreshOptions.RefreshTrigger.values())
			.adaptiveRefreshTriggersTimeout(MIN_REFRESH)
			.refreshTriggersReconnectAttempts(1);
		if (set != null) {
			refresh.dynamicRefreshSources(set.useDynamicRefreshSources());
		}
		ClusterClientOptions.Builder clustered = (options instanceof ClusterClientOptions cluster) ? cluster.mutate()
				: ClusterClientOptions.builder(options);
		return clustered.topologyRefreshOptions(refresh.build()).build();
	}

	private ClientResources resources(DefaultEventLoopGroupProvider eventLoops, LockChannels channels) {
		ClientResources.Builder builder = ClientResources.builder()
			.eventLoopGroupProvider(eventLoops)
			.nettyCustomizer(channels)
			.computationThreadPoolSize(2)
			.tracing(Tracing.disabled())
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.reconnectDelay(Delay.equalJitter(ConnectionBackOff.MIN_DELAY, ConnectionBackOff.MAX_DELAY, 50,
					TimeUnit.MILLISECONDS));
		this.client.getClientResources()
			.ifPresent((resources) -> builder.addressResolverGroup(resources.addressResolverGroup())
				.socketAddressResolver(resources.socketAddressResolver()));
		return builder.build();
	}

	/**
	 * Lettuce's timeouts, in milliseconds, for all commands except scripts. A script has
	 * a timeout for each call, which begins before there is a connection; Lettuce's
	 * timeout begins when a command is written to a connection.
	 */
	private static final class CommandTimeouts extends TimeoutOptions.TimeoutSource {

		@Override
		public long getTimeout(RedisCommand<?, ?, ?> command) {
			return (command.getType() == CommandType.EVALSHA || command.getType() == CommandType.EVAL) ? 0
					: ConnectionBackOff.CONNECT_TIMEOUT.toMillis();
		}

	}

}
