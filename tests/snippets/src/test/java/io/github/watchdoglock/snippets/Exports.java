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

package io.github.watchdoglock.snippets;

import java.util.function.Consumer;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Exports that only a limited number of callers run at once, each with a row that it has
 * claimed, as shown on the page about permits.
 */
public class Exports {

	private final LocalLocks localLocks;

	private final JdbcTemplate jdbc;

	private final Consumer<String> shipping;

	Exports(LocalLocks localLocks, JdbcTemplate jdbc, Consumer<String> shipping) {
		this.localLocks = localLocks;
		this.jdbc = jdbc;
		this.shipping = shipping;
	}

	@DistributedLock(name = "export", permits = 5, onLoss = OnLoss.INTERRUPT)
	public void export(String id) {
		long token = this.localLocks.current(LockKey.of("export")).orElseThrow().fencingToken();
		this.jdbc.update("update export set token = ? where id = ? and not done", token, id);
		ship(id);
		int done = this.jdbc.update("update export set done = true where id = ? and token = ?", id, token);
		if (done == 0) {
			throw new IllegalStateException("another holder has begun it since");
		}
	}

	private void ship(String id) {
		this.shipping.accept(id);
	}

}
