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

import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that each thread has begun and not completed: the innermost one, and
 * those that are suspended for it. Thread-safe; a thread accesses only its own
 * transactions.
 */
final class OpenTransactions {

	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<Deque<Open>> transactions = ThreadLocal.withInitial(ArrayDeque::new);

	Open begin(TransactionExecution execution, DataSource dataSource) {
		Deque<Open> mine = this.transactions.get();
		// Managers that fail may not report the end.
		mine.removeIf((other) -> other.execution.isCompleted());
		Open begun = new Open(execution, dataSource);
		mine.push(begun);
		return begun;
	}

	@Nullable Open find(TransactionExecution execution) {
		return innermost((open) -> open.execution == execution);
	}

	@Nullable Open innermost() {
		return innermost((open) -> true);
	}

	void end(TransactionExecution execution) {
		Deque<Open> mine = this.transactions.get();
		mine.removeIf((open) -> open.execution == execution);
		if (mine.isEmpty()) {
			this.transactions.remove();
		}
	}

	/*
	 * Whether the next statement of the thread belongs to a transaction that can still
	 * write: the innermost one of a database, unless it is suspended. A method that joins
	 * a transaction after its commit has begun would write to the connection, and Spring
	 * would commit that later without calling a listener.
	 */
	boolean isInTransactionOf(DataSource dataSource, boolean joining) {
		Open open = innermost((candidate) -> candidate.isOf(dataSource));
		return open != null && (joining || !open.ending) && !open.execution.isCompleted()
				&& TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.hasResource(open.dataSource);
	}

	/* The innermost suspended transaction around this one that has looked at the hold. */
	@Nullable Open around(Open inner, FencedHold hold) {
		return innermost((open) -> open != inner && !open.ending && open.verified.contains(hold));
	}

	private @Nullable Open innermost(Predicate<Open> wanted) {
		return this.transactions.get().stream().filter(wanted).findFirst().orElse(null);
	}

	/**
	 * One open transaction.
	 */
	static final class Open {

		final TransactionExecution execution;

		final DataSource dataSource;

		final List<FencedHold> verified = new ArrayList<>(1);

		/** The connection of its looks; null before the first one. */
		@Nullable Connection connection;

		/** The failure to throw at the commit, because the begin could not fail. */
		@Nullable Throwable failure;

		/** Whether its commit or rollback has begun. */
		boolean ending;

		private Open(TransactionExecution execution, DataSource dataSource) {
			this.execution = execution;
			this.dataSource = dataSource;
		}

		boolean isOf(DataSource unwrapped) {
			return FencedTransactions.unwrap(this.dataSource) == unwrapped;
		}

	}

}
