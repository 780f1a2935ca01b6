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

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The contract against the newest Redis; skipped where no Docker engine has its image.
 */
@ExtendWith(RedisImage.class)
@SpringBootTest
@Testcontainers
@SuppressWarnings("NullAway.Init")
class RedisContainerTests extends RedisContract {

	@Container
	@ServiceConnection
	@SuppressWarnings("resource")
	static final GenericContainer<?> container = new GenericContainer<>(RedisImage.NAME).withExposedPorts(6379);

	private static RedisLocks locks;

	@Autowired
	private StringRedisTemplate template;

	@BeforeAll
	static void connect(@Autowired StringRedisTemplate template) {
		locks = new RedisLocks(template.getRequiredConnectionFactory(), RedisLockSettings.defaults());
	}

	@AfterAll
	static void disconnect() {
		locks.close();
	}

	@Override
	protected RedisLocks locks() {
		return locks;
	}

	@Override
	protected StringRedisTemplate redis() {
		return this.template;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataRedisAutoConfiguration.class)
	static class Application {

	}

}
