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

import java.util.Set;
import java.util.function.Supplier;

import io.github.watchdoglock.autoconfigure.WatchdogLockAutoConfiguration;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.memory.InMemoryLeaseStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * The beans that a test gets in addition to the locks of its application.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
class TestLocksConfiguration {

	/* Called inline, so that the locks of a method are recorded when it runs. */
	@Bean(defaultCandidate = false)
	@Qualifier("watchdogLockObserver")
	AcquiredLocks watchdogLockAcquiredLocks() {
		return new AcquiredLocks();
	}

	@Bean
	TestLocks watchdogLockTestLocks(InMemoryLeaseStore store, @Qualifier("watchdogLockObserver") AcquiredLocks acquired,
			@Qualifier("watchdogLockNames") Supplier<Set<String>> names, ObjectProvider<AcquisitionGuard> guards) {
		return new TestLocks(store, acquired, names,
				() -> guards.getIfAvailable(() -> AcquisitionGuard.rejecting("the application has no DataSource")));
	}

}
