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
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The fence leaves connections as they were: those of its own, and those of transactions.
 */
@ParameterizedClass
@MethodSource("io.github.watchdoglock.fence.TestDatabase#installed")
@SuppressWarnings("NullAway.Init")
class FencedConnectionsTests {

	private static final LockRequest PHONE = LockRequest.of("stock", "phone")
		.withFenced(true)
		.withWaitTime(Duration.ofSeconds(1));

	@Parameter
	TestDatabase database;

	private TestInstance instance;

	@AfterEach
	void stop() {
		this.instance.close();
	}

	@Test
	void aLookLeavesNoTimeoutInTheTransaction() throws Exception {
		start();
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			assertThat(handle.isHeld()).isTrue();
			transaction().executeWithoutResult((status) -> assertThat(
					this.instance.jdbc().execute((ConnectionCallback<Integer>) FencedConnectionsTests::timeout))
				.isZero());
		}
	}

	@Test
	void aRaiseRestoresItsConnectionThoughItFails() throws Exception {
		start();
		try (Connection connection = this.instance.bean(DataSource.class).getConnection()) {
			connection.setAutoCommit(false);
			connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
			FencedHold hold = hold(5);
			FenceTable table = new FenceTable(new SingleConnectionDataSource(connection, true),
					FenceTable.DEFAULT_NAME);
			assertThat(table.raise(hold, "phone", Duration.ofSeconds(1))).isTrue();
			restored(connection);
			assertThat(rows(hold)).isEqualTo(1);
			assertThat(table.raise(hold, "phone", Duration.ofSeconds(1))).isFalse();
			restored(connection);
			FenceTable missing = new FenceTable(new SingleConnectionDataSource(connection, true), "missing");
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> missing.raise(hold, "phone", Duration.ofSeconds(1)));
			restored(connection);
		}
	}

	@Test
	void theTableIsCreatedWhenTheDatabaseResponds() throws Exception {
		start();
		this.instance.jdbc().execute("drop table if exists late_fence");
		AtomicInteger failures = new AtomicInteger(2);
		FenceTable table = new FenceTable(new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				if (failures.getAndDecrement() > 0) {
					throw new SQLException("The database starts", "57P03");
				}
				return FencedConnectionsTests.this.instance.bean(DataSource.class).getConnection();
			}

			@Override
			public Connection getConnection(String user, String password) throws SQLException {
				return getConnection();
			}

		}, "late_fence");
		table.createIfMissing();
		assertThatExceptionOfType(SQLException.class).isThrownBy(table::check)
			.withMessageContaining("The database starts");
		assertThat(table.raise(hold(5), "phone", Duration.ofSeconds(1))).isTrue();
	}

	@Test
	void oldRowsAreDeletedHoweverManyThereAre() throws Exception {
		start();
		List<Object[]> rows = IntStream.range(0, 1_500).mapToObj((i) -> new Object[] { "%064d".formatted(i) }).toList();
		this.instance.jdbc().batchUpdate("insert into watchdog_lock_fence values (?, 'old', 5, 'other', 1)", rows);
		new FenceTable(this.instance.bean(DataSource.class), FenceTable.DEFAULT_NAME).deleteBelow(6);
		assertThat(this.instance.jdbc().queryForObject("select count(*) from watchdog_lock_fence", Integer.class))
			.isZero();
	}

	private void restored(Connection connection) throws SQLException {
		assertThat(connection.getAutoCommit()).isFalse();
		assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
		assertThat(timeout(connection)).isZero();
		connection.rollback();
	}

	private static int timeout(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			return statement.getQueryTimeout();
		}
	}

	private @Nullable Integer rows(FencedHold hold) {
		return this.instance.jdbc()
			.queryForObject("select count(*) from watchdog_lock_fence where lock_hash = ?", Integer.class, hold.hash());
	}

	private static FencedHold hold(long token) {
		return new FencedHold(LockKey.of("stock", "phone"), "f".repeat(64), token, "me", System.nanoTime());
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.instance.bean(PlatformTransactionManager.class));
	}

	private void start() {
		this.instance = new TestInstance(this.database.url(), 0, "watchdog-lock.store=local");
		this.instance.jdbc().update("delete from watchdog_lock_fence");
	}

}
