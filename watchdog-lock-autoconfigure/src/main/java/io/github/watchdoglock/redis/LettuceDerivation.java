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

import io.lettuce.core.ClientOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.lettuce.core.tracing.Tracing;
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

/**
 * Makes a connection factory of our own from the configuration of the application's, so
 * that locks take part in no transaction or pipeline of callers, are not replayed after a
 * reconnect, and do not queue behind the application's commands.
 */
final class LettuceDerivation {

	/* The time-out of a command is 2 s at most by default; a connection gets as long. */
	static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

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

	/* Null where the configuration can't be read. */
	static @Nullable LettuceDerivation of(RedisConnectionFactory application, String clientName) {
		if (application.getClass() != LettuceConnectionFactory.class) {
			return null;
		}
		LettuceConnectionFactory lettuce = (LettuceConnectionFactory) application;
		// The getters answer localhost where a factory was configured otherwise.
		Object configuration = new DirectFieldAccessor(lettuce).getPropertyValue("configuration");
		if (configuration == null || !READABLE.contains(configuration.getClass())) {
			return null;
		}
		return new LettuceDerivation((RedisConfiguration) configuration, lettuce.getClientConfiguration(), clientName);
	}

	boolean isClustered() {
		return this.configuration instanceof RedisClusterConfiguration;
	}

	/* Whether Lettuce looks for the primaries itself, from wherever it is told to. */
	boolean findsPrimaries() {
		return isClustered() || readsElsewhere();
	}

	/*
	 * Locks read from the primary alone, and a Sentinel tells where that is; behind a
	 * single address it may be Lettuce that finds it, for the sake of reading elsewhere.
	 */
	private boolean readsElsewhere() {
		return this.client.getReadFrom().isPresent() && !(this.configuration instanceof RedisSentinelConfiguration);
	}

	LettuceClient.Started start() {
		DefaultEventLoopGroupProvider eventLoops = new DefaultEventLoopGroupProvider(1);
		LockChannels channels = new LockChannels(
				this.client.getClientResources().map(ClientResources::nettyCustomizer).orElse(new NettyCustomizer() {
				}));
		ClientResources resources = resources(this.client, eventLoops, channels);
		LettuceConnectionFactory factory = new LettuceConnectionFactory(this.configuration,
				client(this.client, resources, this.clientName, readsElsewhere()));
		factory.afterPropertiesSet();
		factory.start();
		return new LettuceClient.Started(factory, resources, eventLoops, channels);
	}

	private static LettuceClientConfiguration client(LettuceClientConfiguration original, ClientResources resources,
			String clientName, boolean readsElsewhere) {
		LettuceClientConfigurationBuilder builder = LettuceClientConfiguration.builder()
			.clientResources(resources)
			.clientOptions(options(original.getClientOptions().orElseGet(ClientOptions::create)))
			.clientName(clientName)
			.commandTimeout(CONNECT_TIMEOUT)
			.shutdownQuietPeriod(Duration.ZERO);
		original.getReadFrom().filter((from) -> readsElsewhere).ifPresent(builder::readFrom);
		original.getRedisCredentialsProviderFactory().ifPresent(builder::redisCredentialsProviderFactory);
		if (original.isUseSsl()) {
			var ssl = builder.useSsl().verifyPeer(original.getVerifyMode());
			return (original.isStartTls() ? ssl.startTls() : ssl).and().build();
		}
		return builder.build();
	}

	/* Our time-outs differ from call to call, so Lettuce's own is off. */
	private static ClientOptions options(ClientOptions original) {
		return original.mutate()
			.autoReconnect(true)
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.socketOptions(original.getSocketOptions().mutate().connectTimeout(CONNECT_TIMEOUT).build())
			.timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
			.build();
	}

	private static ClientResources resources(LettuceClientConfiguration original,
			DefaultEventLoopGroupProvider eventLoops, LockChannels channels) {
		ClientResources.Builder builder = ClientResources.builder()
			.eventLoopGroupProvider(eventLoops)
			.nettyCustomizer(channels)
			.computationThreadPoolSize(2)
			.tracing(Tracing.disabled())
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.reconnectDelay(Delay.equalJitter(ConnectionBackOff.SHORTEST_DELAY, ConnectionBackOff.LONGEST_DELAY, 50,
					TimeUnit.MILLISECONDS));
		original.getClientResources()
			.ifPresent((resources) -> builder.addressResolverGroup(resources.addressResolverGroup())
				.socketAddressResolver(resources.socketAddressResolver()));
		return builder.build();
	}

}
