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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LockKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for holders with seeded tokens from a small range, so that many are equal, as
 * after a failover of Redis to a replica that has not received the last ones.
 */
class FenceTokensTests {

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private static final long SEED = Long.getLong("torture.seed", System.nanoTime() & 0xFFFFFF);

	private static final int RAISES = 400;

	@ParameterizedTest
	@MethodSource("io.github.watchdoglock.fence.TestDatabase#installed")
	void onlyFirstHolderOfTokenIsAdmittedAndOnlyLatestIsValid(TestDatabase database) throws SQLException {
		assertThat(mistakes(database, UnaryOperator.identity())).as("seed %d", SEED).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("io.github.watchdoglock.fence.TestDatabase#installed")
	void raiseToEqualTokenIsDetectedAsMistake(TestDatabase database) throws SQLException {
		assertThat(mistakes(database, (sql) -> sql.replace("token < ?", "token <= ?"))).as("seed %d", SEED)
			.isNotEmpty();
	}

	/* The seeded raises and looks with a wrong answer. */
	private static List<String> mistakes(TestDatabase database, UnaryOperator<String> change) throws SQLException {
		Random random = new Random(SEED);
		List<String> mistakes = new ArrayList<>();
		SingleConnectionDataSource single = new SingleConnectionDataSource(database.url(), true);
		try {
			FenceTable table = new FenceTable(new ChangedStatements(single, change), "drawn_fence");
			table.createIfMissing();
			String hash = UUID.randomUUID().toString().replace("-", "").repeat(2);
			List<FencedHold> holds = new ArrayList<>();
			FencedHold latest = new FencedHold(LockKey.of("drawn"), hash, Long.MIN_VALUE, "", 0,
					new AtomicReference<>());
			for (int i = 0; i < RAISES; i++) {
				// Slowly growing tokens, with many from the past.
				FencedHold hold = new FencedHold(LockKey.of("drawn"), hash, 1 + i / 20 + random.nextInt(4) - 2,
						UUID.randomUUID().toString(), System.nanoTime(), new AtomicReference<>());
				boolean right = hold.token() > latest.token();
				if (table.raise(hold, "drawn", LIMIT) != right) {
					mistakes.add("raise to " + hold.token() + " after " + latest);
				}
				latest = right ? hold : latest;
				holds.add(hold);
				FencedHold other = holds.get(random.nextInt(holds.size()));
				if (look(table, single, other) != other.equals(latest)) {
					mistakes.add("look of " + other + " after " + latest);
				}
				if (!look(table, single, latest)) {
					mistakes.add("look of the latest, " + latest);
				}
			}
		}
		finally {
			single.destroy();
		}
		return mistakes;
	}

	private static boolean look(FenceTable table, SingleConnectionDataSource dataSource, FencedHold hold)
			throws SQLException {
		Connection connection = dataSource.getConnection();
		connection.setAutoCommit(false);
		try {
			return table.verify(connection, hold, LIMIT);
		}
		finally {
			connection.rollback();
			connection.setAutoCommit(true);
		}
	}

	/**
	 * A database that receives changed statements.
	 */
	private static final class ChangedStatements extends AbstractDataSource {

		private final SingleConnectionDataSource target;

		private final UnaryOperator<String> change;

		ChangedStatements(SingleConnectionDataSource target, UnaryOperator<String> change) {
			this.target = target;
			this.change = change;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = this.target.getConnection();
			return FenceStatements.proxy(Connection.class, (method, arguments) -> {
				if (method.getName().equals("prepareStatement")) {
					arguments[0] = this.change.apply((String) arguments[0]);
				}
				return FenceStatements.call(connection, method, arguments);
			});
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			throw new UnsupportedOperationException();
		}

	}

}
