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

import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FenceDatabase}.
 */
class FenceDatabaseTests {

	/*
	 * MySQL's driver also reports a MariaDB server as MySQL; MariaDB rejects "for share".
	 */
	@Test
	void verificationQueryOfMySqlEqualsThatOfMariaDb() {
		assertThat(FenceDatabase.MYSQL.verificationQuery("fence"))
			.isEqualTo(FenceDatabase.MARIADB.verificationQuery("fence"));
	}

	/* Deadlock, serialization failure, cancelled statement, and timeout of a row lock. */
	@ParameterizedTest
	@CsvSource({ "61000, 60", "72000, 8177", "72000, 1013", "72000, 30006" })
	void conflictOfOracleIsRecognizedByErrorCode(String state, int code) {
		assertThat(FenceDatabase.isConflict(new SQLException("ORA", state, code)))
			.as("as('error %%s of Oracle is a conflict', code): true")
			.isTrue();
	}

}
