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

package io.github.watchdoglock.fence;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.watchdoglock.fence.OpenTransactions.Open;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.ThrowingSupplier;

/**
 * Makes the fenced transactions of a thread look at its fences: when they begin, and, if
 * the database may have released the row meanwhile, before they commit. Declare it as an
 * infrastructure bean. Thread-safe.
 */
public final class FencedTransactions implements BeanPostProcessor, PriorityOrdered {

	private final OpenTransactions open = new OpenTransactions();

	private final Supplier<List<Object>> admissions;

	private final Set<DataSource> dataSources = ConcurrentHashMap.newKeySet();

	/** Null before the fence is created: no hold is fenced until then. */
	private volatile @Nullable Fence fence;

	/**
	 * Create the post-processor.
	 * @param admissions returns the results of {@link Fence#admit} for the holds of the
	 * calling thread
	 */
	public FencedTransactions(Supplier<List<Object>> admissions) {
		this.admissions = admissions;
	}

	void setFence(Fence fence) {
		this.fence = fence;
	}

	/**
	 * Return whether transactions of a database look at the fence.
	 * @param dataSource the database
	 * @return whether a manager that was created so far begins such transactions
	 */
	public boolean includes(DataSource dataSource) {
		return this.dataSources.contains(unwrap(dataSource));
	}

	/**
	 * Return whether an open transaction of the calling thread has checked the fence of a
	 * hold.
	 * @param transaction the transaction, or a savepoint in it
	 * @param admission the result of {@link Fence#admit} for the hold
	 * @return whether the database rejects the transaction after a later holder has
	 * raised the fence
	 */
	public boolean hasChecked(TransactionExecution transaction, Object admission) {
		// A savepoint belongs to the innermost transaction.
		Open open = transaction.isNewTransaction() ? this.open.find(transaction) : this.open.innermost();
		return open != null && open.verified.contains(admission);
	}

	OpenTransactions open() {
		return this.open;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof PlatformTransactionManager manager
				&& bean instanceof ConfigurableTransactionManager configurable) {
			DataSource dataSource = dataSource(manager);
			if (dataSource != null) {
				this.dataSources.add(unwrap(dataSource));
				add(configurable, new Listener(this, manager, dataSource));
			}
		}
		return bean;
	}

	/* The collection of a manager may be immutable. */
	private static void add(ConfigurableTransactionManager manager, Listener listener) {
		Collection<TransactionExecutionListener> present = manager.getTransactionExecutionListeners();
		if (present.stream().noneMatch(Listener.class::isInstance)) {
			List<TransactionExecutionListener> listeners = new ArrayList<>(present);
			listeners.add(listener);
			manager.setTransactionExecutionListeners(listeners);
		}
	}

	/*
	 * Managers of JDBC, JPA and Hibernate have this property; those of Kafka and JMS do
	 * not.
	 */
	private static @Nullable DataSource dataSource(PlatformTransactionManager manager) {
		Method getter = ReflectionUtils.findMethod(manager.getClass(), "getDataSource");
		return (getter != null && ReflectionUtils.invokeMethod(getter, manager) instanceof DataSource dataSource)
				? dataSource : null;
	}

	static DataSource unwrap(DataSource dataSource) {
		DataSource unwrapped = dataSource;
		while (unwrapped instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			unwrapped = delegating.getTargetDataSource();
		}
		return unwrapped;
	}

	/* Early, so that managers that other post-processors need are included too. */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/**
	 * A listener for one manager, because the callbacks have no parameter for it.
	 *
	 * @param owner the transactions of all managers
	 * @param manager the manager
	 * @param dataSource its database
	 */
	private record Listener(FencedTransactions owner, PlatformTransactionManager manager,
			DataSource dataSource) implements TransactionExecutionListener {

		@Override
		public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
			if (failure != null || !transaction.isNewTransaction()) {
				return;
			}
			Open begun = this.owner.open.begin(transaction, this.dataSource);
			try {
				verify(begun);
			}
			catch (RuntimeException | Error ex) {
				fail(transaction, begun, ex);
			}
		}

		/*
		 * Spring does not clean up after a listener that throws: the connection would
		 * stay bound to the thread. So the transaction is rolled back here. If it has
		 * suspended an outer transaction, the rollback would resume it, and Spring would
		 * resume it a second time. In that case, the transaction fails before its commit
		 * instead.
		 */
		private void fail(TransactionExecution transaction, Open begun, Throwable failure) {
			DefaultTransactionStatus status = (DefaultTransactionStatus) transaction;
			if (status.getSuspendedResources() != null) {
				begun.failure = failure;
				return;
			}
			try {
				this.manager.rollback(status);
			}
			catch (RuntimeException ex) {
				failure.addSuppressed(ex);
			}
			ReflectionUtils.rethrowRuntimeException(failure);
		}

		private void verify(Open begun) {
			Fence fence = this.owner.fence;
			List<Object> admissions = (fence != null) ? this.owner.admissions.get() : List.of();
			if (fence == null || admissions.isEmpty() || !begun.isOf(fence.dataSource())) {
				return;
			}
			Connection connection = DataSourceUtils.getConnection(this.dataSource);
			try {
				begun.connection = transactional(connection);
				// In the same order in all transactions, to avoid deadlocks.
				admissions.stream()
					.map(FencedHold.class::cast)
					.sorted(Comparator.comparing(FencedHold::hash))
					.forEach((hold) -> verify(fence, begun, hold));
			}
			finally {
				DataSourceUtils.releaseConnection(connection, this.dataSource);
			}
		}

		private Connection transactional(Connection connection) {
			if (!ThrowingSupplier.of(connection::getAutoCommit).get(IllegalStateException::new)) {
				return connection;
			}
			throw new IllegalStateException("A fenced lock is held, but transactions of " + this.manager
					+ " do not use the connections of its DataSource, so the check of the fence would not last"
					+ " until they end");
		}

		private void verify(Fence fence, Open transaction, FencedHold hold) {
			fence.verify(connection(fence, transaction, hold), hold);
			transaction.verified.add(hold);
			hold.unchecked().set(null);
		}

		/*
		 * If an outer transaction has locked the row and a raise waits for it, a look on
		 * another connection would wait for the raise, and the raise for the outer
		 * transaction. So the look uses the connection of the outer transaction.
		 */
		private Connection connection(Fence fence, Open transaction, FencedHold hold) {
			Connection own = Objects.requireNonNull(transaction.connection);
			Open around = this.owner.open.around(transaction, hold);
			return (around != null && around.connection != null && fence.verifiesAtCommit()) ? around.connection : own;
		}

		@Override
		public void beforeCommit(TransactionExecution transaction) {
			Open open = this.owner.open.find(transaction);
			if (open == null) {
				return;
			}
			if (open.failure != null) {
				ReflectionUtils.rethrowRuntimeException(open.failure);
			}
			Fence fence = this.owner.fence;
			if (fence != null && !open.verified.isEmpty() && fence.verifiesAtCommit()) {
				open.verified.forEach((hold) -> fence.verify(connection(fence, open, hold), hold));
			}
			open.ending = true;
		}

		@Override
		public void beforeRollback(TransactionExecution transaction) {
			Open open = this.owner.open.find(transaction);
			if (open != null) {
				open.ending = true;
			}
		}

		@Override
		public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
			this.owner.open.end(transaction);
		}

		@Override
		public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
			this.owner.open.end(transaction);
		}

	}

}
