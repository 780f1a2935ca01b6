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

import io.github.watchdoglock.LockHandle;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactions that Spring binds to threads; the innermost one applies.
 */
public final class ThreadTransactions {

	private ThreadTransactions() {
	}

	/**
	 * Return whether the calling thread is in a transaction whose end it is notified of.
	 * @return whether {@link #closeAfterwards} would close a handle later
	 */
	public static boolean isActive() {
		return TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionSynchronizationManager.isActualTransactionActive();
	}

	/**
	 * Close a handle when the calling thread's transaction is complete, committed or not,
	 * after all other synchronizations.
	 * @param handle the handle
	 * @return whether the handle will be closed; false if the thread is in no transaction
	 */
	public static boolean closeAfterwards(LockHandle handle) {
		return isActive() && release().add(handle);
	}

	/* The last one, because it passes its handles on when the completion begins. */
	private static ReleaseAfterCompletion release() {
		ReleaseAfterCompletion release = null;
		for (TransactionSynchronization present : TransactionSynchronizationManager.getSynchronizations()) {
			release = (present instanceof ReleaseAfterCompletion other) ? other : release;
		}
		if (release == null) {
			release = new ReleaseAfterCompletion();
			TransactionSynchronizationManager.registerSynchronization(release);
		}
		return release;
	}

}
