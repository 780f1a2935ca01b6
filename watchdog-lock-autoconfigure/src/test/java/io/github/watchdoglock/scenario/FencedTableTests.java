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

package io.github.watchdoglock.scenario;

import java.time.Duration;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a table that remembers the highest fencing token of its writes, and rejects
 * smaller tokens. It protects data when a lock cannot: from a holder that was overtaken
 * and does not know.
 */
class FencedTableTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final LockRequest TICKETS = LockRequest.of("tickets")
		.withLease(Lease.fixed(Duration.ofSeconds(1)))
		.withWaitTime(Duration.ofSeconds(10));

	@AutoClose("shutdown")
	private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
		.generateUniqueName(true)
		.build();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.database);

	@BeforeEach
	void createTable() {
		this.jdbc.execute("create table stock (item varchar primary key, amount int, fence bigint)");
		this.jdbc.update("insert into stock values ('ticket', 100, 0)");
	}

	@Test
	void overtakenHolderCannotOverwriteNextHolder() throws Exception {
		try (RedisInstance one = new RedisInstance(redis.port()).connected();
				RedisInstance two = new RedisInstance(redis.port()).connected()) {
			LockHandle overtaken = one.engine().acquire(TICKETS);
			int read = amount();
			// The holder is paused for longer than its lease, and another caller acquires
			// the lock.
			try (LockHandle successor = two.engine().acquire(TICKETS)) {
				assertThat(write(amount() - 1, successor.fencingToken())).isTrue();
				assertThat(write(amount() - 1, successor.fencingToken())).isTrue();
			}
			assertThat(write(read - 1, overtaken.fencingToken())).isFalse();
			assertThat(amount()).isEqualTo(98);
			overtaken.close();
		}
	}

	private boolean write(int amount, long token) {
		return this.jdbc.update("update stock set amount = ?, fence = ? where item = 'ticket' and fence <= ?", amount,
				token, token) == 1;
	}

	private int amount() {
		Integer amount = this.jdbc.queryForObject("select amount from stock where item = 'ticket'", Integer.class);
		assertThat(amount).isNotNull();
		return amount;
	}

}
