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
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.cluster.RedisClusterClient;
import io.netty.util.HashedWheelTimer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the client that is derived from the application's client, and for the
 * resources of a client that could not be started.
 */
class LettuceDerivationTests {

	private static final int TIMES = 20;

	/*
	 * The call that fails: that of the factory, or that of the connection to its primary.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void failedStartLeavesNoTimersBehind(int asked) {
		AtomicInteger questions = new AtomicInteger();
		LettuceDerivation derivation = Objects
			.requireNonNull(LettuceDerivation.of(application(questions, asked), "test"));
		int before = timers();
		for (int i = 0; i < TIMES; i++) {
			questions.set(0);
			assertThatIllegalStateException().isThrownBy(() -> derivation.start(() -> {
			})).withMessage("no credentials");
			assertThat(questions).hasValue(asked + 1);
		}
		await().until(() -> timers() < before + TIMES);
	}

	@Test
	void topologyRefreshIsEnabledByDefaultForCluster() {
		ClusterTopologyRefreshOptions derived = refreshing(ClusterClientOptions.create());
		assertThat(derived.isPeriodicRefreshEnabled()).isTrue();
		assertThat(derived.getAdaptiveRefreshTriggers()).containsExactlyInAnyOrder(RefreshTrigger.values());
		assertThat(derived.getAdaptiveRefreshTimeout()).isEqualTo(Duration.ofSeconds(1));
	}

	@Test
	void dynamicRefreshSourcesStayAsSetByApplication() {
		assertThat(refreshing(ClusterClientOptions.builder()
			.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder().dynamicRefreshSources(false).build())
			.build()).useDynamicRefreshSources()).isFalse();
	}

	static List<ClusterTopologyRefreshOptions> setByTheApplication() {
		return List.of(ClusterTopologyRefreshOptions.builder().enablePeriodicRefresh(Duration.ofMinutes(7)).build(),
				ClusterTopologyRefreshOptions.builder().disableAllAdaptiveRefreshTriggers().build());
	}

	@ParameterizedTest
	@MethodSource("setByTheApplication")
	void topologyRefreshOptionsStayAsSetByApplication(ClusterTopologyRefreshOptions set) {
		assertThat(refreshing(ClusterClientOptions.builder().topologyRefreshOptions(set).build())).isSameAs(set);
	}

	private static ClusterTopologyRefreshOptions refreshing(ClientOptions application) {
		LettuceDerivation derivation = Objects.requireNonNull(
				LettuceDerivation.of(new LettuceConnectionFactory(new RedisClusterConfiguration(Set.of("localhost:1")),
						LettuceClientConfiguration.builder().clientOptions(application).build()), "test"));
		LettuceClient.Started started = derivation.start(() -> {
		});
		try {
			RedisClusterClient client = (RedisClusterClient) started.factory().getRequiredNativeClient();
			return ((ClusterClientOptions) client.getOptions()).getTopologyRefreshOptions();
		}
		finally {
			LettuceClient.shutDown(started.factory(), started.resources(), started.eventLoops());
		}
	}

	/* Each started client has a timer until it is shut down. */
	private static int timers() {
		return Objects
			.requireNonNull((AtomicInteger) ReflectionTestUtils.getField(HashedWheelTimer.class, "INSTANCE_COUNTER"))
			.get();
	}

	private static LettuceConnectionFactory application(AtomicInteger questions, int asked) {
		return new LettuceConnectionFactory(new RedisSentinelConfiguration("locks", Set.of("localhost:1")),
				LettuceClientConfiguration.builder()
					.redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {

						@Override
						public RedisCredentialsProvider createSentinelCredentialsProvider(
								RedisSentinelConfiguration configuration) {
							if (questions.getAndIncrement() == asked) {
								throw new IllegalStateException("no credentials");
							}
							return () -> Mono.empty();
						}

						@Override
						public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
							return () -> Mono.empty();
						}

					})
					.build());
	}

}
