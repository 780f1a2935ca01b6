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

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import org.awaitility.Awaitility;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.ThrowingSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two instances that sell the stock of one database. All tests of a JVM share them. They
 * end with the JVM.
 */
final class TestShop {

	static final int TEN = 10;

	private static final Map<TestDatabase, TestShop> SHOPS = new EnumMap<>(TestDatabase.class);

	private static final TortureRedis REDIS = ThrowingSupplier.of(TortureRedis::new).get();

	private final TestInstance first;

	private final TestInstance second;

	private TestShop(TestDatabase database) {
		this.first = new TestInstance(database.url(), redisPort());
		this.second = new TestInstance(database.url(), redisPort());
	}

	/* Open the shop with ten phones, ten tablets and no held lock. */
	static TestShop open(TestDatabase database) {
		TestShop shop = SHOPS.computeIfAbsent(database, TestShop::new);
		shop.first.stockUp(TEN);
		new FenceTable(shop.first.bean(DataSource.class), FenceTable.DEFAULT_NAME).createIfMissing();
		return shop;
	}

	static int redisPort() {
		return REDIS.port();
	}

	TestInstance first() {
		return this.first;
	}

	TestInstance second() {
		return this.second;
	}

	/* Let Redis forget the holder of an article's lock. */
	void forget(String sku) {
		this.first.bean(StringRedisTemplate.class).delete("watchdog-lock:{stock:" + sku + "}");
	}

	/*
	 * Ensure that the next test finds no held lock, and nothing of this test's
	 * transactions.
	 */
	void close() {
		for (TestInstance instance : new TestInstance[] { this.first, this.second }) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(instance.bean(LocalLocks.class).list()).isEmpty());
		}
		clean();
	}

	/* Ensure that no resource is bound to the calling thread. */
	static void clean() {
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
		assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
		assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
	}

	static void refused(Runnable work) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(work::run)
			.returns(LockLoss.Reason.OVERTAKEN, LockLostException::getReason);
	}

	static void nothing() {
	}

	static void await(CountDownLatch latch) {
		assertThat(ThrowingSupplier.of(() -> latch.await(20, TimeUnit.SECONDS)).get()).isTrue();
	}

}
