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

import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * {@link AutoConfiguration} of a {@link LockRegistry} for Spring Integration, which uses
 * the {@link LockService} bean. Backs off if the application has its own.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
@ConditionalOnClass(LockRegistry.class)
public final class WatchdogLockIntegrationAutoConfiguration {

	private static final String NAME = "integration";

	/*
	 * A caller that locks again to check whether it still has the lock, as an initiator
	 * of leaders does, acquires the lock anew after a loss. The interrupt notifies it of
	 * the loss. The type is raw because it has no parameter before Spring Integration
	 * 7.0, in which a parameter could not be read.
	 */
	@SuppressWarnings("rawtypes")
	@Bean
	@Lazy
	@ConditionalOnMissingBean(LockRegistry.class)
	LockRegistry watchdogLockRegistry(ObjectProvider<LockService> locks) {
		return (key) -> locks.getObject().asLock(LockRequest.of(NAME, key.toString()).withOnLoss(OnLoss.INTERRUPT));
	}

}
