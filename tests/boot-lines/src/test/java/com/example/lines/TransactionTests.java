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

package com.example.lines;

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for locks around transactions and inside them.
 */
@ShopTest
class TransactionTests {

	@Autowired
	private Shop shop;

	@Autowired
	private Holds holds;

	@Autowired
	private LockService locks;

	@Autowired
	private LocalLocks local;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private TransactionTemplate transaction;

	@Test
	void lockIsReleasedAfterCommit() {
		LockKey key = LockKey.of("article", "committed");
		List<String> atCommit = new ArrayList<>();
		this.shop.put("committed", () -> afterCompletion(() -> atCommit.add(this.holds.describe(key))));
		assertThat(atCommit).containsExactly("held");
		assertThat(this.holds.describe(key)).isEqualTo("free");
		assertThat(rows("committed")).as("rows committed under the lock").isOne();
	}

	@Test
	void lostLockPreventsCommitOfTransaction() {
		LockKey key = LockKey.of("article", "lost");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.put("lost", () -> {
			assertThat(this.locks.forceRelease(key)).isTrue();
			await().until(() -> this.local.current(key).filter(LockHandle::isHeld).isEmpty());
		}));
		assertThat(rows("lost")).as("rows committed after the loss of the lock").isZero();
	}

	@Test
	void lockIsReleasedAfterSurroundingTransaction() {
		LockKey key = LockKey.of("article", "kept");
		this.transaction.executeWithoutResult((status) -> {
			this.locks.executeWithoutResult(LockRequest.of(key).withReleaseAfterTransaction(),
					(handle) -> assertThat(handle.isHeld()).isTrue());
			assertThat(this.holds.describe(key)).isEqualTo("held");
		});
		assertThat(this.holds.describe(key)).isEqualTo("free");
	}

	private int rows(String sku) {
		Integer rows = this.jdbc.queryForObject("select count(*) from article where sku = ?", Integer.class, sku);
		return (rows != null) ? rows : 0;
	}

	private static void afterCompletion(Runnable action) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				action.run();
			}

		});
	}

}
