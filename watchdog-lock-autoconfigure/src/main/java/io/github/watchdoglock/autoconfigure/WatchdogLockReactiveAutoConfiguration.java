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

import java.util.function.BooleanSupplier;

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.ReactiveLockService;
import io.github.watchdoglock.interceptor.reactive.SubscriptionLockService;
import io.github.watchdoglock.listener.Instrumentation;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * {@link AutoConfiguration} of the {@link ReactiveLockService}, which uses the
 * {@link LockService} bean.
 */
@AutoConfiguration(after = WatchdogLockAutoConfiguration.class)
@ConditionalOnClass(Flux.class)
@EnableConfigurationProperties(WatchdogLockProperties.class)
public final class WatchdogLockReactiveAutoConfiguration {

	/* Whether the calling thread must not wait for a lock, for example an event loop. */
	@Bean(defaultCandidate = false)
	BooleanSupplier watchdogLockNonBlockingThread() {
		return Schedulers::isInNonBlockingThread;
	}

	/* Lazy, because an application that does not use it may have no store for locks. */
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	ReactiveLockService watchdogLockReactiveService(LockService service, WatchdogLockProperties properties,
			@Qualifier("watchdogLockObserver") ObjectProvider<Instrumentation> instrumentations) {
		return new SubscriptionLockService(service, WatchdogLockAdviceAutoConfiguration.all(instrumentations),
				new NamedLocks(properties)::completeWithLoss);
	}

}
