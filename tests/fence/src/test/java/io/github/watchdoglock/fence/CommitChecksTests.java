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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.spring.CommitGuard;
import io.github.watchdoglock.spring.Commits;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FlushModeType;
import org.hibernate.FlushMode;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for commits under a lock that Redis has forgotten or cannot confirm, in two
 * instances of an application.
 */
@SuppressWarnings("NullAway.Init")
class CommitChecksTests {

	private static final String WITHOUT_JPA = "spring.autoconfigure.exclude="
			+ "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
			+ "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration";

	@AutoClose
	private final TortureRedis redis = new TortureRedis();

	@AutoClose("shutdownNow")
	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<TestInstance> instances = new ArrayList<>();

	CommitChecksTests() throws Exception {
	}

	@AfterEach
	void closeInstances() {
		this.instances.forEach(TestInstance::close);
	}

	private TestInstance start(TestDatabase database, String... properties) {
		TestInstance instance = new TestInstance(database.url(), this.redis.port(), properties);
		this.instances.add(instance);
		return instance;
	}

	static Stream<Arguments> applications() {
		return TestDatabase.installed()
			.filter((database) -> database == TestDatabase.H2 || database == TestDatabase.POSTGRESQL)
			.flatMap((database) -> Stream.of(Arguments.of(database, "with JPA", "x=y"),
					Arguments.of(database, "with JDBC", WITHOUT_JPA)));
	}

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource("applications")
	void onlyLaterHolderCommitsAfterRedisRestartsWithoutData(TestDatabase database, String kind, String property)
			throws Exception {
		TestInstance first = start(database, property);
		TestInstance second = start(database, property);
		first.stockUp(1);
		CountDownLatch restarted = new CountDownLatch(1);
		CountDownLatch reading = new CountDownLatch(1);
		Future<Boolean> slow = this.threads.submit(() -> sells(first, () -> {
			reading.countDown();
			TestShop.await(restarted);
		}));
		TestShop.await(reading);
		this.redis.failOver(false);
		assertThat(sells(second, TestShop::nothing)).as("the second instance sells").isTrue();
		restarted.countDown();
		assertThat(slow.get(20, TimeUnit.SECONDS)).as("the first instance sells too").isFalse();
		assertThat(first.stock().amount("phone")).isZero();
	}

	private static boolean sells(TestInstance instance, Runnable pause) {
		try {
			instance.stock().sellGuarded("phone", pause);
			return true;
		}
		catch (LockException ex) {
			assertThat(ex).isInstanceOfAny(LockLostException.class, LockStoreException.class);
			return false;
		}
	}

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource("applications")
	void commitIsRolledBackWhenRedisDoesNotConfirmLock(TestDatabase database, String kind, String property)
			throws Exception {
		TestInstance instance = start(database, property, "watchdog-lock.commit-check=0s",
				"watchdog-lock.command-timeout=300ms");
		instance.stockUp(1);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> instance.stock().sellGuarded("phone", () -> pauseRedis(1_000)))
			.withMessageStartingWith("Redis did not confirm lock 'stock:phone' before the commit");
		assertThat(instance.stock().amount("phone")).as("stock after the rolled back sale").isOne();
	}

	@Test
	void commitsWithoutCheckDoNotDependOnRedis() throws Exception {
		TestInstance instance = start(TestDatabase.H2, "watchdog-lock.locks.stock.commit-check=-1",
				"watchdog-lock.command-timeout=300ms");
		instance.stockUp(1);
		instance.stock().sellGuarded("phone", () -> pauseRedis(500));
		assertThat(instance.stock().amount("phone")).as("stock after the commit without check").isZero();
	}

	private void pauseRedis(int millis) {
		try {
			this.redis.command("CLIENT PAUSE " + millis);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@ParameterizedTest
	@CsvSource({ "AUTO, false, 1", "COMMIT, false, 2", "MANUAL, false, 2", "AUTO, true, 2" })
	void changesAreFlushedBeforeCommitCheckOnlyInAutoMode(FlushMode mode, boolean readOnly, int expected) {
		TestInstance instance = start(TestDatabase.H2);
		instance.stockUp(2);
		List<Integer> amounts = new ArrayList<>();
		instance.bean(Commits.class).checkBy((fenced, flush) -> {
			flush.run();
			amounts.add(instance.stock().amount("phone"));
		});
		EntityManager entities = SharedEntityManagerCreator
			.createSharedEntityManager(instance.bean(EntityManagerFactory.class));
		TransactionTemplate transaction = new TransactionTemplate(instance.bean(PlatformTransactionManager.class));
		transaction.setReadOnly(readOnly);
		transaction.executeWithoutResult((status) -> {
			if (mode == FlushMode.COMMIT) {
				entities.setFlushMode(FlushModeType.COMMIT);
			}
			else if (mode == FlushMode.MANUAL) {
				entities.unwrap(Session.class).setHibernateFlushMode(mode);
			}
			entities.find(StockedArticle.class, "phone").sellOne();
		});
		assertThat(amounts).as("the amount that the check sees").containsExactly(expected);
	}

	@Test
	void jdbcTransactionCommitsAfterReadByEntityManager() {
		TestInstance instance = start(TestDatabase.H2);
		instance.stockUp(2);
		DataSourceTransactionManager manager = new DataSourceTransactionManager(instance.bean(DataSource.class));
		instance.bean(CommitGuard.class).postProcessAfterInitialization(manager, "ofConnections");
		EntityManager entities = SharedEntityManagerCreator
			.createSharedEntityManager(instance.bean(EntityManagerFactory.class));
		instance.bean(Commits.class).checkBy((fenced, flush) -> flush.run());
		new TransactionTemplate(manager)
			.executeWithoutResult((status) -> entities.createQuery("from StockedArticle").getResultList());
	}

}
