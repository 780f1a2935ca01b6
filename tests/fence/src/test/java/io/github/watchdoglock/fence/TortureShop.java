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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * The transactions of the torture run. Each reads amounts, writes them increased by one,
 * and writes the amounts read into the ledger, so that a lost update can be found.
 */
class TortureShop {

	static final String FENCED = "fenced";

	static final String PLAIN = "plain";

	private final JdbcTemplate jdbc;

	private final LocalLocks locks;

	private final int instance;

	TortureShop(JdbcTemplate jdbc, LocalLocks locks, int instance) {
		this.jdbc = jdbc;
		this.locks = locks;
		this.instance = instance;
	}

	@DistributedLock(name = FENCED, key = "#keys", fenced = true, waitTime = "3s")
	@Transactional
	void fenced(List<String> keys, Runnable work) {
		work.run();
	}

	@DistributedLock(name = PLAIN, key = "#keys", waitTime = "3s")
	@Transactional
	void plain(List<String> keys, Runnable work) {
		work.run();
	}

	Map<String, Long> read(List<String> keys) {
		Map<String, Long> amounts = new LinkedHashMap<>();
		keys.forEach((key) -> amounts.put(key,
				this.jdbc.queryForObject("select amount from stock where lock_key = ?", Long.class, key)));
		return amounts;
	}

	/* Whether no transaction of another holder is open; it does not wait for locks. */
	Map<String, Boolean> areAlone(List<String> keys) {
		Map<String, Boolean> alone = new LinkedHashMap<>();
		keys.forEach((key) -> alone.put(key,
				!this.jdbc
					.queryForList("select lock_key from marker where lock_key = ? for update skip locked", String.class,
							key)
					.isEmpty()));
		return alone;
	}

	void write(Map<String, Long> read, Map<String, Boolean> alone, String name) {
		read.forEach((key, amount) -> {
			long token = this.locks.current(LockKey.of(name, key)).orElseThrow().fencingToken();
			this.jdbc
				.update("""
						with sold as (update stock set amount = ? where lock_key = ? returning lock_key)
						insert into ledger (lock_key, seen, token, instance, alone) select lock_key, ?, ?, ?, ? from sold""",
						amount + 1, key, amount, token, this.instance, alone.get(key));
		});
	}

}
