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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import javax.sql.DataSource;

import io.github.watchdoglock.fence.FenceVariant.Look;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A data source for PostgreSQL that drops, delays or moves the statements of the fence,
 * depending on the variant.
 */
final class FenceStatements extends AbstractDataSource {

	private static final String RAISE_IN_TRANSACTION = """
			insert into watchdog_lock_fence (lock_hash, lock_name, token, holder, uses) values (?, '', ?, ?, 1)
			on conflict (lock_hash) do update set token = excluded.token, holder = excluded.holder
			where watchdog_lock_fence.token < excluded.token or watchdog_lock_fence.holder = excluded.holder""";

	private final DataSource target;

	private volatile FenceVariant variant = FenceVariant.RIGHT;

	/* The rows that a thread has raised, until it raises them for its next hold. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<Map<String, Raised>> raised = ThreadLocal.withInitial(HashMap::new);

	FenceStatements(DataSource target) {
		this.target = target;
	}

	void follow(FenceVariant variant) {
		this.variant = variant;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = this.target.getConnection();
		return this.variant.isBroken() ? new BrokenConnection(connection, this.variant).proxy() : connection;
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		throw new UnsupportedOperationException();
	}

	static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	static <T> T proxy(Class<T> type, Invocation invocation) {
		return type.cast(Proxy.newProxyInstance(FenceStatements.class.getClassLoader(), new Class<?>[] { type }, (proxy,
				method, arguments) -> invocation.invoke(method, (arguments != null) ? arguments : new Object[0])));
	}

	/**
	 * A connection that is checked out of the pool.
	 */
	private final class BrokenConnection {

		private final Connection connection;

		private final FenceVariant variant;

		private final Map<String, Raised> atCommit = new LinkedHashMap<>();

		BrokenConnection(Connection connection, FenceVariant variant) {
			this.connection = connection;
			this.variant = variant;
		}

		Connection proxy() {
			return FenceStatements.proxy(Connection.class, this::invoke);
		}

		private @Nullable Object invoke(Method method, Object[] arguments) throws Throwable {
			if (method.getName().equals("prepareStatement") && arguments.length == 1) {
				String sql = (String) arguments[0];
				if (sql.startsWith("update " + FenceTable.DEFAULT_NAME)) {
					return statement(sql, "executeUpdate", this::raise);
				}
				if (sql.startsWith("select token, holder from " + FenceTable.DEFAULT_NAME)) {
					return statement(sql, "executeQuery", this::look);
				}
			}
			if (method.getName().equals("commit")) {
				beforeCommit();
			}
			return call(this.connection, method, arguments);
		}

		private PreparedStatement statement(String sql, String execution, Execution replacement) throws SQLException {
			PreparedStatement statement = this.connection.prepareStatement(sql);
			Map<Integer, Object> parameters = new HashMap<>();
			return FenceStatements.proxy(PreparedStatement.class, (method, arguments) -> {
				if (method.getName().equals(execution)) {
					return replacement.execute(statement, parameters);
				}
				if (arguments.length == 2 && arguments[0] instanceof Integer index) {
					parameters.put(index, arguments[1]);
				}
				return call(statement, method, arguments);
			});
		}

		private Object raise(PreparedStatement statement, Map<Integer, Object> parameters) throws SQLException {
			FenceStatements.this.raised.get()
				.put((String) parameter(parameters, 3),
						new Raised((Long) parameter(parameters, 1), (String) parameter(parameters, 2)));
			return this.variant.raisesFirst ? statement.executeUpdate() : 1;
		}

		private Object look(PreparedStatement statement, Map<Integer, Object> parameters) throws SQLException {
			String hash = (String) parameter(parameters, 1);
			Raised mine = Objects.requireNonNull(FenceStatements.this.raised.get().get(hash));
			if (this.variant.look == Look.COMMIT) {
				this.atCommit.put(hash, mine);
				return mine.row();
			}
			if (this.variant.look == Look.NEVER) {
				return mine.row();
			}
			if (this.variant.raisesInTransaction) {
				return raiseHere(hash, mine) ? mine.row() : new Raised(Long.MAX_VALUE, "").row();
			}
			// The row has not been raised, so its content is irrelevant; it is locked
			// nevertheless.
			statement.executeQuery().close();
			return mine.row();
		}

		private Object parameter(Map<Integer, Object> parameters, int index) {
			return Objects.requireNonNull(parameters.get(index));
		}

		private void beforeCommit() throws SQLException {
			for (Map.Entry<String, Raised> hold : this.atCommit.entrySet()) {
				boolean valid = this.variant.raisesInTransaction ? raiseHere(hold.getKey(), hold.getValue())
						: isThere(hold.getKey(), hold.getValue());
				if (!valid) {
					this.connection.rollback();
					throw new SQLException("overtaken", "40001");
				}
			}
		}

		private boolean raiseHere(String hash, Raised hold) throws SQLException {
			try (PreparedStatement raise = this.connection.prepareStatement(RAISE_IN_TRANSACTION)) {
				raise.setString(1, hash);
				raise.setLong(2, hold.token);
				raise.setString(3, hold.holder);
				return raise.executeUpdate() > 0;
			}
		}

		private boolean isThere(String hash, Raised hold) throws SQLException {
			try (PreparedStatement look = this.connection
				.prepareStatement(FenceDatabase.POSTGRESQL.verificationQuery(FenceTable.DEFAULT_NAME))) {
				look.setString(1, hash);
				try (ResultSet row = look.executeQuery()) {
					return row.next() && row.getLong(1) == hold.token && row.getString(2).equals(hold.holder);
				}
			}
		}

	}

	/**
	 * The content of a raised row.
	 */
	private record Raised(long token, String holder) {

		/* A result that the fence considers as its own row. */
		ResultSet row() {
			return proxy(ResultSet.class, (method, arguments) -> switch (method.getName()) {
				case "next" -> true;
				case "getLong" -> this.token;
				case "getString" -> this.holder;
				case "close" -> null;
				default -> throw new UnsupportedOperationException(method.getName());
			});
		}

	}

	/**
	 * A method of a proxy.
	 */
	interface Invocation {

		@Nullable Object invoke(Method method, Object[] arguments) throws Throwable;

	}

	/**
	 * The execution of a statement with parameters.
	 */
	private interface Execution {

		Object execute(PreparedStatement statement, Map<Integer, Object> parameters) throws SQLException;

	}

}
