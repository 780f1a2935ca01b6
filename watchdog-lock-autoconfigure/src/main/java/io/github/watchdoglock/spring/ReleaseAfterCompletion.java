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
import java.util.List;

import io.github.watchdoglock.LockHandle;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Closes handles when a transaction is complete, the last one first.
 */
final class ReleaseAfterCompletion implements TransactionSynchronization {

	private List<LockHandle> handles = new ArrayList<>();

	boolean add(LockHandle handle) {
		return this.handles.add(handle);
	}

	/*
	 * Among synchronizations of equal order, the one that was registered last is called
	 * last. So a new one is called after the listeners for events of the work, which are
	 * also called on completion.
	 */
	@Override
	public void beforeCompletion() {
		if (TransactionSynchronizationManager.isSynchronizationActive() && !this.handles.isEmpty()) {
			ReleaseAfterCompletion last = new ReleaseAfterCompletion();
			last.handles = this.handles;
			this.handles = new ArrayList<>();
			TransactionSynchronizationManager.registerSynchronization(last);
		}
	}

	/* Without waiting, because the thread may still have the connection. */
	@Override
	public void afterCompletion(int status) {
		for (int i = this.handles.size() - 1; i >= 0; i--) {
			var unused = this.handles.get(i).closeAsync();
		}
	}

}
