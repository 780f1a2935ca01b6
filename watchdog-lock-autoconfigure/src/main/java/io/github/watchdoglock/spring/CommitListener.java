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

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Hears of each transaction just before it is committed, after all synchronizations, and
 * when it was.
 */
final class CommitListener implements TransactionExecutionListener {

	private final Runnable check;

	private final CommitWatches watches;

	CommitListener(Runnable check, CommitWatches watches) {
		this.check = check;
		this.watches = watches;
	}

	/*
	 * What the check throws must be no TransactionException: Spring takes that for the
	 * failure of the commit itself, and does not roll back. Read-only transactions are
	 * checked too, since to many databases that is a hint.
	 */
	@Override
	public void beforeCommit(TransactionExecution transaction) {
		this.check.run();
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
		if (failure == null && transaction.isNewTransaction()) {
			this.watches.committed(transaction.getTransactionName());
		}
	}

}
