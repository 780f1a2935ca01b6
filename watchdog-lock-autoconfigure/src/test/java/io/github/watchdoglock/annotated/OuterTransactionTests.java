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

package io.github.watchdoglock.annotated;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.Concurrently;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.function.ThrowingSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for locked methods that are called inside a transaction.
 */
@ExtendWith(OutputCaptureExtension.class)
class OuterTransactionTests {

	private static ConfigurableApplicationContext application;

	private final LockService locks = application.getBean(LockService.class);

	private final LocalLocks local = application.getBean(LocalLocks.class);

	private final Stock stock = application.getBean(Stock.class);

	private final TransactionTemplate transactions = application.getBean(TransactionTemplate.class);

	@BeforeAll
	static void start() {
		application = run("watchdog-lock.wait-time=5s", "watchdog-lock.locks.decided.release=at-return");
		application.getBean(JdbcTemplate.class).execute("create table stock (amount int)");
	}

	private static ConfigurableApplicationContext run(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(properties)
			.properties("watchdog-lock.store=local", "watchdog-lock.lease-time=2s",
					"spring.datasource.generate-unique-name=true")
			.run();
	}

	@AfterAll
	static void close() {
		application.close();
	}

	@AfterEach
	void nothingIsLeft() {
		application.getBean(JdbcTemplate.class).update("delete from stock");
		assertThat(this.local.current()).isEmpty();
		assertThat(this.local.list()).isEmpty();
	}

	@Test
	void concurrentUpdatesAreNotLostWhenLockIsKeptUntilTransactionEnds() throws Exception {
		this.stock.fill(400);
		sellInTransactions(this.stock::sell);
		assertThat(this.stock.amount()).isZero();
	}

	@Test
	void updatesAreLostWhenLockIsReleasedAtReturn() throws Exception {
		this.stock.fill(400);
		sellInTransactions(this.stock::sellAndReleaseAtReturn);
		assertThat(this.stock.amount()).isPositive();
	}

	private void sellInTransactions(Runnable sale) throws Exception {
		Concurrently.run(4, (index) -> {
			for (int i = 0; i < 100; i++) {
				this.transactions.executeWithoutResult((status) -> {
					sale.run();
					LockSupport.parkNanos(100_000);
				});
			}
			return true;
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void lockIsHeldUntilTheTransactionHasEnded(boolean rollback) {
		this.transactions.executeWithoutResult((status) -> {
			this.stock.sell();
			assertThat(isHeld("stock")).as("held after the return").isTrue();
			if (rollback) {
				status.setRollbackOnly();
			}
		});
		assertThat(isHeld("stock")).as("stock held after the transaction").isFalse();
	}

	@Test
	void lockOfAMethodThatBeginsItsTransactionIsReleasedAtTheReturn() {
		this.stock.sellInTransaction();
		assertThat(isHeld("stock")).as("stock held after a method that began its own transaction").isFalse();
		template(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult((status) -> {
			this.stock.sell();
			assertThat(isHeld("stock")).as("held without a transaction").isFalse();
		});
	}

	@Test
	void lockOfAMethodThatJoinsTheTransactionIsKept() {
		this.transactions.executeWithoutResult((status) -> {
			this.stock.sellInTransaction();
			assertThat(isHeld("stock")).as("stock held after a method that joined the transaction").isTrue();
		});
	}

	@Test
	void lockIsReleasedAtReturnWithoutWarningWhenMethodSuspendsTransaction(CapturedOutput output) {
		this.transactions.executeWithoutResult((status) -> {
			this.stock.sellInNewTransaction();
			assertThat(isHeld("stock")).as("stock held after a method in a new transaction").isFalse();
			this.stock.countOutside();
			assertThat(isHeld("stock")).isFalse();
		});
		assertThat(output).doesNotContain("inside a transaction");
	}

	@Test
	void newInnerTransactionReleasesOnlyItsOwnLock() {
		TransactionTemplate inner = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transactions.executeWithoutResult((status) -> {
			this.stock.order("outer");
			inner.executeWithoutResult((own) -> {
				this.stock.order("inner");
				this.stock.order("outer");
			});
			assertThat(isHeld("order", "inner")).as("inner order held after the inner transaction").isFalse();
			assertThat(isHeld("order", "outer")).isTrue();
		});
	}

	@Test
	void rollbackToSavepointReleasesNoLock() {
		TransactionTemplate nested = template(TransactionDefinition.PROPAGATION_NESTED);
		this.transactions.executeWithoutResult((status) -> {
			nested.executeWithoutResult((savepoint) -> {
				this.stock.order("42");
				savepoint.setRollbackOnly();
			});
			nested.executeWithoutResult((savepoint) -> this.stock.order("43"));
			assertThat(isHeld("order", "42")).as("order of the rolled back savepoint held in the transaction").isTrue();
			assertThat(isHeld("order", "43")).isTrue();
		});
	}

	@Test
	void allLocksOfMethodAreKeptByTransaction() {
		this.transactions.executeWithoutResult((status) -> {
			this.stock.orderAll(List.of("1", "2", "3"));
			assertThat(this.local.list()).hasSize(3);
		});
	}

	@Test
	void firstLockIsReleasedIfTheSecondIsBusy() {
		LockHandle busy = this.locks.acquireAsync(LockRequest.of("order", "2")).join();
		this.transactions.executeWithoutResult((status) -> {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.stock.orderAll(List.of("1", "2")))
				.withMessageMatching(
						"Lock 'order:2' was not acquired: held by application@\\S+ at the last answer, and the"
								+ " wait time is zero");
			assertThat(isHeld("order", "1")).as("first order held after the second was busy").isFalse();
		});
		busy.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void waitIsBoundedAndReportsPossibleDeadlockWhenTransactionKeepsLocks(int kept) {
		String message = "Lock 'busy' was not acquired within \\S+ m?s: held by application@\\S+ at the last answer; this"
				+ " transaction keeps " + ((kept == 1) ? "1 lock: possible deadlock \\('order:0'\\)"
						: "2 locks: possible deadlock \\('order:0', 'order:1'\\)");
		LockRequest request = LockRequest.of("busy").withWaitTime(Duration.ofMillis(-1));
		try (ConfigurableApplicationContext quick = run("watchdog-lock.wait-time=200ms")) {
			LockService locks = quick.getBean(LockService.class);
			Stock stock = quick.getBean(Stock.class);
			LockHandle busy = locks.acquireAsync(LockRequest.of("busy")).join();
			quick.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				for (int i = 0; i < kept; i++) {
					stock.order("" + i);
				}
				for (Runnable call : List.<Runnable>of(stock::waitIndefinitely, stock::waitForLong,
						() -> locks.execute(request, LockHandle::isHeld), locks.asLock(request)::lock,
						() -> ThrowingSupplier.of(() -> locks.acquireAll(List.of(request))).get())) {
					assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(call::run)
						.satisfies((ex) -> assertThat(ex.getWaited()).isBetween(Duration.ofMillis(200),
								Duration.ofSeconds(5)))
						.withMessageMatching(message);
				}
			});
			busy.close();
		}
	}

	@ParameterizedTest
	@EnumSource(value = OnLoss.class, names = "REPORT", mode = EnumSource.Mode.EXCLUDE)
	void lossAfterTheReturnPreventsTheCommitWithoutAnInterrupt(OnLoss onLoss) {
		this.stock.fill(1);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
				sell(onLoss);
				lose();
				assertThat(Thread.currentThread().isInterrupted()).isFalse();
			}));
		assertThat(Thread.interrupted()).isFalse();
		assertThat(this.stock.amount()).isOne();
	}

	@Test
	void lossAfterReturnDoesNotPreventCommitWithOnLossReport() {
		this.stock.fill(1);
		this.transactions.executeWithoutResult((status) -> {
			sell(OnLoss.REPORT);
			lose();
		});
		assertThat(this.stock.amount()).isZero();
	}

	@Test
	void lossDuringMethodInterruptsAndFailsTransaction() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
				this.stock.runInterruptibly(() -> {
					this.locks.forceRelease(LockKey.of("stock"));
					assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> Thread.sleep(10_000));
					return true;
				});
				assertThat(Thread.currentThread().isInterrupted()).as("after the return").isFalse();
			}));
	}

	private void sell(OnLoss onLoss) {
		switch (onLoss) {
			case DEFAULT -> this.stock.sell();
			case FAIL -> this.stock.sellOrFail();
			case INTERRUPT -> this.stock.runInterruptibly(() -> this.stock.sellOne() > 0);
			default -> this.stock.sellAndReport();
		}
	}

	private void lose() {
		LockHandle handle = this.local.current().get(0);
		assertThat(this.locks.forceRelease(LockKey.of("stock"))).isTrue();
		await().until(() -> !handle.isHeld());
	}

	@Test
	void transactionKeepsOneHandlePerKeyForRepeatedCalls() {
		this.transactions.executeWithoutResult((status) -> {
			for (int i = 0; i < 100_000; i++) {
				this.stock.order("42");
			}
			assertThat(this.local.current()).as("handles of the thread after 100,000 calls with one key").hasSize(1);
		});
	}

	@Test
	void reentryInTransactionDoesNotReleaseOuterHoldEarly() {
		this.locks.execute(LockRequest.of("order", "42"), (handle) -> {
			this.transactions.executeWithoutResult((status) -> this.stock.order("42"));
			assertThat(handle.isHeld()).as("outer handle held after the transaction of its re-entry").isTrue();
			return null;
		});
		this.transactions.executeWithoutResult((status) -> {
			this.stock.orderTwice("42");
			assertThat(isHeld("order", "42")).isTrue();
		});
	}

	@Test
	void listenerThatRunsAfterTheCommitRunsUnderTheLock() {
		this.transactions.executeWithoutResult((status) -> {
			this.stock.sell();
			this.stock.publish(() -> this.stock.heldAfterCommit = isHeld("stock"));
		});
		assertThat(this.stock.heldAfterCommit).as("stock held in the listener after the commit").isTrue();
	}

	@Test
	void minimumHoldTimeBeginsWithTheAcquisition() {
		this.transactions.executeWithoutResult((status) -> {
			this.stock.holdForAtLeast();
			LockHandle kept = this.local.current().get(0);
			await().pollDelay(Duration.ofMillis(250)).until(kept::isHeld);
		});
		assertThat(isHeld("minimum")).as("held after more than the minimum").isFalse();
		this.transactions.executeWithoutResult((status) -> this.stock.holdForAtLeast());
		assertThat(tryLock("minimum")).as("free before the minimum").isFalse();
		await().atMost(Duration.ofSeconds(5)).until(() -> tryLock("minimum"));
	}

	@Test
	void lockKeptLongerThanMaximumHoldTimeIsLost() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
				this.stock.holdForAtMost();
				LockHandle kept = this.local.current().get(0);
				await().until(() -> !kept.isHeld());
			}));
	}

	@Test
	void lockKeptByTransactionIsLoggedOnlyOnFirstCall(CapturedOutput output) {
		for (int i = 0; i < 2; i++) {
			this.transactions.executeWithoutResult((status) -> this.stock.logged());
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("which keeps"))).singleElement()
			.asString()
			.contains("INFO", "OuterTransactionTests$Stock.logged() was called inside a transaction, which keeps its"
					+ " lock until it has ended. To release the lock at the return, set release = LockRelease.AT_RETURN");
	}

	@ParameterizedTest
	@ValueSource(strings = { "fixedLease", "read", "permit", "stage", "reactive" })
	void lockThatCannotBeKeptIsReleasedAtTheReturnWithOneWarning(String method, CapturedOutput output) {
		for (int i = 0; i < 2; i++) {
			this.transactions.executeWithoutResult((status) -> {
				switch (method) {
					case "fixedLease" -> this.stock.fixedLease();
					case "read" -> this.stock.read();
					case "permit" -> this.stock.permit();
					case "stage" -> this.stock.stage().join();
					default -> this.stock.reactive().block();
				}
				assertThat(isHeld(method)).as("lock that cannot be kept held after the return").isFalse();
			});
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("inside a transaction"))).singleElement()
			.asString()
			.contains("WARN", "Stock." + method + "() was called inside a transaction, which is committed after the"
					+ " lock was released", "set release = LockRelease.AT_RETURN");
	}

	@Test
	void noWarningIsLoggedWhenReleaseAtReturnIsConfigured(CapturedOutput output) {
		this.transactions.executeWithoutResult((status) -> {
			this.stock.sellAndReleaseAtReturn();
			assertThat(isHeld("stock")).isFalse();
			this.stock.decided();
			assertThat(isHeld("decided")).isFalse();
			this.locks.execute(LockRequest.of("decided"), LockHandle::isHeld);
		});
		assertThat(output).doesNotContain("inside a transaction");
	}

	@Test
	void reentryInsideTransactionLogsNoWarningWhenOuterHoldRemains(CapturedOutput output) {
		this.locks.execute(LockRequest.of("reentered"), (handle) -> {
			this.transactions.executeWithoutResult((status) -> {
				this.stock.reenter();
				this.locks.execute(LockRequest.of("reentered"), LockHandle::isHeld);
			});
			return null;
		});
		assertThat(output).doesNotContain("inside a transaction");
	}

	@Test
	void executedLockIsReleasedInsideTheTransactionWithOneWarningPerName(CapturedOutput output) {
		this.locks.execute(LockRequest.of("executed", "0"), LockHandle::isHeld);
		this.transactions.executeWithoutResult((status) -> {
			this.locks.execute(LockRequest.of("executed", "1"), LockHandle::isHeld);
			this.locks.executeWithoutResult(LockRequest.of("executed", "2"), LockHandle::isHeld);
			this.locks.execute(LockRequest.of("kept").withReleaseAfterTransaction(), LockHandle::isHeld);
		});
		assertThat(output.toString().lines().filter((line) -> line.contains("inside a transaction"))).singleElement()
			.asString()
			.contains("WARN", "Lock 'executed' is executed inside a transaction, and released before that transaction"
					+ " is committed", "withReleaseAfterTransaction()");
	}

	@Test
	void lockIsReleasedAtReturnWhenTransactionHasNoSynchronization() {
		AbstractPlatformTransactionManager manager = (AbstractPlatformTransactionManager) application
			.getBean(PlatformTransactionManager.class);
		manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		try {
			this.transactions.executeWithoutResult((status) -> {
				this.stock.sell();
				assertThat(isHeld("stock")).as("stock held in a transaction without synchronization").isFalse();
			});
		}
		finally {
			manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_ALWAYS);
		}
	}

	@Test
	void lockIsKeptUntilTransactionEndsWhenMethodThrows() {
		this.transactions.executeWithoutResult((status) -> {
			assertThatIllegalStateException().isThrownBy(this.stock::fail);
			assertThat(isHeld("failing")).isTrue();
		});
		assertThatNoException().isThrownBy(() -> assertThat(tryLock("failing")).isTrue());
	}

	private boolean tryLock(String name) {
		List<LockHandle> acquired = new ArrayList<>();
		try {
			acquired.add(this.locks.acquireAsync(LockRequest.of(name).withWaitTime(Duration.ZERO)).join());
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
		finally {
			acquired.forEach(LockHandle::close);
		}
	}

	private boolean isHeld(String name) {
		return this.locks.find(LockKey.of(name)).isPresent();
	}

	private boolean isHeld(String name, String id) {
		return this.locks.find(LockKey.of(name, id)).isPresent();
	}

	private TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
		template.setPropagationBehavior(propagation);
		return template;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Stock stock(JdbcTemplate jdbc, ApplicationEventPublisher events) {
			return new Stock(jdbc, events);
		}

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	/**
	 * A listener that is called after the commit.
	 */
	static class Listener {

		@TransactionalEventListener
		void on(Committed event) {
			event.work().run();
		}

	}

	/**
	 * An event of a transaction.
	 *
	 * @param work what its listener does
	 */
	record Committed(Runnable work) {

	}

	/**
	 * Locked methods.
	 */
	static class Stock {

		private final JdbcTemplate jdbc;

		private final ApplicationEventPublisher events;

		volatile boolean heldAfterCommit;

		Stock(JdbcTemplate jdbc, ApplicationEventPublisher events) {
			this.jdbc = jdbc;
			this.events = events;
		}

		void fill(int amount) {
			this.jdbc.update("delete from stock");
			this.jdbc.update("insert into stock values (?)", amount);
		}

		int amount() {
			Integer amount = this.jdbc.queryForObject("select coalesce(sum(amount), 0) from stock", Integer.class);
			return (amount != null) ? amount : -1;
		}

		/* Reads an amount and writes the computed one: an update that may be lost. */
		int sellOne() {
			return this.jdbc.update("update stock set amount = ?", amount() - 1);
		}

		void publish(Runnable work) {
			this.events.publishEvent(new Committed(work));
		}

		@DistributedLock("stock")
		void sell() {
			sellOne();
		}

		@DistributedLock(name = "stock", release = LockRelease.AT_RETURN)
		void sellAndReleaseAtReturn() {
			sellOne();
		}

		@DistributedLock("stock")
		@Transactional
		void sellInTransaction() {
			sellOne();
		}

		@DistributedLock("stock")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		void sellInNewTransaction() {
			sellOne();
		}

		@DistributedLock("stock")
		@Transactional(propagation = Propagation.NOT_SUPPORTED)
		void countOutside() {
			amount();
		}

		@DistributedLock(name = "stock", onLoss = OnLoss.FAIL)
		void sellOrFail() {
			sellOne();
		}

		@DistributedLock(name = "stock", onLoss = OnLoss.REPORT)
		void sellAndReport() {
			sellOne();
		}

		@DistributedLock(name = "stock", onLoss = OnLoss.INTERRUPT)
		boolean runInterruptibly(Supplier<Boolean> work) {
			return work.get();
		}

		@DistributedLock(name = "order", key = "#id")
		void order(String id) {
		}

		@DistributedLock(name = "order", key = "#id", release = LockRelease.AFTER_TRANSACTION)
		@DistributedLock(name = "order", key = "#id")
		void orderTwice(String id) {
		}

		@DistributedLock(name = "order", key = "#ids", waitTime = "0s")
		void orderAll(List<String> ids) {
		}

		@DistributedLock(name = "busy", waitTime = "-1")
		void waitIndefinitely() {
		}

		@DistributedLock(name = "busy", waitTime = "1m")
		void waitForLong() {
		}

		@DistributedLock(name = "minimum", minHoldTime = "200ms")
		void holdForAtLeast() {
		}

		@DistributedLock(name = "maximum", maxHoldTime = "200ms")
		void holdForAtMost() {
		}

		@DistributedLock("logged")
		void logged() {
		}

		@DistributedLock("decided")
		void decided() {
		}

		@DistributedLock(name = "reentered", leaseTime = "5s")
		void reenter() {
		}

		@DistributedLock("failing")
		void fail() {
			throw new IllegalStateException("business");
		}

		@DistributedLock(name = "fixedLease", leaseTime = "2s")
		void fixedLease() {
		}

		@DistributedLock(name = "read", mode = LockMode.READ)
		void read() {
		}

		@DistributedLock(name = "permit", permits = 2)
		void permit() {
		}

		@DistributedLock("stage")
		CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("done");
		}

		@DistributedLock("reactive")
		Mono<String> reactive() {
			return Mono.just("done");
		}

	}

}
