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
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/**
 * The differences between databases that the fence depends on.
 */
enum FenceDatabase {

	/**
	 * Share locks are granted while a raise waits, and last until the transaction ends.
	 */
	POSTGRESQL("PostgreSQL", "", " for share"),

	/** InnoDB, also in MySQL 5.7, or in MariaDB with MySQL's driver. */
	MYSQL("MySQL", "", " lock in share mode"),

	/** InnoDB. */
	MARIADB("MariaDB", "", " lock in share mode"),

	/** The lock timeout of the session limits statements. */
	H2("H2", "", " for update"),

	/** The table hint keeps the lock until the transaction ends. */
	SQL_SERVER("Microsoft SQL Server", " with (repeatableread, rowlock)", ""),

	/** It has no share locks of rows. */
	ORACLE("Oracle", "", " for update"),

	/** Other databases that support {@code for update}. */
	OTHER("", "", " for update");

	/*
	 * The SQL states of timeouts of statements and row locks, cancelled statements,
	 * deadlocks and serialization failures.
	 */
	private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "55P03", "57014", "70100", "HYT00", "HYT01");

	/*
	 * The same for MySQL, MariaDB, SQL Server and Oracle, whose states are less specific.
	 */
	private static final Set<Integer> CONFLICT_CODES = Set.of(1205, 1213, 1222, 1969, 3024, 60, 1013, 8177, 30006);

	private final String product;

	private final String hint;

	private final String suffix;

	FenceDatabase(String product, String hint, String suffix) {
		this.product = product;
		this.hint = hint;
		this.suffix = suffix;
	}

	static FenceDatabase of(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		for (FenceDatabase database : values()) {
			if (database.product.equals(product)) {
				return database;
			}
		}
		return OTHER;
	}

	/* Does not exist if there is no script for this database. */
	Resource schema() {
		String name = "schema-" + name().toLowerCase(Locale.ROOT).replace("_", "") + ".sql";
		return new ClassPathResource(name, FenceDatabase.class);
	}

	/* Reads the row, and locks it until the transaction ends. */
	String verificationQuery(String table) {
		return "select token, holder from " + table + this.hint + " where lock_hash = ?" + this.suffix;
	}

	/*
	 * Whether a transaction may lose its row lock before it ends: as the victim of a
	 * deadlock, or through DDL with an implicit commit.
	 */
	boolean verifiesAtCommit() {
		return this != POSTGRESQL;
	}

	/*
	 * Whether the database enforces that this transaction is read-only, and then rejects
	 * locks of rows.
	 */
	boolean isReadOnly(Connection connection) throws SQLException {
		if (this != POSTGRESQL || !connection.isReadOnly()) {
			return false;
		}
		try (Statement statement = connection.createStatement();
				ResultSet setting = statement.executeQuery("show transaction_read_only")) {
			return setting.next() && "on".equals(setting.getString(1));
		}
	}

	/*
	 * Limits statements of a connection that have no timeout themselves. Returns the
	 * previous limit.
	 */
	int limitLocks(Connection connection, int millis) throws SQLException {
		if (this != H2) {
			return 0;
		}
		try (Statement statement = connection.createStatement()) {
			int before;
			try (ResultSet setting = statement.executeQuery("select lock_timeout()")) {
				setting.next();
				before = setting.getInt(1);
			}
			statement.execute("set lock_timeout " + millis);
			return before;
		}
	}

	/* In H2, a statement's timeout applies to its connection, and would remain there. */
	boolean limitsStatements() {
		return this != H2;
	}

	/*
	 * Raises run at READ COMMITTED. In PostgreSQL, reading and setting the isolation
	 * level would cost a round trip each, so raises with a serialization failure are
	 * repeated instead.
	 */
	boolean repeatsRaises() {
		return this == POSTGRESQL;
	}

	/* Whether another transaction has locked the row, or has changed it meanwhile. */
	static boolean isConflict(SQLException ex) {
		return ex instanceof SQLTimeoutException || (ex.getSQLState() != null && CONFLICTS.contains(ex.getSQLState()))
				|| CONFLICT_CODES.contains(ex.getErrorCode());
	}

	/* A conflict after which a repetition may succeed at once. */
	static boolean isSerializationFailure(SQLException ex) {
		return "40001".equals(ex.getSQLState()) || "40P01".equals(ex.getSQLState());
	}

	static boolean isDuplicate(SQLException ex) {
		return ex.getSQLState() != null && ex.getSQLState().startsWith("23");
	}

}
