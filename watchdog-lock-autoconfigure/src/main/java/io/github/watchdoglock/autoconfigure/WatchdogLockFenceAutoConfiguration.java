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
import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.fence.Fence;
import io.github.watchdoglock.fence.FencedTransactions;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.listener.FenceObserver;
import io.github.watchdoglock.redis.key.RedisKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration} of fenced transactions.
 */
@AutoConfiguration(before = WatchdogLockAutoConfiguration.class)
@ConditionalOnClass({ DataSourceUtils.class, ConfigurableTransactionManager.class, EmbeddedDatabaseConnection.class })
@ConditionalOnBooleanProperty(name = "watchdog-lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WatchdogLockProperties.class)
public final class WatchdogLockFenceAutoConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static FencedTransactions watchdogLockFencedTransactions(ObjectProvider<EngineBean> engine) {
		Supplier<@Nullable EngineBean> present = SingletonSupplier.ofNullable(engine::getIfAvailable);
		return new FencedTransactions(() -> {
			EngineBean bean = present.get();
			return (bean != null) ? bean.engine().admissions() : List.of();
		});
	}

	@Bean
	@Lazy
	Fence watchdogLockFence(ListableBeanFactory beans, WatchdogLockProperties properties,
			FencedTransactions transactions, @Qualifier("watchdogLockObserver") ObjectProvider<FenceObserver> observers,
			ObjectProvider<EngineBean> engine) {
		FenceTableChoice choice = new FenceTableChoice(beans, properties.fence(), transactions);
		InstantSource clock = InstantSource.system();
		return new Fence(SingletonSupplier.of(choice::choose), (key) -> RedisKeys.of(properties.keyPrefix(), key),
				() -> clock.instant().minus(properties.fence().retention()), transactions,
				(key, outcome, took) -> observers.forEach((observer) -> observer.observed(key, outcome, took)),
				(key, token) -> engine
					.ifAvailable((bean) -> bean.engine().lose(key, token, LockLoss.Reason.OVERTAKEN)));
	}

	/*
	 * An invalid configuration fails at startup if it is known by then that locks are
	 * fenced.
	 */
	@Bean(defaultCandidate = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static SmartInitializingSingleton watchdogLockFenceCheck(ObjectProvider<LockSpecSource> source,
			ObjectProvider<Fence> fence, ObjectProvider<WatchdogLockProperties> properties) {
		return () -> {
			LockSpecSource locks = source.getIfAvailable();
			if (locks != null && locks.isAnyFenced()) {
				FenceTableChoice.check(fence.getObject(), properties.getObject().fence());
			}
		};
	}

}
