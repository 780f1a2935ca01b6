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

package io.github.watchdoglock.spring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Asks before each commit of the application's transaction managers whether it may be,
 * and tells of it afterwards. To be declared as an infrastructure bean; it has no
 * listener bean, since Spring Boot would add that a second time.
 * <p>
 * Not covered: reactive transactions, and managers that are no beans.
 */
public final class CommitGuard implements BeanPostProcessor, PriorityOrdered {

	private final TransactionExecutionListener listener;

	/**
	 * Create a guard.
	 * @param commits what is asked and told
	 */
	public CommitGuard(Commits commits) {
		this.listener = new Listener(commits);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager manager && !(bean instanceof ReactiveTransactionManager)) {
			guard(manager);
		}
		return bean;
	}

	/* A manager may have been given a collection that can't be changed. */
	private void guard(ConfigurableTransactionManager manager) {
		Collection<TransactionExecutionListener> present = manager.getTransactionExecutionListeners();
		if (!present.contains(this.listener)) {
			List<TransactionExecutionListener> listeners = new ArrayList<>(present);
			listeners.add(this.listener);
			manager.setTransactionExecutionListeners(listeners);
		}
	}

	/* Early, so that managers which other post-processors need are seen too. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/**
	 * Hears of each transaction just before it is committed, after all synchronizations,
	 * and when it was.
	 */
	private static final class Listener implements TransactionExecutionListener {

		private final Commits commits;

		Listener(Commits commits) {
			this.commits = commits;
		}

		/*
		 * What the check throws must be no TransactionException: Spring takes that for
		 * the failure of the commit itself, and does not roll back. Read-only
		 * transactions are checked too, since to many databases that is a hint.
		 */
		@Override
		public void beforeCommit(TransactionExecution transaction) {
			this.commits.check();
		}

		@Override
		public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
			if (failure == null && transaction.isNewTransaction()) {
				this.commits.committed(transaction.getTransactionName());
			}
		}

	}

}
