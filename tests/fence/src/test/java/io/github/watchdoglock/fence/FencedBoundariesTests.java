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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for transactions of each kind under a fenced lock, with JPA and with JDBC.
 */
@Tag("fast")
@Tag("containers")
@ParameterizedClass
@MethodSource("io.github.watchdoglock.fence.TestDatabase#installed")
@SuppressWarnings("NullAway.Init")
class FencedBoundariesTests {

	private static final LockRequest PHONE = LockRequest.of("stock", "phone").withFenced(true);

	@Parameter
	TestDatabase database;

	private TestShop shop;

	private TestInstance instance;

	private Fence fence;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@BeforeEach
	void start() {
		this.shop = TestShop.open(this.database);
		this.instance = this.shop.first();
		this.fence = this.instance.bean(Fence.class);
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.shop.close();
	}

	@Test
	void jpaTransactionIsRejectedAfterHolderIsOvertaken() throws Exception {
		assertThat(this.instance.bean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			transact(this.instance, () -> update(this.instance, 9));
			this.fence.overtake(handle.key());
			TestShop.refused(() -> transact(this.instance, () -> update(this.instance, 8)));
			assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.OVERTAKEN);
		}
		assertThat(this.instance.stock().amount("phone")).isEqualTo(9);
	}

	@Test
	void innerTransactionIsRejectedAfterOvertakingAndOuterStaysUsable() throws Exception {
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			this.instance.jdbc().update("update stock set amount = 5 where sku = 'phone'");
			this.fence.overtake(handle.key());
			TransactionTemplate outer = new TransactionTemplate(this.instance.bean(PlatformTransactionManager.class));
			outer.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
			outer.executeWithoutResult((status) -> TestShop.refused(() -> transaction()
				.executeWithoutResult((inner) -> this.instance.jdbc().update("update stock set amount = 4"))));
			TestShop.clean();
		}
		assertThat(this.instance.stock().amount("phone")).isEqualTo(5);
		transaction().executeWithoutResult((status) -> this.instance.jdbc().update("update stock set amount = 3"));
		assertThat(this.instance.stock().amount("phone")).isEqualTo(3);
	}

	@Test
	void nestedRollbackKeepsOuterFencedTransaction() throws Exception {
		JdbcTransactionManager manager = jdbcManager();
		TransactionTemplate nested = new TransactionTemplate(manager);
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			new TransactionTemplate(manager).executeWithoutResult((status) -> {
				this.instance.jdbc().update("update stock set amount = 9 where sku = 'phone'");
				nested.executeWithoutResult((inner) -> {
					this.instance.jdbc().update("update stock set amount = 8 where sku = 'phone'");
					inner.setRollbackOnly();
				});
			});
			assertThat(handle.isHeld()).as("lock is still held after the nested rollback").isTrue();
		}
		assertThat(this.instance.stock().amount("phone")).isEqualTo(9);
	}

	@Test
	void readOnlyTransactionIsRejectedAfterOvertaking() throws Exception {
		TransactionTemplate reading = transaction();
		reading.setReadOnly(true);
		try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
			assertThat(reading.<Integer>execute((status) -> this.instance.stock().amount("phone"))).isEqualTo(10);
			this.fence.overtake(handle.key());
			TestShop.refused(() -> reading.executeWithoutResult((status) -> this.instance.stock().amount("phone")));
		}
		TestShop.clean();
	}

	@Test
	void fencedLockIsAcquiredInCallbackAfterCommit() {
		List<Integer> seen = new ArrayList<>();
		transaction().executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

					@Override
					public void afterCommit() {
						FencedBoundariesTests.this.instance.stock().sellInNew("phone");
						seen.add(FencedBoundariesTests.this.instance.stock().amount("phone"));
					}

				}));
		assertThat(seen).containsExactly(9);
		TestShop.clean();
	}

	@Test
	void eachLockOfAcquireAllIsFencedAndReentryRaisesNoFence() throws Exception {
		LockRequest tablet = LockRequest.of("stock", "tablet").withFenced(true);
		try (LockHandles all = this.instance.locks().acquireAll(List.of(tablet, PHONE))) {
			long uses = uses();
			try (LockHandle again = this.instance.locks().acquire(PHONE)) {
				assertThat(uses()).as("uses of the fence row after the re-entry").isEqualTo(uses);
				assertThat(again.isHeld()).isTrue();
			}
			transact(this.instance, TestShop::nothing);
			this.fence.overtake(tablet.key());
			TestShop.refused(() -> transact(this.instance, TestShop::nothing));
			assertThat(all.get(PHONE.key()).isHeld()).as("other lock of acquireAll is still held after the overtaking")
				.isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void fencedSalesSucceedWithOneConnectionPerThread(boolean oneKey) throws Exception {
		List<String> articles = IntStream.range(0, TestInstance.POOL)
			.mapToObj((i) -> oneKey ? "phone" : "article" + i)
			.toList();
		this.instance.jdbc().update("delete from stock");
		for (String sku : Set.copyOf(articles)) {
			this.instance.jdbc().update("insert into stock values (?, ?)", sku, oneKey ? 10 * TestInstance.POOL : 10);
		}
		List<Future<?>> all = new ArrayList<>();
		for (String sku : articles) {
			all.add(this.threads.submit(() -> {
				for (int sold = 0; sold < 10; sold++) {
					this.instance.stock().sell(sku, TestShop::nothing);
				}
			}));
		}
		for (Future<?> each : all) {
			each.get(60, TimeUnit.SECONDS);
		}
		assertThat(this.instance.jdbc().queryForObject("select sum(amount) from stock", Integer.class))
			.as("articles left after all threads have sold theirs")
			.isZero();
	}

	@Test
	void raiseFailsInsteadOfDeadlockWhenOpenInViewUsesUpPool() throws Exception {
		try (TestInstance small = new TestInstance(this.database.url(), TestShop.redisPort(),
				"spring.datasource.hikari.maximum-pool-size=1", "spring.datasource.hikari.connection-timeout=1000")) {
			inView(small, () -> {
				transact(small, () -> update(small, 9));
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> small.locks().acquire(PHONE))
					.withMessageContainingAll("its fence could not be raised", "Connection is not available",
							"spring.jpa.open-in-view=false");
				assertThat(small.locks().find(PHONE.key())).isEmpty();
			});
			small.stock().sell("phone", TestShop::nothing);
			assertThat(small.stock().amount("phone")).isEqualTo(8);
		}
	}

	@Test
	void transactionInOpenInViewIsRejectedAfterOvertaking() {
		inView(this.instance, () -> {
			try (LockHandle handle = this.instance.locks().acquire(PHONE)) {
				transact(this.instance, () -> update(this.instance, 9));
				this.fence.overtake(handle.key());
				TestShop.refused(() -> transact(this.instance, () -> update(this.instance, 8)));
				assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
			}
			assertThat(this.instance.stock().amount("phone")).isEqualTo(9);
			// The entity manager of the view still exists, and does not participate in
			// the rejected transaction.
			transact(this.instance, () -> update(this.instance, 7));
			assertThat(this.instance.stock().amount("phone")).isEqualTo(7);
		});
	}

	@Test
	void listenerAfterCommitAcquiresFencedLock() {
		order(5);
		assertThat(this.instance.stock().amount("phone")).isEqualTo(TestShop.TEN - 1);
		TestShop.clean();
		this.instance.stock().within("tablet", () -> {
			order(4);
			this.fence.overtake(LockKey.of("stock", "tablet"));
			return "";
		});
		assertThat(this.instance.stock().amount("tablet")).isEqualTo(4);
		assertThat(this.instance.stock().amount("phone")).isEqualTo(TestShop.TEN - 2);
	}

	@Test
	void lockIsReleasedWhenRaiseOfFenceFails() throws Exception {
		this.instance.locks().acquire(PHONE).close();
		this.instance.jdbc().execute("drop table " + FenceTable.DEFAULT_NAME);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.instance.locks().acquire(PHONE))
			.withMessageContaining("its fence could not be raised");
		assertThat(this.fence.problem()).isNotNull();
		assertThat(this.instance.locks().find(PHONE.key())).isEmpty();
		assertThat(this.instance.stock().amount("phone")).isEqualTo(TestShop.TEN);
	}

	@Test
	void unfencedLockIsRaisedAtFencedReentryUnlessInTransaction() throws Exception {
		try (LockHandle outer = this.instance.locks().acquire(LockRequest.of("stock", "phone"))) {
			assertThatIllegalStateException().isThrownBy(
					() -> transact(this.instance, () -> this.instance.stock().sell("phone", TestShop::nothing)));
			this.instance.stock().sell("phone", TestShop::nothing);
			this.fence.overtake(outer.key());
			TestShop.refused(() -> transact(this.instance, TestShop::nothing));
		}
		assertThat(this.instance.stock().amount("phone")).isEqualTo(9);
	}

	@Test
	void fenceRowsBeyondRetentionAreDeleted() throws Exception {
		this.instance.jdbc().update("delete from watchdog_lock_fence");
		this.instance.jdbc().update("insert into watchdog_lock_fence values (?, 'old', 5, 'other', 1)", "0".repeat(64));
		try (TestInstance tidy = new TestInstance(this.database.url(), TestShop.redisPort(),
				"watchdog-lock.fence.retention=1d")) {
			tidy.locks().acquire(PHONE).close();
			await().atMost(Duration.ofSeconds(10))
				.until(() -> tidy.jdbc().queryForObject("select count(*) from watchdog_lock_fence", Integer.class),
						(count) -> count == 1);
		}
	}

	/* Order a phone, in a transaction that leaves this number of tablets. */
	private void order(int tablets) {
		transact(this.instance, () -> {
			this.instance.jdbc().update("update stock set amount = ? where sku = 'tablet'", tablets);
			this.instance.publish(new TestInstance.Ordered("phone"));
		});
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.instance.bean(PlatformTransactionManager.class));
	}

	/* As the open-in-view filter or interceptor does for a request. */
	private static void inView(TestInstance instance, ThrowingCallable request) {
		EntityManagerFactory factory = instance.bean(EntityManagerFactory.class);
		EntityManager view = factory.createEntityManager();
		TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(view));
		try {
			assertThatCode(request).doesNotThrowAnyException();
			assertThat(TransactionSynchronizationManager.getResourceMap()).containsOnlyKeys(factory);
		}
		finally {
			TransactionSynchronizationManager.unbindResource(factory);
			view.close();
		}
	}

	private static void transact(TestInstance instance, Runnable work) {
		new TransactionTemplate(instance.bean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> work.run());
	}

	private static void update(TestInstance instance, int amount) {
		instance.bean(EntityManager.class)
			.createNativeQuery("update stock set amount = " + amount + " where sku = 'phone'")
			.executeUpdate();
	}

	/* In addition to that of JPA, with its listener, as if it were a bean. */
	private JdbcTransactionManager jdbcManager() {
		JdbcTransactionManager manager = new JdbcTransactionManager(this.instance.bean(DataSource.class));
		this.instance.bean(FencedTransactions.class).postProcessAfterInitialization(manager, "jdbc");
		return manager;
	}

	private long uses() {
		Long uses = this.instance.jdbc()
			.queryForObject("select max(uses) from watchdog_lock_fence where lock_name like '%phone%'", Long.class);
		return (uses != null) ? uses : 0;
	}

}
