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

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.actuate.LockHealth;
import io.github.watchdoglock.actuate.LockHealthIndicator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration} of the health of locks.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("watchdog-lock")
@ConditionalOnBean(LocalLocks.class)
@Import(LockHealthConfiguration.class)
public final class WatchdogLockHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = { "watchdogLockHealthIndicator", "watchdogLockHealthContributor" })
	LockHealthIndicator watchdogLockHealthIndicator(LockHealth health) {
		return new LockHealthIndicator(health);
	}

}
