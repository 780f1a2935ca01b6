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
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.spring.CommitGuard;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the detection of the transaction in which the calling thread is.
 */
@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("NullAway.Init")
class FencedScopesTests {

	private static final LockRequest PHONE = LockRequest.of("stock", "phone").withFenced(true);

	@AutoClose
	private TestInstance instance;

	@BeforeEach
	void start() {
		this.instance = new TestInstance(TestDatabase.H2.url(), 0, "watchdog-lock.store=local");
		this.instance.stockUp(10);
	}

	@Test
	void otherDatabaseTransactionDoesNotHideOuterTransaction() {
		PlatformTransactionManager other = manager(
				new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";USER=sa"));
		assertThatIllegalStateException()
			.isThrownBy(() -> transaction().executeWithoutResult((outer) -> new TransactionTemplate(other)
				.executeWithoutResult((inner) -> this.instance.stock().sell("phone", TestShop::nothing))))
			.withMessageContaining("must be acquired before the transaction begins");
		new TransactionTemplate(other)
			.executeWithoutResult((outer) -> this.instance.stock().sell("phone", TestShop::nothing));
		assertThat(this.instance.stock().amount("phone")).isEqualTo(9);
	}

	@Test
	void otherDatabaseTransactionIsRejectedAfterLossOfFencedLock() throws Exception {
		PlatformTransactionManager other = manager(
				new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";USER=sa"));
		this.instance.bean(CommitGuard.class).postProcessAfterInitialization(other, "another");
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			this.instance.locks().forceRelease(handle.key());
			assertThat(handle.whenLost()).succeedsWithin(Duration.ofSeconds(10));
			transaction().executeWithoutResult((fenced) -> TestShop.nothing());
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> new TransactionTemplate(other).executeWithoutResult((status) -> TestShop.nothing()))
				.returns(LockLoss.Reason.FORCED, LockLostException::getReason);
		}
	}

	@Test
	void savepointOfAFencedTransactionIsCommittedAfterALoss() throws Exception {
		PlatformTransactionManager manager = manager(this.instance.bean(DataSource.class));
		this.instance.bean(CommitGuard.class).postProcessAfterInitialization(manager, "another");
		TransactionTemplate nested = new TransactionTemplate(manager);
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			new TransactionTemplate(manager).executeWithoutResult((outer) -> {
				this.instance.locks().forceRelease(handle.key());
				assertThat(handle.whenLost()).succeedsWithin(Duration.ofSeconds(10));
				nested.executeWithoutResult((savepoint) -> this.instance.jdbc().update("update stock set amount = 7"));
			});
		}
		assertThat(this.instance.stock().amount("phone")).isEqualTo(7);
	}

	@Test
	void fencedMethodIsRejectedAfterCommitUnlessInNewTransaction() {
		transaction().executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						assertThatIllegalStateException()
							.isThrownBy(() -> FencedScopesTests.this.instance.stock().sell("phone", TestShop::nothing));
						FencedScopesTests.this.instance.stock().sellInNew("phone");
					}

				}));
		assertThat(this.instance.stock().amount("phone")).isEqualTo(9);
	}

	@Test
	void overtakenHolderIsNotifiedWhenRollbackFails() throws Exception {
		AtomicBoolean cut = new AtomicBoolean();
		PlatformTransactionManager manager = manager(new Cutting(this.instance.bean(DataSource.class), cut));
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			this.instance.bean(Fence.class).overtake(handle.key());
			cut.set(true);
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> new TransactionTemplate(manager).executeWithoutResult((status) -> {
				}))
				.returns(LockLoss.Reason.OVERTAKEN, LockLostException::getReason);
		}
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void releaseWithoutACheckedTransactionIsWarnedAboutOncePerName(CapturedOutput output) throws Exception {
		this.instance.stock().sell("phone", TestShop::nothing);
		this.instance.locks().acquire(PHONE.withFenced(false)).close();
		this.instance.stock().within("tablet", () -> this.instance.jdbc().update("update stock set amount = 1"));
		this.instance.stock().within("phone", () -> 0);
		LockRequest orders = LockRequest.of("orders").withFenced(true);
		try (LockHandle outer = this.instance.locks().acquire(orders)) {
			this.instance.locks().acquire(orders).close();
			transaction().executeWithoutResult((status) -> TestShop.nothing());
		}
		this.instance.locks().acquire(LockRequest.of("mails").withFenced(true)).close();
		await().atMost(Duration.ofSeconds(10)).until(() -> output.toString().contains("Lock 'mails' is fenced"));
		assertThat(output.toString().lines().filter((line) -> line.contains("without a transaction that had checked")))
			.as("one warning for each name whose hold ended unchecked")
			.hasSize(2)
			.anyMatch((line) -> line.contains("WARN") && line.contains("Lock 'stock' is fenced"));
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.instance.bean(PlatformTransactionManager.class));
	}

	/* With its listener, as if it were a bean. */
	private PlatformTransactionManager manager(DataSource dataSource) {
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		this.instance.bean(FencedTransactions.class).postProcessAfterInitialization(manager, "another");
		return manager;
	}

	/**
	 * A database whose connections can no longer roll back.
	 */
	private static final class Cutting extends DelegatingDataSource {

		private final AtomicBoolean cut;

		private Cutting(DataSource dataSource, AtomicBoolean cut) {
			super(dataSource);
			this.cut = cut;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return FenceStatements.proxy(Connection.class, (method, arguments) -> {
				if (method.getName().equals("rollback") && this.cut.get()) {
					throw new SQLException("The connection is cut", "08006");
				}
				return FenceStatements.call(connection, method, arguments);
			});
		}

	}

}
