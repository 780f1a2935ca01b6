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

package io.github.watchdoglock.container;

import java.util.Objects;
import java.util.function.Supplier;

import io.github.watchdoglock.actuate.LocksDescriptor;
import io.github.watchdoglock.actuate.LocksEndpoint;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.support.Concurrently;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.testcontainers.containers.GenericContainer;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application with a Redis container, as users write them, with each image.
 */
@Tag("fast")
@Tag("containers")
@ParameterizedClass
@MethodSource("io.github.watchdoglock.container.RedisImages#named")
@SuppressWarnings("NullAway.Init")
class ContainerApplicationTests {

	private static final int CALLERS = 4;

	private static final int CALLS = 25;

	private static @Nullable ConfigurableApplicationContext application;

	@Parameter
	String image;

	private int count;

	@BeforeParameterizedClassInvocation
	static void start(String image) {
		application = ContainerApplication.run(image, Orders.class);
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		if (application != null) {
			application.close();
			application = null;
		}
	}

	private static <T> T bean(Class<T> type) {
		return Objects.requireNonNull(application).getBean(type);
	}

	@Test
	void locksConnectToMappedPortOfRedisContainer() {
		GenericContainer<?> container = bean(GenericContainer.class);
		assertThat(container.getDockerImageName()).isEqualTo(this.image);
		assertThat(RedisLocks.describe(bean(RedisConnectionFactory.class)))
			.endsWith(":" + container.getMappedPort(6379));
	}

	/* The count is exact only under the lock. */
	@Test
	void concurrentCallsOfLockedMethodRunOneAtATime() throws Exception {
		Concurrently.run(CALLERS, (caller) -> {
			for (int i = 0; i < CALLS; i++) {
				bean(Orders.class).ship("1", () -> this.count++);
			}
			return null;
		});
		assertThat(this.count).isEqualTo(CALLERS * CALLS);
	}

	@Test
	void endpointReturnsStateInRedisOnlyWhileLockIsHeld() {
		LocksEndpoint endpoint = bean(LocksEndpoint.class);
		LocksDescriptor held = bean(Orders.class).ship("42",
				() -> Objects.requireNonNull(endpoint.lock("orders", "42", null, null)));
		assertThat(held.heldCount()).isOne();
		assertThat(held.state()).isNotNull();
		assertThat(endpoint.lock("orders", "42", null, null)).isNull();
	}

	/**
	 * Work under a lock.
	 */
	static class Orders {

		@DistributedLock(name = "orders", key = "#id")
		<T> T ship(String id, Supplier<T> work) {
			return work.get();
		}

	}

}
