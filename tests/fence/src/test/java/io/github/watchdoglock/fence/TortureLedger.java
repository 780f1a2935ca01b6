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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The records that the transactions of the torture run write about themselves, together
 * with their sales.
 */
final class TortureLedger {

	private final JdbcTemplate jdbc;

	TortureLedger(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
		for (String table : List.of("stock", "marker", "ledger")) {
			jdbc.execute("drop table if exists " + table);
		}
		jdbc.execute("create table stock (lock_key varchar(40) primary key, amount bigint not null)");
		jdbc.execute("create table marker (lock_key varchar(40) primary key)");
		jdbc.execute("create table ledger (id bigserial primary key, lock_key varchar(40) not null,"
				+ " seen bigint not null, token bigint not null, instance int not null, alone boolean not null,"
				+ " transaction bigint not null default txid_current())");
	}

	/* Begin a phase with rows of its own. */
	void begin(String phase, int keys) {
		for (int key = 0; key < keys; key++) {
			this.jdbc.update("insert into stock values (?, 0)", phase + key);
			this.jdbc.update("insert into marker values (?)", phase + key);
		}
	}

	long transactions(String phase) {
		Long count = this.jdbc.queryForObject(
				"select count(distinct transaction) from ledger where lock_key like ? || '%'", Long.class, phase);
		return (count != null) ? count : 0;
	}

	List<Violation> check(String phase) {
		Map<String, List<Entry>> entries = new LinkedHashMap<>();
		Map<String, Long> amounts = new LinkedHashMap<>();
		// Read in one snapshot.
		this.jdbc.query("""
				select s.lock_key, s.amount, l.seen, l.token, l.instance, l.alone
				from stock s left join ledger l on l.lock_key = s.lock_key
				where s.lock_key like ? || '%' order by s.lock_key, l.seen, l.id""", (row) -> {
			String key = row.getString(1);
			amounts.put(key, row.getLong(2));
			List<Entry> mine = entries.computeIfAbsent(key, (absent) -> new ArrayList<>());
			long seen = row.getLong(3);
			if (!row.wasNull()) {
				mine.add(new Entry(seen, row.getLong(4), row.getInt(5), row.getBoolean(6)));
			}
		}, phase);
		List<Violation> found = new ArrayList<>();
		entries.forEach((key, mine) -> found.addAll(check(key, mine, amounts.getOrDefault(key, 0L))));
		return found;
	}

	/*
	 * Without a lost update, each amount was read once, after the transaction that wrote
	 * it had committed. So the amounts are in the order of the commits.
	 */
	static List<Violation> check(String key, List<Entry> entries, long amount) {
		List<Violation> found = new ArrayList<>();
		if (amount != entries.size()) {
			found.add(new Violation(Violation.Kind.LOST_UPDATE,
					"the amount of " + key + " is " + amount + " after " + entries.size() + " transactions"));
		}
		for (int i = 0; i < entries.size(); i++) {
			Entry entry = entries.get(i);
			Entry before = (i > 0) ? entries.get(i - 1) : new Entry(-1, 0, entry.instance, true);
			if (entry.seen == before.seen) {
				found.add(new Violation(Violation.Kind.LOST_UPDATE,
						"of " + key + " two read the same: " + before + " and " + entry));
			}
			else if (entry.seen != before.seen + 1) {
				found.add(new Violation(Violation.Kind.LOST_UPDATE,
						"of " + key + " nothing has written what was read: " + entry + " after " + before));
			}
			if (entry.token < before.token || (entry.token == before.token && entry.instance != before.instance)) {
				found.add(new Violation(Violation.Kind.TOKEN_ORDER,
						"of " + key + " an earlier token follows a later one: " + before + " and " + entry));
			}
			if (!entry.alone) {
				found.add(new Violation(Violation.Kind.STILL_OPEN,
						"of " + key + " another transaction was open when this one had begun: " + entry));
			}
		}
		return found;
	}

	/**
	 * An entry of one transaction for one of its keys.
	 *
	 * @param seen the amount that it has read
	 * @param token the fencing token
	 * @param instance the holder
	 * @param alone whether no other transaction under the lock was open
	 */
	record Entry(long seen, long token, int instance, boolean alone) {

	}

	/**
	 * A violation of the fence's promises.
	 *
	 * @param kind the kind
	 * @param text a description
	 */
	record Violation(Kind kind, String text) {

		/**
		 * The kind of a violation.
		 */
		enum Kind {

			LOST_UPDATE, TOKEN_ORDER, STILL_OPEN, CONFLICT

		}

	}

}
