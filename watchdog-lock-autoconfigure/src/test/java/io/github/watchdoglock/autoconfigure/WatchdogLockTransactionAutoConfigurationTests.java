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

import java.util.Arrays;
import java.util.List;

import javax.sql.DataSource;

import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.spring.CommitGuard;
import io.github.watchdoglock.spring.Commits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WatchdogLockTransactionAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class WatchdogLockTransactionAutoConfigurationTests {

	private final ApplicationContextRunner contexts = LockContexts.local(AopAutoConfiguration.class,
			DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			TransactionAutoConfiguration.class, TransactionManagerCustomizationAutoConfiguration.class);

	@Test
	void transactionManagerOfBootGetsOneCommitGuardWithoutListenerBean() {
		this.contexts.run((context) -> {
			assertThat(listeners(context.getBean(PlatformTransactionManager.class)))
				.as("number of commit guards of the manager that Spring Boot configures")
				.hasSize(1);
			assertThat(context).doesNotHaveBean(TransactionExecutionListener.class)
				.hasSingleBean(Commits.class)
				.hasSingleBean(LockAdvisor.class);
		});
	}

	@Test
	void eachTransactionManagerOfApplicationGetsOneCommitGuard() {
		this.contexts.withUserConfiguration(TwoManagers.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeansOfType(PlatformTransactionManager.class).values()).hasSize(2)
				.allSatisfy((manager) -> assertThat(listeners(manager)).hasSize(1));
		});
	}

	@Test
	void transactionManagerOfEarlyPostProcessorIsGuardedWithoutEarlyLockBeans(CapturedOutput output) {
		this.contexts.withUserConfiguration(EarlyPostProcessor.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(listeners(context.getBean(PlatformTransactionManager.class)))
				.as("number of commit guards of a manager created before the post-processors")
				.hasSize(1);
		});
		assertThat(output.toString().lines().filter((line) -> line.contains("not eligible for getting processed")))
			.isNotEmpty()
			.noneMatch((line) -> line.contains("Bean 'watchdogLock") || line.contains("watchdoglock"));
	}

	@Test
	void startupReportsNoBeanAsNotEligibleForPostProcessing(CapturedOutput output) {
		this.contexts.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("not eligible for getting processed");
	}

	@Test
	void commitDuringStartupCreatesNoEngineBean() {
		this.contexts.withUserConfiguration(StartUpWork.class).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(EngineBean.class);
			assertThat(context.getBean(Engines.class).whenCommitted())
				.as("engine beans that existed at the first commit")
				.isEmpty();
		});
	}

	@Test
	void transactionManagerHasNoCommitGuardWhenLocksAreDisabled() {
		this.contexts.withPropertyValues("watchdog-lock.enabled=false")
			.run((context) -> assertThat(listeners(context.getBean(PlatformTransactionManager.class))).isEmpty());
	}

	private static List<TransactionExecutionListener> listeners(PlatformTransactionManager manager) {
		return ((ConfigurableTransactionManager) manager).getTransactionExecutionListeners()
			.stream()
			.filter((listener) -> listener.getClass().getName().startsWith(CommitGuard.class.getName()))
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoManagers {

		@Bean
		PlatformTransactionManager first(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		DataSourceTransactionManager second(DataSource dataSource) {
			DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
			manager.setTransactionExecutionListeners(List.of());
			return manager;
		}

	}

	/**
	 * The engines that existed.
	 *
	 * @param whenCommitted after the first transaction
	 */
	record Engines(List<String> whenCommitted) {

	}

	@Configuration(proxyBeanMethods = false)
	static class StartUpWork {

		@Bean
		Engines engines(PlatformTransactionManager manager, ConfigurableListableBeanFactory beans) {
			new TransactionTemplate(manager)
				.executeWithoutResult((status) -> assertThat(status.isCompleted()).isFalse());
			return new Engines(Arrays.stream(beans.getBeanNamesForType(EngineBean.class, true, false))
				.filter(beans::containsSingleton)
				.toList());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyPostProcessor {

		@Bean
		static Early early(PlatformTransactionManager manager) {
			return new Early(manager);
		}

	}

	/**
	 * A bean that is created before the post-processors without an order.
	 *
	 * @param manager is created even earlier
	 */
	record Early(PlatformTransactionManager manager) implements BeanPostProcessor, Ordered {

		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}
