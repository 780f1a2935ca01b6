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
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LockKey;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the time limits of looks and raises if another transaction has locked their
 * row, and for the settings of their connections.
 */
@Tag("fast")
@Tag("containers")
@ParameterizedClass
@MethodSource("io.github.watchdoglock.fence.TestDatabase#installed")
@SuppressWarnings("NullAway.Init")
class FenceLimitsTests {

	private static final Duration LIMIT = Duration.ofMillis(1_500);

	private static final Duration TOLERANCE = Duration.ofSeconds(3);

	private static final FencedHold HOLD = new FencedHold(LockKey.of("limits"), "f".repeat(64), 7,
			UUID.randomUUID().toString(), System.nanoTime(), new AtomicReference<>());

	private static final FencedHold LATER = new FencedHold(HOLD.key(), HOLD.hash(), 8, UUID.randomUUID().toString(),
			HOLD.deadline(), new AtomicReference<>());

	@Parameter
	TestDatabase database;

	private SingleConnectionDataSource tested;

	private SingleConnectionDataSource other;

	private FenceTable table;

	private Connection connection;

	private Connection blocking;

	@BeforeEach
	void connect() throws SQLException {
		this.tested = new SingleConnectionDataSource(this.database.url(), true);
		this.other = new SingleConnectionDataSource(this.database.url(), true);
		this.table = new FenceTable(this.tested, FenceTable.DEFAULT_NAME);
		this.table.createIfMissing();
		this.connection = this.tested.getConnection();
		this.blocking = this.other.getConnection();
		execute(this.blocking, "delete from watchdog_lock_fence where lock_hash = '" + HOLD.hash() + "'");
		assertThat(new FenceTable(this.other, FenceTable.DEFAULT_NAME).raise(HOLD, "limits", LIMIT)).isTrue();
		this.blocking.setAutoCommit(false);
		execute(this.connection, switch (this.database) {
			case POSTGRESQL -> "set lock_timeout = '17s'; set statement_timeout = '18s'";
			case H2 -> "set lock_timeout 17000";
			case MARIADB, MYSQL -> "set session innodb_lock_wait_timeout = 17";
		});
	}

	@AfterEach
	void disconnect() throws SQLException {
		this.blocking.rollback();
		this.other.destroy();
		this.tested.destroy();
	}

	@Test
	void fenceCheckOnLockedRowEndsWithinLimit() throws Exception {
		this.connection.setAutoCommit(false);
		this.connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
		List<Object> before = settings();
		block();
		runsOutOfTime(() -> this.table.verify(this.connection, HOLD, LIMIT));
		this.connection.rollback();
		assertThat(settings()).isEqualTo(before);
	}

	@Test
	void raiseOnLockedRowEndsWithinLimit() throws Exception {
		List<Object> before = settings();
		block();
		runsOutOfTime(() -> this.table.raise(LATER, "limits", LIMIT));
		assertThat(settings()).isEqualTo(before);
		this.blocking.rollback();
		assertThat(this.table.raise(LATER, "limits", LIMIT))
			.as("raise succeeds after the blocking transaction has ended")
			.isTrue();
		assertThat(settings()).isEqualTo(before);
	}

	@Test
	void firstRaiseBlockedByInsertEndsWithinLimit() throws Exception {
		List<Object> before = settings();
		execute(this.blocking, "delete from watchdog_lock_fence where lock_hash = '" + HOLD.hash() + "'");
		this.blocking.commit();
		execute(this.blocking, "insert into watchdog_lock_fence (lock_hash, lock_name, token, holder, uses) values ('"
				+ HOLD.hash() + "', 'limits', 1, 'other', 1)");
		runsOutOfTime(() -> this.table.raise(LATER, "limits", LIMIT));
		assertThat(settings()).isEqualTo(before);
		this.blocking.rollback();
		assertThat(this.table.raise(LATER, "limits", LIMIT))
			.as("first raise succeeds after the blocking insert was rolled back")
			.isTrue();
	}

	@Test
	void fenceCheckKeepsConnectionSettings() throws Exception {
		this.connection.setAutoCommit(false);
		this.connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
		List<Object> before = settings();
		assertThat(this.table.verify(this.connection, HOLD, LIMIT)).isTrue();
		assertThat(settings()).isEqualTo(before);
		assertThat(this.table.verify(this.connection, LATER, LIMIT)).as("check of a token that was never raised fails")
			.isFalse();
		assertThat(settings()).isEqualTo(before);
		this.connection.rollback();
	}

	@Test
	void raiseCommitsAndRestoresConnectionSettings() throws Exception {
		this.connection.setAutoCommit(false);
		this.connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
		List<Object> before = settings();
		this.connection.rollback();
		assertThat(this.table.raise(LATER, "limits", LIMIT)).isTrue();
		assertThat(settings()).isEqualTo(before);
		this.connection.rollback();
		// The raise is committed nevertheless.
		assertThat(this.table.raise(HOLD, "limits", LIMIT))
			.as("raise to an earlier token fails, so the later raise was committed")
			.isFalse();
		assertThat(settings()).isEqualTo(before);
		this.connection.rollback();
		FenceTable missing = new FenceTable(this.tested, "missing");
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> missing.raise(LATER, "limits", LIMIT));
		assertThat(settings()).isEqualTo(before);
	}

	/* Locks the row, as a look of another transaction or a raise does. */
	private void block() throws SQLException {
		execute(this.blocking,
				"update watchdog_lock_fence set uses = uses + 1 where lock_hash = '" + HOLD.hash() + "'");
	}

	private static void runsOutOfTime(ThrowingCallable waiting) {
		long start = System.nanoTime();
		assertThatExceptionOfType(SQLException.class).isThrownBy(waiting).matches(FenceDatabase::isConflict);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(LIMIT, LIMIT.plus(TOLERANCE));
	}

	/*
	 * The settings on which the user's statements, and those of the next user of the
	 * pool, depend.
	 */
	private List<Object> settings() throws SQLException {
		List<Object> settings = new ArrayList<>();
		settings.add(this.connection.getAutoCommit());
		settings.add(this.connection.getTransactionIsolation());
		settings.add(this.connection.isReadOnly());
		List<String> queries = switch (this.database) {
			case POSTGRESQL -> List.of("show lock_timeout", "show statement_timeout",
					"show default_transaction_isolation", "show transaction_isolation");
			case H2 -> List.of("select lock_timeout()");
			case MARIADB -> List.of("select @@innodb_lock_wait_timeout", "select @@max_statement_time");
			case MYSQL -> List.of("select @@innodb_lock_wait_timeout", "select @@max_execution_time");
		};
		try (Statement statement = this.connection.createStatement()) {
			// H2 keeps the timeout of a statement for the whole connection.
			settings.add(statement.getQueryTimeout());
			for (String query : queries) {
				try (ResultSet result = statement.executeQuery(query)) {
					assertThat(result.next()).isTrue();
					settings.add(result.getString(1));
				}
			}
		}
		return settings;
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
