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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.watchdoglock.fence.TestInstance.Stock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for locked methods that are called inside a transaction, in two instances, with
 * the transactions of JDBC and JPA.
 */
class CallersTransactionsTests {

	private static final String[] WITH_JPA = {};

	private static final String[] WITHOUT_JPA = { "spring.data.jpa.repositories.enabled=false",
			"spring.autoconfigure.exclude="
					+ "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration" };

	static Stream<Arguments> databases() {
		return TestDatabase.installed()
			.flatMap((database) -> Stream.of(JpaTransactionManager.class, JdbcTransactionManager.class)
				.map((manager) -> Arguments.of(database, manager)));
	}

	@ParameterizedTest
	@MethodSource("databases")
	void noSaleIsLostWhenLockIsReleasedAfterTransaction(TestDatabase database,
			Class<? extends PlatformTransactionManager> manager) {
		assertThat(sellOut(database, manager, (stock) -> stock.sellUnfenced("phone", TestShop::nothing)))
			.as("phones left after 400 sales under the lock")
			.isZero();
	}

	@ParameterizedTest
	@MethodSource("databases")
	void salesAreLostIfTheLockIsReleasedAtTheReturn(TestDatabase database,
			Class<? extends PlatformTransactionManager> manager) {
		assertThat(sellOut(database, manager, (stock) -> stock.sellAndReleaseAtReturn("phone")))
			.as("phones left after 400 sales whose lock was released before the commit")
			.isPositive();
	}

	/* Sell all phones by four threads, and return the number of phones that are left. */
	private static int sellOut(TestDatabase database, Class<? extends PlatformTransactionManager> manager,
			Consumer<Stock> sale) {
		String[] properties = (manager == JpaTransactionManager.class) ? WITH_JPA : WITHOUT_JPA;
		try (TestInstance first = new TestInstance(database.url(), TestShop.redisPort(), properties);
				TestInstance second = new TestInstance(database.url(), TestShop.redisPort(), properties)) {
			assertThat(first.bean(PlatformTransactionManager.class)).isInstanceOf(manager);
			first.stockUp(400);
			List<CompletableFuture<Void>> sellers = new ArrayList<>();
			for (TestInstance instance : List.of(first, first, second, second)) {
				sellers.add(CompletableFuture.runAsync(() -> {
					for (int i = 0; i < 100; i++) {
						instance.stock().around(() -> sale.accept(instance.stock()));
					}
				}, (seller) -> new Thread(seller).start()));
			}
			sellers.forEach(CompletableFuture::join);
			return first.stock().amount("phone");
		}
	}

}
