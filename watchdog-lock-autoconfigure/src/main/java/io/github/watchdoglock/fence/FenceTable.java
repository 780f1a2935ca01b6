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

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.util.function.ThrowingSupplier;

/**
 * The fence's table. For each lock, it has the greatest token and the holder that raised
 * it. Thread-safe.
 */
public final class FenceTable {

	private static final Log logger = LogFactory.getLog(FenceTable.class);

	/**
	 * The name of the table in the scripts.
	 */
	public static final String DEFAULT_NAME = "watchdog_lock_fence";

	/* The limit of one statement that reads rows to be deleted. */
	private static final int MAX_READ = 1_000;

	private final DataSource dataSource;

	private final String table;

	private volatile @Nullable FenceDatabase database;

	/** Whether the table must be created before it is used. */
	private volatile boolean uncreated;

	/**
	 * Create access to a table.
	 * @param dataSource the database of the table
	 * @param table its name, with its schema if that is not the default one
	 */
	public FenceTable(DataSource dataSource, String table) {
		this.dataSource = FencedTransactions.unwrap(dataSource);
		this.table = table;
	}

	/**
	 * Return the database of the table.
	 * @return the data source, without its proxies
	 */
	public DataSource dataSource() {
		return this.dataSource;
	}

	/* Whether transactions look again before they commit; true before the first use. */
	boolean verifiesAtCommit() {
		FenceDatabase database = this.database;
		return database == null || database.verifiesAtCommit();
	}

	private FenceDatabase database(Connection connection) throws SQLException {
		FenceDatabase database = this.database;
		if (database == null) {
			database = FenceDatabase.of(connection);
			this.database = database;
		}
		return database;
	}

	/*
	 * Raises the token of a lock, and waits for the end of transactions that have looked
	 * at it. Returns false if there is a greater token.
	 */
	boolean raise(FencedHold hold, String name, Duration limit) throws SQLException {
		long end = System.nanoTime() + limit.toNanos();
		create();
		return inAutocommit(limit, (connection) -> {
			while (true) {
				try {
					return update(connection, hold, end) || insert(connection, hold, name, end)
							|| update(connection, hold, end);
				}
				catch (SQLException ex) {
					if (!FenceDatabase.isSerializationFailure(ex) || end - System.nanoTime() <= 0) {
						throw ex;
					}
				}
			}
		});
	}

	private boolean update(Connection connection, FencedHold hold, long end) throws SQLException {
		return execute(connection, end, (ex) -> false,
				"update " + this.table
						+ " set token = ?, holder = ?, uses = uses + 1 where lock_hash = ? and token < ?",
				hold.token(), hold.holder(), hold.hash(), hold.token()) > 0;
	}

	/* False if there is a row already. */
	private boolean insert(Connection connection, FencedHold hold, String name, long end) throws SQLException {
		return execute(connection, end, FenceDatabase::isDuplicate,
				"insert into " + this.table + " (lock_hash, lock_name, token, holder, uses) values (?, ?, ?, ?, 1)",
				hold.hash(), name, hold.token(), hold.holder()) > 0;
	}

	/*
	 * Whether the row is still that of this hold, in the transaction of a connection.
	 * Locks the row until the transaction ends, unless the transaction cannot write.
	 */
	boolean verify(Connection connection, FencedHold hold, Duration limit) throws SQLException {
		FenceDatabase database = database(connection);
		boolean readOnly = database.isReadOnly(connection);
		String query = readOnly ? "select token, holder from " + this.table + " where lock_hash = ?"
				: database.verificationQuery(this.table);
		int before = database.limitLocks(connection, (int) limit.toMillis());
		try (PreparedStatement look = prepare(connection, query, System.nanoTime() + limit.toNanos())) {
			look.setString(1, hold.hash());
			try (ResultSet row = look.executeQuery()) {
				if (!row.next()) {
					return readOnly;
				}
				long token = row.getLong(1);
				// A replica may not have received the raise yet.
				return readOnly ? token <= hold.token()
						: token == hold.token() && hold.holder().equals(row.getString(2).trim());
			}
		}
		finally {
			database.limitLocks(connection, before);
		}
	}

	/* Changes the row to one of another holder, for tests. */
	void overtake(String hash, String holder) throws SQLException {
		Duration limit = Duration.ofSeconds(30);
		long end = System.nanoTime() + limit.toNanos();
		inAutocommit(limit, (connection) -> {
			if (execute(connection, end, (ex) -> false,
					"update " + this.table + " set token = token + 1, holder = ?, uses = uses + 1 where lock_hash = ?",
					holder, hash) == 0) {
				throw new IllegalStateException("The lock has no row in " + this.table
						+ ": no fenced method has begun under it. Call the method first");
			}
			return true;
		});
	}

	/**
	 * Create the table if it is missing. If the database fails, the next use of the table
	 * creates it.
	 */
	public void createIfMissing() {
		this.uncreated = true;
		try {
			create();
		}
		catch (SQLException ex) {
			logger.debug("The next use of " + this.table + " creates it", ex);
		}
	}

	private void create() throws SQLException {
		if (this.uncreated) {
			inAutocommit(Duration.ofSeconds(30), (connection) -> isThere(connection) || create(connection));
			this.uncreated = false;
		}
	}

	private boolean create(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			return statement.execute(schema(database(connection)));
		}
		catch (SQLException ex) {
			// Another instance may have created it at the same moment.
			if (!isThere(connection)) {
				throw ex;
			}
			return true;
		}
	}

	private boolean isThere(Connection connection) {
		try {
			return read(connection);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private boolean read(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			return statement
				.execute("select lock_hash, lock_name, token, holder, uses from " + this.table + " where 1 = 0");
		}
	}

	private String schema(FenceDatabase database) {
		Resource script = database.schema();
		if (!script.exists()) {
			throw new IllegalStateException("There is no script that creates " + this.table
					+ " in this database. Create it yourself, and set watchdog-lock.fence.initialize-schema=never");
		}
		return ThrowingSupplier.of(() -> script.getContentAsString(StandardCharsets.UTF_8))
			.get()
			.replace(DEFAULT_NAME, this.table)
			.replace(";", "");
	}

	/* Throws if the table is missing. */
	void check() throws SQLException {
		create();
		inAutocommit(Duration.ofSeconds(30), this::read);
	}

	/*
	 * Deletes rows with smaller tokens. Candidates are read without locks, and each is
	 * deleted separately: one statement for all would wait for the first row that is in
	 * use.
	 */
	void deleteBelow(long token) throws SQLException {
		inAutocommit(Duration.ofSeconds(1), (connection) -> {
			List<Candidate> candidates;
			int deleted;
			do {
				candidates = candidates(connection, token);
				deleted = 0;
				for (Candidate candidate : candidates) {
					deleted += delete(connection, candidate);
				}
			}
			while (candidates.size() == MAX_READ && deleted > 0);
			return true;
		});
	}

	/* Returns the number of deleted rows; 0 if the row is in use. */
	private int delete(Connection connection, Candidate candidate) throws SQLException {
		return execute(connection, System.nanoTime() + TimeUnit.SECONDS.toNanos(1), FenceDatabase::isConflict,
				"delete from " + this.table + " where lock_hash = ? and token = ?", candidate.hash(),
				candidate.token());
	}

	private List<Candidate> candidates(Connection connection, long token) throws SQLException {
		List<Candidate> candidates = new ArrayList<>();
		try (PreparedStatement select = connection
			.prepareStatement("select lock_hash, token from " + this.table + " where token < ?")) {
			select.setMaxRows(MAX_READ);
			select.setLong(1, token);
			try (ResultSet rows = select.executeQuery()) {
				while (rows.next()) {
					candidates.add(new Candidate(rows.getString(1), rows.getLong(2)));
				}
			}
		}
		return candidates;
	}

	/* On a separate connection, regardless of the thread's transaction. */
	private boolean inAutocommit(Duration limit, ConnectionCallback<Boolean> work) throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			FenceDatabase database = database(connection);
			boolean autocommit = connection.getAutoCommit();
			int isolation = database.repeatsRaises() ? Connection.TRANSACTION_NONE
					: connection.getTransactionIsolation();
			if (!autocommit) {
				connection.setAutoCommit(true);
			}
			if (isolation > Connection.TRANSACTION_READ_COMMITTED) {
				connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
			}
			int before = database.limitLocks(connection, (int) limit.toMillis());
			try {
				return Boolean.TRUE.equals(work.doInConnection(connection));
			}
			finally {
				database.limitLocks(connection, before);
				if (isolation > Connection.TRANSACTION_READ_COMMITTED) {
					connection.setTransactionIsolation(isolation);
				}
				if (!autocommit) {
					connection.setAutoCommit(false);
				}
			}
		}
	}

	/*
	 * Executes a statement with arguments of type String and Long. Returns the number of
	 * its rows; 0 if it fails with an expected exception.
	 */
	private int execute(Connection connection, long end, Predicate<SQLException> expected, String sql,
			Object... arguments) throws SQLException {
		try (PreparedStatement statement = prepare(connection, sql, end)) {
			for (int i = 0; i < arguments.length; i++) {
				statement.setObject(i + 1, arguments[i]);
			}
			return statement.executeUpdate();
		}
		catch (SQLException ex) {
			if (expected.test(ex)) {
				return 0;
			}
			throw ex;
		}
	}

	/* JDBC's timeouts are whole seconds, and zero is no limit. */
	private PreparedStatement prepare(Connection connection, String sql, long end) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(sql);
		if (database(connection).limitsStatements()) {
			long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
			statement.setQueryTimeout((int) Math.max((left + 999) / 1_000, 1));
		}
		return statement;
	}

	private record Candidate(String hash, long token) {

	}

}
