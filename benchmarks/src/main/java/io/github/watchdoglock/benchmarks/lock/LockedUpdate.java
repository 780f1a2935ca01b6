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

package io.github.watchdoglock.benchmarks.lock;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;

/**
 * A transaction with one update of the key's row: under a lock of this project, or with
 * the row itself locked instead. It begins when the lock is acquired, and is committed
 * before the lock is released.
 */
final class LockedUpdate implements Competitor {

	private final @Nullable Competitor locks;

	private final JdbcTemplate jdbc;

	private final JdbcTransactionManager transactions;

	private final Map<String, Integer> rows = new ConcurrentHashMap<>();

	private LockedUpdate(ConfigurableApplicationContext context, boolean locked) {
		this.locks = locked ? new WatchdogLock(context) : null;
		this.jdbc = context.getBean(JdbcTemplate.class);
		this.transactions = context.getBean(JdbcTransactionManager.class);
		this.jdbc.execute("create table if not exists stock (sku varchar(50) primary key, amount int not null)");
	}

	/* The pool has a connection for each caller. */
	static LockedUpdate create(int port, Duration lease, String database, boolean locked, boolean fenced) {
		return new LockedUpdate(WatchdogLock.start(port, lease, "spring.autoconfigure.exclude=",
				"spring.datasource.url=" + database, "spring.datasource.hikari.maximum-pool-size=20",
				"watchdog-lock.fence.initialize-schema=always", "watchdog-lock.fenced=" + fenced), locked);
	}

	@Override
	public Held lock(String key) throws InterruptedException {
		this.rows.computeIfAbsent(key,
				(sku) -> this.jdbc.update("insert into stock values (?, 0) on conflict do nothing", sku));
		Held held = (this.locks != null) ? this.locks.lock(key) : () -> {
		};
		TransactionStatus transaction = this.transactions.getTransaction(null);
		if (this.locks == null) {
			this.jdbc.queryForObject("select amount from stock where sku = ? for update", Integer.class, key);
		}
		this.jdbc.update("update stock set amount = amount + 1 where sku = ?", key);
		return new Held() {

			@Override
			public void unlock() {
				try {
					LockedUpdate.this.transactions.commit(transaction);
				}
				finally {
					held.unlock();
				}
			}

			@Override
			public long token() {
				return held.token();
			}

		};
	}

}
