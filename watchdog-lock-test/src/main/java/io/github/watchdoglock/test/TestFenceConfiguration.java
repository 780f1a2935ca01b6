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

package io.github.watchdoglock.test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import io.github.watchdoglock.autoconfigure.WatchdogLockFenceAutoConfiguration;
import io.github.watchdoglock.listener.AcquisitionGuard;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The fence of a test: that of the application if the test has a database. Without one,
 * as in a {@code @WebMvcTest}, there is no transaction to fence.
 */
@AutoConfiguration(before = WatchdogLockAutoConfiguration.class, after = WatchdogLockFenceAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" })
class TestFenceConfiguration {

	@Bean
	@ConditionalOnMissingBean
	AcquisitionGuard watchdogLockTestGuard() {
		return new NoFence();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(type = "javax.sql.DataSource")
	@Import(WatchdogLockFenceAutoConfiguration.class)
	static class DatabaseConfiguration {

	}

	private static final class NoFence implements AcquisitionGuard {

		@Override
		public void beforeAcquire(LockRequest request) {
		}

		@Override
		public Admission admit(LockRequest request, LockHandle handle, Duration left) {
			return AtomicReference::new;
		}

		@Override
		public void overtake(LockKey key) {
		}

	}

}
