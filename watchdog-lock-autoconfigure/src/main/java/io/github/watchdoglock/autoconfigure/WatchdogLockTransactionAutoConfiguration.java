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

import io.github.watchdoglock.fence.FencedTransactions;
import io.github.watchdoglock.spring.CommitGuard;
import io.github.watchdoglock.spring.Commits;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * {@link AutoConfiguration} for locks and transactions: it prevents commits after the
 * loss of a transaction's lock, and releases of locks before the completion of their
 * transaction.
 */
@AutoConfiguration
@ConditionalOnClass(ConfigurableTransactionManager.class)
@ConditionalOnBooleanProperty(name = "watchdog-lock.enabled", matchIfMissing = true)
public final class WatchdogLockTransactionAutoConfiguration {

	/* One bean for all contexts of an application, which may share one engine. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean
	static Commits watchdogLockCommits() {
		return new Commits();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static CommitGuard watchdogLockCommitGuard(Commits commits, ObjectProvider<FencedTransactions> fences) {
		return new CommitGuard(commits, (transaction, hold) -> {
			FencedTransactions present = fences.getIfAvailable();
			return present != null && present.hasChecked(transaction, hold);
		});
	}

}
