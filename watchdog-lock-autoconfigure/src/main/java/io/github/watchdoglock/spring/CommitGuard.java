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
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.ClassUtils;

/**
 * A guard that checks each commit of the application's transaction managers before it
 * happens, and records it afterwards. Declare it as an infrastructure bean. Its listener
 * is not a bean, because Spring Boot would add it a second time.
 * <p>
 * Not covered: reactive transactions, and managers that are not beans.
 *
 * @param commits checks and records the commits
 * @param fenced whether a transaction has checked the fence of a hold
 */
public record CommitGuard(Commits commits,
		BiPredicate<TransactionExecution, Object> fenced) implements BeanPostProcessor, PriorityOrdered {

	private static final boolean JPA = Stream
		.of("org.springframework.orm.jpa.JpaTransactionManager", "jakarta.persistence.EntityManager")
		.allMatch((type) -> ClassUtils.isPresent(type, CommitGuard.class.getClassLoader()));

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager manager && !(bean instanceof ReactiveTransactionManager)) {
			guard(manager);
		}
		return bean;
	}

	/* The collection of a manager may be immutable. */
	private void guard(ConfigurableTransactionManager manager) {
		Collection<TransactionExecutionListener> present = manager.getTransactionExecutionListeners();
		if (present.stream().noneMatch(Listener.class::isInstance)) {
			List<TransactionExecutionListener> listeners = new ArrayList<>(present);
			listeners.add(new Listener(this.commits, this.fenced, JPA && JpaFlush.flushes(manager)));
			manager.setTransactionExecutionListeners(listeners);
		}
	}

	/* Early, so that managers that other post-processors need are guarded too. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/**
	 * Checks each transaction immediately before its commit, after all synchronizations,
	 * and records the commit.
	 *
	 * @param commits checks and records the commits
	 * @param fenced whether a transaction has checked the fence of a hold
	 * @param jpa whether the manager's transactions may have statements to flush
	 */
	private record Listener(Commits commits, BiPredicate<TransactionExecution, Object> fenced,
			boolean jpa) implements TransactionExecutionListener {

		/*
		 * The check must not throw a TransactionException: Spring treats it as a failure
		 * of the commit itself, and does not roll back. Read-only transactions are
		 * checked too, because for many databases read-only is only a hint.
		 */
		@Override
		public void beforeCommit(TransactionExecution transaction) {
			this.commits.check((hold) -> this.fenced.test(transaction, hold), () -> flush(transaction));
		}

		/*
		 * Otherwise Hibernate would execute its statements after the check, within the
		 * commit. It must not be asked to if it would not do so by itself.
		 */
		private void flush(TransactionExecution transaction) {
			if (this.jpa && transaction instanceof TransactionStatus status && !status.isReadOnly()
					&& !status.isRollbackOnly() && JpaFlush.isAutomatic()) {
				status.flush();
			}
		}

		@Override
		public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
			if (failure == null && transaction.isNewTransaction()) {
				this.commits.committed(transaction.getTransactionName());
			}
		}

	}

}
