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

import io.github.watchdoglock.redis.RedisContract;
import io.github.watchdoglock.redis.RedisLocks;
import io.github.watchdoglock.redis.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The contract of stores, with a Redis of each image.
 */
@Tag("fast")
@Tag("containers")
@ParameterizedClass
@MethodSource("io.github.watchdoglock.container.RedisImages#named")
@SuppressWarnings("NullAway.Init")
class ContainerContractTests extends RedisContract {

	private static @Nullable ConfigurableApplicationContext application;

	private static RedisLocks locks;

	private static StringRedisTemplate redis;

	@Parameter
	String image;

	@BeforeParameterizedClassInvocation
	static void start(String image) {
		application = ContainerApplication.run(image);
		RedisConnectionFactory factory = application.getBean(RedisConnectionFactory.class);
		locks = new RedisLocks(factory, RedisServer.settings());
		redis = new StringRedisTemplate(factory);
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		if (application != null) {
			locks.close();
			application.close();
			application = null;
		}
	}

	@Override
	protected RedisLocks locks() {
		return locks;
	}

	@Override
	protected StringRedisTemplate redis() {
		return redis;
	}

}
