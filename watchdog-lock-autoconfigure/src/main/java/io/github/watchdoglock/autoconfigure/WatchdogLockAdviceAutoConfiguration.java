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

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.interceptor.LockDeclarationCheck;
import io.github.watchdoglock.interceptor.LockDefaults;
import io.github.watchdoglock.interceptor.LockSpecSource;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration} of the advice around annotated methods.
 */
@AutoConfiguration
@EnableConfigurationProperties(WatchdogLockProperties.class)
@Import(LockProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class WatchdogLockAdviceAutoConfiguration {

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockSpecSource lockSpecSource(ObjectProvider<WatchdogLockProperties> properties, Environment environment,
			BeanFactory beanFactory) {
		return new LockSpecSource(() -> defaults(properties.getObject()), environment::resolveRequiredPlaceholders,
				beanFactory);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockAdvisor lockAdvisor(LockSpecSource source, ObjectProvider<LockService> service,
			ObjectProvider<WatchdogLockProperties> properties) {
		return new LockAdvisor(source, SingletonSupplier.of(service::getObject),
				() -> properties.getObject().adviceOrder());
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockDeclarationCheck lockDeclarationCheck(LockSpecSource source) {
		return new LockDeclarationCheck(source);
	}

	private static LockDefaults defaults(WatchdogLockProperties properties) {
		return new LockDefaults(properties.leaseTime(), properties.waitTime(), properties.onContention(),
				properties.leaseLimits()::check);
	}

}
