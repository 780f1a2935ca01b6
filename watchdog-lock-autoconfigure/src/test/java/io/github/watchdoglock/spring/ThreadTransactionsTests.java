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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ThreadTransactions}.
 */
class ThreadTransactionsTests {

	private final List<String> calls = new ArrayList<>();

	@AfterEach
	void end() {
		TransactionSynchronizationManager.clear();
	}

	@Test
	void transactionEndClosesHandlesAsynchronouslyInReverseOrder() {
		begin(true);
		assertThat(ThreadTransactions.closeAfterwards(handle("a"))).isTrue();
		assertThat(ThreadTransactions.closeAfterwards(handle("b"))).isTrue();
		assertThat(this.calls).isEmpty();
		complete();
		assertThat(this.calls).containsExactly("closeAsync b", "closeAsync a");
	}

	@Test
	void transactionIsActiveOnlyWithSynchronization() {
		assertThat(ThreadTransactions.isActive()).isFalse();
		begin(false);
		assertThat(ThreadTransactions.isActive()).as("synchronization without a transaction").isFalse();
		assertThat(ThreadTransactions.closeAfterwards(handle("a"))).isFalse();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		assertThat(ThreadTransactions.isActive()).isTrue();
		TransactionSynchronizationManager.clearSynchronization();
		assertThat(ThreadTransactions.isActive()).as("transaction without synchronization").isFalse();
		assertThat(this.calls).isEmpty();
	}

	private static void begin(boolean transaction) {
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(transaction);
	}

	private static void complete() {
		TransactionSynchronizationManager.getSynchronizations().forEach(TransactionSynchronization::beforeCompletion);
		List<TransactionSynchronization> all = TransactionSynchronizationManager.getSynchronizations();
		TransactionSynchronizationManager.clearSynchronization();
		all.forEach((one) -> one.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
	}

	private LockHandle handle(String name) {
		return mock(LockHandle.class, (call) -> {
			this.calls.add(call.getMethod().getName() + " " + name);
			return null;
		});
	}

}
