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

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.redis.RedisLockSettings;
import io.github.watchdoglock.redis.RedisLocks;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * {@link AutoConfiguration} of locks that are kept in Redis.
 */
@AutoConfiguration(before = WatchdogLockAutoConfiguration.class,
		afterName = { "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
				"org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration" })
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnMissingBean(LockService.class)
@ConditionalOnBooleanProperty(name = "watchdog-lock.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "watchdog-lock.store", havingValue = "redis", matchIfMissing = true)
@EnableConfigurationProperties(WatchdogLockProperties.class)
@Import(WatchdogLockRedisAutoConfiguration.ConnectionStart.class)
public final class WatchdogLockRedisAutoConfiguration {

	@Bean
	LockConnections watchdogLockConnections(ConfigurableListableBeanFactory beans, WatchdogLockProperties properties,
			Environment environment) {
		BeanChoice<RedisConnectionFactory> choice = new BeanChoice<>(beans, RedisConnectionFactory.class,
				"watchdog-lock.connection-factory");
		RedisConnectionFactory application = choice.choose(properties.connectionFactory());
		if (application == null) {
			throw new LockConfigurationException(
					"There are several RedisConnectionFactory beans, and none of them is primary: " + choice.names()
							+ ". All locks must be kept in the same Redis.",
					"Set watchdog-lock.connection-factory to the name of the one to keep locks in, or mark it as"
							+ " @Primary.");
		}
		return LockConnections.of(beans, application, environment);
	}

	@Bean
	RedisLocks watchdogLockRedis(LockConnections connections, WatchdogLockProperties properties,
			Environment environment) {
		RedisLockSettings settings = new RedisLockSettings(properties.keyPrefix(),
				InstanceLabel.clientName(properties, environment), properties.recordRetention(), properties.wakeUps(),
				properties.pollInterval(), properties.warnOfUnsafeReplication(), properties.addressCheck());
		return new RedisLocks(connections.factory(), settings);
	}

	@Bean
	LeaseKeeping watchdogLockLeaseKeeping(RedisLocks locks, LockConnections connections) {
		return new LeaseKeeping(locks.store(), locks.inspector(), locks.survey(), locks.roles(), locks.wakeUps(),
				RedisLocks.describe(connections.factory()));
	}

	/**
	 * Connects before the first lock is needed, but after the startup, which needs the
	 * CPU.
	 *
	 * @param beans the beans, which include the lock service when it is used
	 * @param locks the connections
	 */
	record ConnectionStart(ConfigurableListableBeanFactory beans,
			RedisLocks locks) implements ApplicationListener<ApplicationReadyEvent> {

		@Override
		public void onApplicationEvent(ApplicationReadyEvent event) {
			if (this.beans.getSingleton("watchdogLockService") instanceof LockEngine) {
				this.locks.connect();
			}
		}

	}

}
