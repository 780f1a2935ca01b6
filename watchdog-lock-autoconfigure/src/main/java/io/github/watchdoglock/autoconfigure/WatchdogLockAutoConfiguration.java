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

import java.time.InstantSource;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.disabled.UnguardedLockService;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.time.Ticker;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * {@link AutoConfiguration} of the lock service. Backs off if the application has its own
 * {@link LockService}.
 */
@AutoConfiguration
@ConditionalOnMissingBean(LockService.class)
@EnableConfigurationProperties(WatchdogLockProperties.class)
@Import({ LockEngineConfiguration.class, InstanceLabel.class })
public final class WatchdogLockAutoConfiguration {

	/* Lazy, because an application without locks needs no store for them. */
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	@SuppressWarnings("DoNotCallSuggester")
	LockService watchdogLockService() {
		throw new LockConfigurationException(
				"Locks cannot be stored, because the application has no RedisConnectionFactory bean.", """
						Do one of these:

						    - Add spring-boot-starter-data-redis, or define a RedisConnectionFactory bean.
						    - Set watchdog-lock.store=local if there is never more than one instance, as in tests.""");
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "watchdog-lock.enabled", havingValue = false)
	static class UnguardedConfiguration {

		private final UnguardedLockService locks = new UnguardedLockService(InstantSource.system());

		@Bean
		LockService watchdogLockService() {
			LogFactory.getLog(WatchdogLockAutoConfiguration.class)
				.warn("Locks do not exclude any callers, and every instance leads its roles, because"
						+ " watchdog-lock.enabled is false");
			return this.locks;
		}

		@Bean
		@ConditionalOnMissingBean
		LocalLocks watchdogLockLocalLocks() {
			return this.locks.localLocks();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "watchdog-lock.enabled", matchIfMissing = true)
	@ConditionalOnProperty(name = "watchdog-lock.store", havingValue = "local")
	static class LocalStoreConfiguration {

		@Bean
		InMemoryLeaseStore watchdogLockLocalStore() {
			return new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		}

		@Bean
		LeaseKeeping watchdogLockLeaseKeeping(InMemoryLeaseStore store) {
			return new LeaseKeeping(store, store, store, store.roles(), store,
					"this JVM alone (watchdog-lock.store is local)");
		}

	}

}
