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

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.interceptor.declaration.LockDeclarationCheck;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.interceptor.declaration.LockedClassCheck;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.spring.Commits;
import io.github.watchdoglock.spring.LeadingBeans;
import io.github.watchdoglock.spring.ThreadTransactions;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link AutoConfiguration} of the advice around annotated methods.
 */
@AutoConfiguration
@EnableConfigurationProperties(WatchdogLockProperties.class)
@Import(LockProxyRegistrar.class)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class WatchdogLockAdviceAutoConfiguration {

	@Bean(defaultCandidate = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static ConfigurationPropertiesBindHandlerAdvisor watchdogLockDurationUnits(Environment environment) {
		return (handler) -> new DurationUnits(handler, environment);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static AnnotatedLockDefaults watchdogLockAnnotatedDefaults(ObjectProvider<WatchdogLockProperties> properties) {
		return new AnnotatedLockDefaults(properties::getObject);
	}

	/* Used by tests, which may hold only locks that exist. */
	@Bean(defaultCandidate = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static Supplier<Set<String>> watchdogLockNames(AnnotatedLockDefaults defaults) {
		return defaults::names;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockSpecSource watchdogLockSpecSource(AnnotatedLockDefaults defaults, Environment environment,
			BeanFactory beanFactory, ObjectProvider<LeaderElections> elections) {
		return new LockSpecSource(defaults::of, environment::resolveRequiredPlaceholders, beanFactory,
				new ElectedTerms(elections));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockAdvisor watchdogLockAdvisor(LockSpecSource source, ObjectProvider<LockService> service,
			ObjectProvider<Commits> commits,
			@Qualifier("watchdogLockObserver") ObjectProvider<Instrumentation> instrumentations,
			Environment environment) {
		Supplier<Integer> order = SingletonSupplier.of(() -> order(environment));
		Supplier<Optional<Commits>> present = SingletonSupplier.of(() -> Optional.ofNullable(commits.getIfAvailable()));
		return new LockAdvisor(source, SingletonSupplier.of(service::getObject),
				(transaction) -> present.get().map((found) -> found.watch(transaction)).orElse(() -> false),
				() -> present.get().isPresent() && ThreadTransactions.isActive(), all(instrumentations), order::get);
	}

	/*
	 * Not read from the properties bean: while Spring sorts advisors, it reports each
	 * failure to create a bean as a problem of the advisor. The properties bean reports a
	 * value that is not a number.
	 */
	private static int order(Environment environment) {
		try {
			return Binder.get(environment)
				.bind("watchdog-lock.advice-order", Integer.class)
				.orElse(LockAdvisor.DEFAULT_ORDER);
		}
		catch (BindException ex) {
			return LockAdvisor.DEFAULT_ORDER;
		}
	}

	/*
	 * Present even if the application has its own election, which cannot receive this
	 * work: then ElectedTerms rejects it.
	 */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LeadingBeans watchdogLockLeadingBeans(ConfigurableListableBeanFactory beans,
			ObjectProvider<LeaderElections> elections, Environment environment) {
		return new LeadingBeans(beans, new ElectedTerms(elections)::becomeCandidate,
				environment::resolveRequiredPlaceholders);
	}

	/* Looked up at the first call. */
	static Instrumentation all(ObjectProvider<Instrumentation> instrumentations) {
		return Instrumentation.all(SingletonSupplier.of(() -> instrumentations.orderedStream().toList()));
	}

	/* If there is no store for locks, the startup fails, and not the first call. */
	@Bean(defaultCandidate = false)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static SmartInitializingSingleton watchdogLockServiceCheck(AnnotatedLockDefaults defaults,
			ObjectProvider<LockService> service, LockAdvisor advisor) {
		return () -> {
			if (defaults.isAsked() && service.getIfAvailable() != null) {
				advisor.prepare();
			}
		};
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockDeclarationCheck watchdogLockDeclarationCheck(LockSpecSource source, ObjectProvider<Commits> commits) {
		// Without support for transactions, their types cannot be loaded.
		return new LockDeclarationCheck(source, (advisor) -> commits.getIfAvailable() != null
				&& advisor.getAdvice() instanceof TransactionAspectSupport);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static LockedClassCheck watchdogLockClassCheck(LockSpecSource source, ConfigurableListableBeanFactory beans) {
		return new LockedClassCheck(source, beans);
	}

}
