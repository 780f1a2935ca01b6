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

import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for declarations that are rejected because their transaction would be committed
 * after the release.
 */
class CommitOrderTests {

	private final ApplicationContextRunner contexts = LockContexts.local(AopAutoConfiguration.class,
			DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
			TransactionAutoConfiguration.class);

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=true", "spring.aop.auto=false", "spring.aop.proxy-target-class=false" })
	void transactionOutsideLockIsRejectedNamingBothOrders(String property) {
		this.contexts.withUserConfiguration(Outside.class)
			.withBean(Both.class)
			.withPropertyValues(property)
			.run(LockContexts.rejected("CommitOrderTests$Both.work()",
					"The order of @EnableTransactionManagement is 0, and the order of the lock is 2147482647"));
	}

	@Test
	void transactionalTypeOutsideLockIsRejected() {
		this.contexts.withUserConfiguration(Outside.class)
			.withBean(OnType.class)
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void transactionInsideLockIsAccepted() {
		this.contexts.withBean(Both.class).run((context) -> assertThat(context).hasNotFailed());
		this.contexts.withUserConfiguration(Outside.class)
			.withBean(Both.class)
			.withPropertyValues("watchdog-lock.advice-order=-1")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void transactionOutsideLockIsAcceptedWhenLocksAreDisabled() {
		this.contexts.withUserConfiguration(Outside.class)
			.withBean(Both.class)
			.withPropertyValues("watchdog-lock.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(order = 0)
	static class Outside {

	}

	interface Work {

		void work();

	}

	public static class Both implements Work {

		@Override
		@DistributedLock
		@Transactional
		public void work() {
		}

	}

	@Transactional
	public static class OnType {

		@DistributedLock
		public void work() {
		}

	}

}
