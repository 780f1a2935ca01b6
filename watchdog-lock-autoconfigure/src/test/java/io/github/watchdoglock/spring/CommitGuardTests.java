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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

/**
 * Tests for {@link CommitGuard} and {@link Commits}.
 */
class CommitGuardTests {

	private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
		.generateUniqueName(true)
		.build();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.database);

	private final DataSourceTransactionManager manager = new DataSourceTransactionManager(this.database);

	private final AtomicInteger checks = new AtomicInteger();

	private final LockLostException lost = new LockLostException(
			new LockLoss(LockKey.of("orders", "42"), 7, LockLoss.Reason.EXPIRED));

	private boolean allowed = true;

	private final Commits commits = new Commits();

	private final CommitGuard guard = new CommitGuard(this.commits, (transaction, hold) -> false);

	CommitGuardTests() {
		this.commits.checkBy((fenced, flush) -> {
			this.checks.incrementAndGet();
			if (!this.allowed) {
				throw this.lost;
			}
		});
		this.jdbc.execute("create table orders (id int primary key)");
		this.guard.postProcessAfterInitialization(this.manager, "transactionManager");
	}

	@AfterEach
	void shutDown() {
		this.database.shutdown();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void refusedCommitIsRolledBackWithOriginalException(boolean readOnly) {
		this.allowed = false;
		TransactionTemplate transaction = transaction("own");
		transaction.setReadOnly(readOnly);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> transaction.executeWithoutResult((status) -> insert()))
			.isSameAs(this.lost);
		assertThat(orders()).isZero();
		assertThat(this.checks).hasValue(1);
	}

	@Test
	void rolledBackTransactionIsNotChecked() {
		this.allowed = false;
		assertThatIllegalStateException().isThrownBy(() -> transaction("own").executeWithoutResult((status) -> {
			throw new IllegalStateException("business");
		})).withMessage("business");
		assertThat(this.checks).hasValue(0);
	}

	@Test
	void joinedTransactionIsCheckedOnceAtOuterCommit() {
		transaction("outer").executeWithoutResult((status) -> {
			transaction("inner").executeWithoutResult((joined) -> insert());
			assertThat(this.checks).hasValue(0);
		});
		assertThat(this.checks).hasValue(1);
	}

	@Test
	void refusedInnerTransactionDoesNotRollBackOuterTransaction() {
		TransactionTemplate inner = transaction("inner", TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		transaction("outer").executeWithoutResult((status) -> {
			this.allowed = false;
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> inner.executeWithoutResult((own) -> insert()));
			this.allowed = true;
		});
		assertThat(orders()).isZero();
		assertThat(this.checks).hasValue(2);
	}

	@Test
	void managerIsGuardedOnceAndKeepsImmutableListeners() {
		TransactionExecutionListener own = new TransactionExecutionListener() {
		};
		this.manager.setTransactionExecutionListeners(List.of(own));
		this.guard.postProcessAfterInitialization(this.manager, "transactionManager");
		this.guard.postProcessAfterInitialization(this.manager, "transactionManager");
		assertThat(this.manager.getTransactionExecutionListeners()).hasSize(2).contains(own);
	}

	@Test
	void reactiveTransactionManagerIsNotGuarded() {
		AbstractReactiveTransactionManager reactive = mock();
		this.guard.postProcessAfterInitialization(reactive, "transactionManager");
		verifyNoInteractions(reactive);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void watchReportsNoCommitAfterRollback(boolean refused) {
		this.allowed = !refused;
		BooleanSupplier watch = this.commits.watch("own");
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> transaction("own").executeWithoutResult((status) -> {
				if (!refused) {
					throw new IllegalStateException("business");
				}
			}));
		assertThat(watch.getAsBoolean()).as("commit reported after a rollback").isFalse();
	}

	@Test
	void watchIgnoresOtherAndJoinedTransactions() {
		transaction("outer").executeWithoutResult((status) -> {
			BooleanSupplier watch = this.commits.watch("own");
			transaction("own").executeWithoutResult((joined) -> insert());
			transaction("other", TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult((committed) -> {
			});
			assertThat(watch.getAsBoolean()).as("commit reported for another or joined transaction").isFalse();
		});
	}

	@Test
	void watchIgnoresNestedTransactionWithSavepoint() {
		transaction("outer").executeWithoutResult((status) -> {
			BooleanSupplier watch = this.commits.watch("own");
			transaction("own", TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((savepoint) -> insert());
			assertThat(watch.getAsBoolean()).isFalse();
		});
	}

	@Test
	void watchIgnoresCommitThatFailed() {
		DataSourceTransactionManager failing = new DataSourceTransactionManager(this.database) {
			@Override
			protected void doCommit(DefaultTransactionStatus status) {
				throw new TransactionSystemException("commit");
			}
		};
		this.guard.postProcessAfterInitialization(failing, "failing");
		BooleanSupplier watch = this.commits.watch("own");
		TransactionTemplate template = new TransactionTemplate(failing);
		template.setName("own");
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> template.executeWithoutResult((status) -> insert()));
		assertThat(watch.getAsBoolean()).isFalse();
	}

	@Test
	void commitIsReportedOnlyToInnermostWatch() {
		BooleanSupplier outer = this.commits.watch("own");
		BooleanSupplier inner = this.commits.watch("own");
		transaction("own").executeWithoutResult((status) -> insert());
		assertThat(inner.getAsBoolean()).isTrue();
		assertThat(outer.getAsBoolean()).as("commit reported to the outer watch").isFalse();
	}

	@Test
	void outerWatchReportsCommitAfterInnerWatchHasEnded() {
		BooleanSupplier outer = this.commits.watch("own");
		assertThat(this.commits.watch("inner").getAsBoolean()).isFalse();
		transaction("own").executeWithoutResult((status) -> insert());
		assertThat(outer.getAsBoolean()).isTrue();
		assertThat(this.commits.watch("own").getAsBoolean()).isFalse();
	}

	@Test
	void watchIgnoresCommitOfOtherThread() throws InterruptedException {
		BooleanSupplier watch = this.commits.watch("own");
		List<Throwable> failures = new ArrayList<>();
		Thread other = new Thread(() -> transaction("own").executeWithoutResult((status) -> insert()));
		other.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
		other.start();
		other.join();
		assertThat(failures).isEmpty();
		assertThat(orders()).isOne();
		assertThat(watch.getAsBoolean()).isFalse();
	}

	private TransactionTemplate transaction(String name) {
		TransactionTemplate template = new TransactionTemplate(this.manager);
		template.setName(name);
		return template;
	}

	private TransactionTemplate transaction(String name, int propagation) {
		TransactionTemplate template = transaction(name);
		template.setPropagationBehavior(propagation);
		return template;
	}

	private void insert() {
		this.jdbc.update("insert into orders values (42)");
	}

	private int orders() {
		Integer count = this.jdbc.queryForObject("select count(*) from orders", Integer.class);
		return (count != null) ? count : -1;
	}

}
