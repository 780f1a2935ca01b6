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

package io.github.watchdoglock.autoconfigure;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

import javax.sql.DataSource;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.autoconfigure.WatchdogLockProperties.FenceProperties;
import io.github.watchdoglock.autoconfigure.WatchdogLockProperties.SchemaInitialization;
import io.github.watchdoglock.fence.Fence;
import io.github.watchdoglock.fence.FenceTable;
import io.github.watchdoglock.fence.FencedTransactions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;

/**
 * The choice of the database that has the table of fenced locks: the only or primary
 * {@code DataSource}, unless a property names another one.
 *
 * @param beans the beans of the application
 * @param properties the properties of the table
 * @param transactions knows which transactions can be fenced
 */
record FenceTableChoice(ListableBeanFactory beans, FenceProperties properties, FencedTransactions transactions) {

	private static final Log logger = LogFactory.getLog(FenceTableChoice.class);

	private static final String PREFIX = "watchdog-lock.fence.";

	/*
	 * SQL states of failing connections, and of a database that is starting or stopping.
	 */
	private static final String[] PASSING = { "08", "53", "57P" };

	FenceTable choose() {
		DataSource dataSource = dataSource();
		FenceTable table = new FenceTable(dataSource, this.properties.tableName());
		// All of them are created here, because lazy ones are not known before.
		List<PlatformTransactionManager> managers = this.beans.getBeanProvider(PlatformTransactionManager.class)
			.stream()
			.toList();
		if (!this.transactions.includes(table.dataSource())) {
			throw new LockConfigurationException(
					"A lock is fenced, and no transaction manager bean of JDBC, JPA or Hibernate uses the DataSource"
							+ " that has the table: no transaction would be fenced.",
					"Set " + PREFIX + "data-source to the name of the DataSource of the transactions to be fenced, or"
							+ " leave out 'fenced'.");
		}
		if (!this.properties.trusted()) {
			rejectIfUnchecked(table.dataSource(), managers);
		}
		if (this.properties.initializeSchema() == SchemaInitialization.ALWAYS
				|| (this.properties.initializeSchema() == SchemaInitialization.EMBEDDED
						&& EmbeddedDatabaseConnection.isEmbedded(dataSource))) {
			table.createIfMissing();
		}
		return table;
	}

	private DataSource dataSource() {
		BeanChoice<DataSource> choice = new BeanChoice<>(this.beans, DataSource.class, PREFIX + "data-source");
		DataSource chosen = choice.choose(this.properties.dataSource());
		if (chosen == null) {
			String present = choice.names();
			throw new LockConfigurationException(
					present.isEmpty() ? "A lock is fenced, and the application has no DataSource bean."
							: "A lock is fenced, and there are several DataSource beans, none of which is primary: "
									+ present + ".",
					present.isEmpty() ? "Leave out 'fenced', or add the database whose transactions it fences."
							: "Set " + PREFIX + "data-source to the name of the one whose transactions are fenced.");
		}
		return chosen;
	}

	private static void rejectIfUnchecked(DataSource dataSource, List<PlatformTransactionManager> managers) {
		if (managers.stream().anyMatch(JtaTransactionManager.class::isInstance)) {
			throw new LockConfigurationException(
					"A lock is fenced, and the application has a JtaTransactionManager, whose transactions are never"
							+ " fenced.",
					"Leave out 'fenced'; or, if no fenced method relies on these transactions, set " + PREFIX
							+ "trusted=true.");
		}
		if (dataSource instanceof AbstractRoutingDataSource) {
			throw new LockConfigurationException(
					"A lock is fenced, and the application has a routing DataSource, which may lead transactions and"
							+ " the fence to different databases.",
					"Leave out 'fenced'; or name a DataSource of one database in " + PREFIX + "data-source; or, if all"
							+ " fenced transactions use the database that has the table, set " + PREFIX
							+ "trusted=true.");
		}
	}

	/*
	 * A database that cannot be reached now may be reachable when the first lock is
	 * needed.
	 */
	static void check(Fence fence, FenceProperties properties) {
		try {
			fence.check();
		}
		catch (SQLException ex) {
			if (ex.getSQLState() == null || Arrays.stream(PASSING).anyMatch(ex.getSQLState()::startsWith)) {
				logger.warn("The table of fenced locks could not be checked, since the database did not answer: "
						+ ex.getMessage());
				return;
			}
			boolean always = properties.initializeSchema() == SchemaInitialization.ALWAYS;
			throw new LockConfigurationException(
					"The table '" + properties.tableName() + "' of fenced locks cannot be "
							+ (always ? "created or read: " : "read: ") + ex.getMessage(),
					(always ? "Grant the database user the privilege to create tables, or create"
							: "Set " + PREFIX + "initialize-schema=always, or create")
							+ " the table with the script io/github/watchdoglock/fence/schema-<database>.sql of this"
							+ " library.");
		}
	}

}
