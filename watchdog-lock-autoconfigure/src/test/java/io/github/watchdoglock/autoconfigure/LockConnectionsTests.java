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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.lettuce.core.resource.ClientResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the connections of locks in applications that use Jedis, or another
 * connection factory.
 */
class LockConnectionsTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final LockRequest ORDERS = LockRequest.of("orders").withWaitTime(Duration.ZERO);

	private final ApplicationContextRunner context = LockContexts.plain(SslAutoConfiguration.class,
			DataRedisAutoConfiguration.class);

	private final ApplicationContextRunner jedis = this.context
		.withPropertyValues("spring.data.redis.client-type=jedis");

	@Test
	void applicationWithJedisKeepsItsClientAndLocksUseTheSameRedis() {
		this.jedis.withPropertyValues("spring.data.redis.port=" + redis.port()).run((context) -> {
			assertThat(context).hasSingleBean(RedisConnectionFactory.class);
			assertThat(context.getBean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
			assertThat(context).doesNotHaveBean(ClientResources.class);
			assertThatLocksWork(context);
		});
	}

	@Test
	void connectionDetailsTakePrecedenceOverProperties() {
		DataRedisConnectionDetails details = new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of("127.0.0.1", redis.port());
			}

		};
		this.jedis.withBean(DataRedisConnectionDetails.class, () -> details)
			.withPropertyValues("spring.data.redis.port=1")
			.run(LockConnectionsTests::assertThatLocksWork);
		this.jedis.withBean(DataRedisConnectionDetails.class, () -> details)
			.withBean(RedisConnectionFactory.class, () -> Mockito.mock(RedisConnectionFactory.class))
			.run(LockConnectionsTests::assertThatLocksWork);
	}

	@Test
	void factoryWithoutAddressIsRejectedUnlessPropertiesSetAddress() {
		ApplicationContextRunner other = this.context.withBean(RedisConnectionFactory.class,
				() -> Mockito.mock(RedisConnectionFactory.class));
		assertThatItFails(other, "nor spring.data.redis has the address of Redis.", "watchdog-lock.connection-factory");
		other.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:" + redis.port())
			.run(LockConnectionsTests::assertThatLocksWork);
	}

	@Test
	void factoryOfRedisDifferentFromPropertiesIsRejected() {
		ApplicationContextRunner own = this.context.withBean(RedisConnectionFactory.class,
				() -> new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.port())));
		assertThatItFails(own,
				"uses Redis at 127.0.0.1:" + redis.port() + ", but spring.data.redis names Redis at localhost:6379.",
				"spring.data.redis.client-type to lettuce");
		own.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
			.run(LockConnectionsTests::assertThatLocksWork);
	}

	@Test
	void factoryOfDatabaseDifferentFromPropertiesIsRejected() {
		RedisStandaloneConfiguration third = new RedisStandaloneConfiguration("127.0.0.1", redis.port());
		third.setDatabase(3);
		assertThatItFails(
				this.context.withBean(RedisConnectionFactory.class, () -> new JedisConnectionFactory(third))
					.withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port()),
				"uses Redis at 127.0.0.1:" + redis.port() + ", database 3, but spring.data.redis names",
				"watchdog-lock.connection-factory");
	}

	@Test
	void proxiedLettuceConnectionFactoryIsUsedForLocks() {
		this.context.withBean(RedisConnectionFactory.class, () -> {
			ProxyFactory proxy = new ProxyFactory(
					new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.port())));
			proxy.setProxyTargetClass(true);
			return (RedisConnectionFactory) proxy.getProxy();
		}).run(LockConnectionsTests::assertThatLocksWork);
	}

	@Test
	void listOfAPrimaryAndItsReplicasIsRejected() {
		assertThatItFails(
				this.context.withPropertyValues("spring.data.redis.masterreplica.nodes=127.0.0.1:1",
						"spring.data.redis.client-type=lettuce"),
				"cannot identify the primary", "Use sentinels or a cluster");
	}

	@Test
	void clientTypePropertyIsRequiredWhenJedisAndLettuceArePresent() {
		String usual = System.clearProperty("spring.data.redis.client-type");
		try {
			assertThatClientTypeIsNeeded();
		}
		finally {
			System.setProperty("spring.data.redis.client-type", usual);
		}
	}

	private void assertThatClientTypeIsNeeded() {
		ApplicationContextRunner both = this.context.withPropertyValues("spring.data.redis.port=" + redis.port());
		assertThatItFails(both, "Spring Boot chose Lettuce", "Set spring.data.redis.client-type to jedis or lettuce");
		both.withPropertyValues("spring.data.redis.client-type=lettuce").run(LockConnectionsTests::assertThatLocksWork);
		both.withClassLoader(new FilteredClassLoader("redis.clients.jedis"))
			.run(LockConnectionsTests::assertThatLocksWork);
		both.withBean(RedisConnectionFactory.class,
				() -> new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.port())))
			.run(LockConnectionsTests::assertThatLocksWork);
	}

	@Test
	void missingLettuceIsRejectedWhenApplicationUsesJedis() {
		assertThatItFails(this.jedis.withClassLoader(new FilteredClassLoader("io.lettuce")),
				"Lettuce, which is not on the class path", "Add the dependency io.lettuce:lettuce-core");
	}

	private static void assertThatItFails(ApplicationContextRunner runner, String description, String action) {
		runner.run((context) -> assertThatException().isThrownBy(() -> context.getBean(RedisLocks.class))
			.havingRootCause()
			.isInstanceOfSatisfying(LockConfigurationException.class, (ex) -> {
				assertThat(ex).hasMessageContaining(description);
				assertThat(ex.getAction()).contains(action);
			}));
	}

	private static void assertThatLocksWork(AssertableApplicationContext context) {
		LockService locks = context.getBean(LockService.class);
		LockHandle handle = await().atMost(30, TimeUnit.SECONDS)
			.ignoreExceptions()
			.until(() -> locks.acquire(ORDERS), (acquired) -> true);
		assertThat(redis.template().hasKey("watchdog-lock:{orders}")).isTrue();
		assertThat(handle.isHeld()).isTrue();
		handle.close();
		redis.template().delete("watchdog-lock:{orders}");
	}

}
