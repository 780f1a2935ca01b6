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
import java.util.function.BooleanSupplier;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Asks before each commit of the application's transaction managers whether it may be. To
 * be declared as an infrastructure bean; it has no listener bean, since Spring Boot would
 * add that a second time.
 * <p>
 * Not covered: reactive transactions, and managers that are no beans.
 */
public final class CommitGuard implements BeanPostProcessor, PriorityOrdered {

	private final CommitWatches watches = new CommitWatches();

	private final TransactionExecutionListener listener;

	/**
	 * Create a guard.
	 * @param check called by the thread that is about to commit; what it throws rolls the
	 * transaction back and reaches the caller, and must be no
	 * {@link org.springframework.transaction.TransactionException}
	 */
	public CommitGuard(Runnable check) {
		this.listener = new CommitListener(check, this.watches);
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

	/**
	 * Begin to watch the calling thread for a new transaction of a name. Watches of one
	 * thread are nested: a commit counts for the innermost one alone.
	 * @param transaction the name
	 * @return to be called once, by the same thread: ends the watch, and tells whether
	 * the transaction was committed
	 */
	public BooleanSupplier watch(String transaction) {
		return this.watches.begin(transaction);
	}

	/* Early, so that managers which other post-processors need are seen too. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
