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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.event.LockLostEvent;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for transactions whose lock is lost before they are committed, or right after.
 */
class LostBeforeCommitTests {

	@AutoClose
	private static final ConfigurableApplicationContext application = application(Application.class);

	private final LockService locks = application.getBean(LockService.class);

	private final TransactionTemplate transactions = application.getBean(TransactionTemplate.class);

	private final Orders orders = application.getBean(Orders.class);

	private final Losing losing = application.getBean(Losing.class);

	@BeforeEach
	void clear() {
		this.losing.clear();
	}

	@Test
	void lossBeforeCommitRollsBackAndIsThrown() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.strict(this.losing::now))
			.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(LockLoss.Reason.FORCED));
		assertThat(this.losing.rows()).isZero();
	}

	@Test
	void lossBeforeCommitIsOnlyReportedWhenOnLossIsReport() {
		assertThat(this.orders.reporting(this.losing::now)).isEqualTo("done");
		assertThat(this.losing.rows()).isOne();
		this.losing.awaitReport();
	}

	@Test
	void lossAfterCommitIsReportedAndResultIsReturned() {
		assertThat(this.orders.strict(this.losing::afterCommit)).isEqualTo("done");
		assertThat(this.losing.rows()).isOne();
		this.losing.awaitReport();
	}

	@Test
	void lossAfterCommitOfTransactionInsideMethodIsThrown() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.orders.without(() -> this.transactions.executeWithoutResult((status) -> {
				this.losing.insert();
				this.losing.afterCommit();
			})));
		assertThat(this.losing.rows()).isOne();
	}

	@Test
	void newTransactionAfterLossIsNotCommitted() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.without(() -> {
			this.losing.now();
			this.losing.insertInNewTransaction();
		}));
		assertThat(this.losing.rows()).isZero();
	}

	@Test
	void lossIsThrownOnlyBeforeCommitWhenOnLossIsNotSet() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.silent(this.losing::now));
		assertThat(this.losing.rows()).isZero();
		assertThat(this.orders.silent(this.losing::afterCommit)).isEqualTo("done");
		assertThat(this.losing.rows()).isOne();
	}

	@Test
	void laterCallsOnSameThreadCommitAfterLoss() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.strict(this.losing::now));
		this.transactions.executeWithoutResult((status) -> this.losing.insert());
		assertThat(this.orders.strict(() -> {
		})).isEqualTo("done");
		assertThat(this.losing.rows()).isEqualTo(2);
	}

	@Test
	void transactionInExecuteIsRolledBackAfterLoss() {
		LockRequest request = LockRequest.of(Losing.LOCK).withOnLoss(OnLoss.FAIL);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(request, (handle) -> this.transactions.execute((status) -> {
				this.losing.insert();
				this.losing.now();
				return "done";
			})));
		assertThat(this.losing.rows()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void transactionUnderAcquiredLockIsRolledBackUnlessOnLossIsReport(OnLoss onLoss) throws InterruptedException {
		try (LockHandle handle = this.locks.acquire(LockRequest.of(Losing.LOCK).withOnLoss(onLoss))) {
			Runnable work = () -> this.transactions.executeWithoutResult((status) -> {
				this.losing.insert();
				assertThat(this.locks.forceRelease(handle.key())).isTrue();
				while (handle.isHeld()) {
					Thread.onSpinWait();
				}
			});
			if (onLoss == OnLoss.REPORT) {
				work.run();
			}
			else {
				assertThatExceptionOfType(LockLostException.class).isThrownBy(work::run);
			}
		}
		assertThat(this.losing.rows()).isEqualTo((onLoss == OnLoss.REPORT) ? 1 : 0);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void allTransactionManagersAreGuardedAndOnLossPropertyApplies() {
		try (ConfigurableApplicationContext other = application(TwoManagers.class, "watchdog-lock.on-loss=fail")) {
			Losing lost = other.getBean(Losing.class);
			Orders silent = other.getBean(Orders.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> silent.silent(lost::now));
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> silent.second(lost::now));
			assertThat(lost.rows()).isZero();
			assertThat(silent.second(lost::afterCommit)).isEqualTo("done");
			assertThat(silent.reporting(lost::now)).isEqualTo("done");
			assertThat(lost.rows()).isEqualTo(2);
		}
	}

	private static ConfigurableApplicationContext application(Class<?> type, String... properties) {
		return new SpringApplicationBuilder(type).web(WebApplicationType.NONE)
			.properties("watchdog-lock.store=local", "spring.datasource.generate-unique-name=true")
			.properties(properties)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Losing losing(LockService locks, LocalLocks local, JdbcTemplate jdbc) {
			jdbc.execute("create table orders (id int auto_increment primary key)");
			return new Losing(locks, local, jdbc);
		}

		@Bean
		Orders orders(Losing losing) {
			return new Orders(losing);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TwoManagers extends Application {

		@Bean
		@Primary
		PlatformTransactionManager first(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		PlatformTransactionManager second(DataSource dataSource) {
			DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
			manager.setTransactionExecutionListeners(List.of());
			return manager;
		}

	}

	static class Orders {

		private final Losing losing;

		Orders(Losing losing) {
			this.losing = losing;
		}

		@DistributedLock(name = Losing.LOCK, onLoss = OnLoss.FAIL)
		@Transactional
		String strict(Runnable then) {
			return work(then);
		}

		@DistributedLock(Losing.LOCK)
		@Transactional
		String silent(Runnable then) {
			return work(then);
		}

		@DistributedLock(Losing.LOCK)
		@Transactional("second")
		String second(Runnable then) {
			return work(then);
		}

		@DistributedLock(name = Losing.LOCK, onLoss = OnLoss.REPORT)
		@Transactional
		String reporting(Runnable then) {
			return work(then);
		}

		@DistributedLock(name = Losing.LOCK, onLoss = OnLoss.FAIL)
		String without(Runnable work) {
			work.run();
			return "done";
		}

		private String work(Runnable then) {
			this.losing.insert();
			then.run();
			return "done";
		}

	}

	/**
	 * The rows of the transactions, and losses of the running thread's lock.
	 */
	static class Losing {

		static final String LOCK = "orders";

		private final List<LockLostEvent> reports = new CopyOnWriteArrayList<>();

		private volatile long lost;

		private final LockService locks;

		private final LocalLocks local;

		private final JdbcTemplate jdbc;

		Losing(LockService locks, LocalLocks local, JdbcTemplate jdbc) {
			this.locks = locks;
			this.local = local;
			this.jdbc = jdbc;
		}

		void now() {
			LockHandle handle = this.local.current().get(0);
			assertThat(this.locks.forceRelease(handle.key())).isTrue();
			await().until(() -> !handle.isHeld());
			this.lost = handle.fencingToken();
		}

		void afterCommit() {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCommit() {
					now();
				}
			});
		}

		void insert() {
			this.jdbc.update("insert into orders default values");
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		void insertInNewTransaction() {
			insert();
		}

		int rows() {
			Integer rows = this.jdbc.queryForObject("select count(*) from orders", Integer.class);
			return (rows != null) ? rows : -1;
		}

		void clear() {
			this.jdbc.update("delete from orders");
		}

		/* Reports of earlier tests may arrive late. */
		void awaitReport() {
			await().untilAsserted(() -> assertThat(this.reports).anySatisfy((event) -> {
				assertThat(event.token()).isEqualTo(this.lost);
				assertThat(event.reason()).isEqualTo(LockLoss.Reason.FORCED);
			}));
		}

		@EventListener
		void on(LockLostEvent event) {
			this.reports.add(event);
		}

	}

}
