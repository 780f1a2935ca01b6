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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.watchdoglock.LockKey;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.AbstractDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FenceTable}: how it is created, and how its old rows are deleted.
 */
@ParameterizedClass
@MethodSource("io.github.watchdoglock.fence.TestDatabase#installed")
@SuppressWarnings("NullAway.Init")
class FenceTableTests {

	@Parameter
	TestDatabase database;

	@AutoClose
	private TestInstance instance;

	@BeforeEach
	void start() {
		this.instance = new TestInstance(this.database.url(), 0, "watchdog-lock.store=local");
		this.instance.jdbc().update("delete from watchdog_lock_fence");
	}

	@Test
	void tableIsCreatedOnceDatabaseResponds() throws Exception {
		this.instance.jdbc().execute("drop table if exists late_fence");
		AtomicInteger failures = new AtomicInteger(2);
		FenceTable table = new FenceTable(new AbstractDataSource() {

			@Override
			public Connection getConnection() throws SQLException {
				if (failures.getAndDecrement() > 0) {
					throw new SQLException("The database starts", "57P03");
				}
				return FenceTableTests.this.instance.bean(DataSource.class).getConnection();
			}

			@Override
			public Connection getConnection(String user, String password) throws SQLException {
				return getConnection();
			}

		}, "late_fence");
		table.createIfMissing();
		assertThatExceptionOfType(SQLException.class).isThrownBy(table::check)
			.withMessageContaining("The database starts");
		FencedHold hold = new FencedHold(LockKey.of("stock", "phone"), "f".repeat(64), 5, "me", System.nanoTime(),
				new AtomicReference<>());
		assertThat(table.raise(hold, "phone", Duration.ofSeconds(1))).as("raise succeeds once the database responds")
			.isTrue();
	}

	@Test
	void deletionRemovesAll1500OldRows() throws Exception {
		List<Object[]> rows = IntStream.range(0, 1_500).mapToObj((i) -> new Object[] { "%064d".formatted(i) }).toList();
		this.instance.jdbc().batchUpdate("insert into watchdog_lock_fence values (?, 'old', 5, 'other', 1)", rows);
		new FenceTable(this.instance.bean(DataSource.class), FenceTable.DEFAULT_NAME).deleteBelow(6);
		assertThat(this.instance.jdbc().queryForObject("select count(*) from watchdog_lock_fence", Integer.class))
			.as("old rows left in the fence table")
			.isZero();
	}

}
