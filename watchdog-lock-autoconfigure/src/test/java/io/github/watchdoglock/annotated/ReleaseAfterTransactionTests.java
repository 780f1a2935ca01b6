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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.support.Concurrently;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for locks that are acquired inside a transaction and released after it.
 */
class ReleaseAfterTransactionTests {

	private static final LockKey KEY = LockKey.of("stock", "phone");

	private static final LockRequest REQUEST = LockRequest.of(KEY).withReleaseAfterTransaction();

	private static ConfigurableApplicationContext application;

	private final LockService locks = application.getBean(LockService.class);

	private final LocalLocks local = application.getBean(LocalLocks.class);

	private final TransactionTemplate transactions = application.getBean(TransactionTemplate.class);

	private final JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);

	/* Whether the lock was held, by phase of the completion. */
	private final Map<String, Boolean> held = new LinkedHashMap<>();

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("watchdog-lock.store=local", "watchdog-lock.lease-time=1s",
					"spring.datasource.generate-unique-name=true")
			.run();
		application.getBean(JdbcTemplate.class).execute("create table stock (sold int)");
	}

	@AfterAll
	static void close() {
		application.close();
	}

	@AfterEach
	void nothingIsLeft() {
		this.jdbc.update("delete from stock");
		assertThat(this.local.current()).isEmpty();
		assertThat(this.locks.find(KEY)).isEmpty();
	}

	@Test
	void lockIsHeldWhileTheTransactionIsCommittedAndFreeAfterwards() {
		this.transactions.executeWithoutResult((status) -> {
			watch();
			insert();
			watch();
		});
		assertThat(this.held).containsExactlyInAnyOrderEntriesOf(
				Map.of("beforeCommit", true, "beforeCompletion", true, "afterCommit", true, "afterCompletion", true));
		assertThat(this.locks.find(KEY)).isEmpty();
		assertThat(sold()).isOne();
	}

	@Test
	void lockIsHeldWhileTheTransactionIsRolledBackAndFreeAfterwards() {
		assertThatIllegalStateException().isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
			insert();
			watch();
			throw new IllegalStateException("business");
		})).withMessage("business");
		assertThat(this.held)
			.containsExactlyInAnyOrderEntriesOf(Map.of("beforeCompletion", true, "afterCompletion", true));
		assertThat(this.locks.find(KEY)).isEmpty();
		assertThat(sold()).isZero();
	}

	@Test
	void concurrentReadModifyWriteTransactionsLoseNoUpdate() throws Exception {
		this.jdbc.update("insert into stock values (0)");
		Concurrently.run(8, (index) -> {
			for (int i = 0; i < 10; i++) {
				this.transactions.executeWithoutResult((status) -> this.locks.execute(REQUEST, (handle) -> {
					int sold = sold();
					return this.jdbc.update("update stock set sold = ?", sold + 1);
				}));
			}
			return true;
		});
		assertThat(sold()).as("updates of 80 transactions").isEqualTo(80);
	}

	@Test
	void lockIsReenteredWithSameTokenInSameTransaction() {
		this.transactions.executeWithoutResult((status) -> {
			long first = this.locks.execute(REQUEST, LockHandle::fencingToken);
			long again = this.locks.execute(REQUEST.withWaitTime(Duration.ZERO), LockHandle::fencingToken);
			long plain = this.locks.execute(LockRequest.of(KEY), LockHandle::fencingToken);
			assertThat(again).isEqualTo(first);
			assertThat(plain).isEqualTo(first);
			assertThat(this.locks.find(KEY)).isPresent();
		});
	}

	@Test
	void lockIsHeldUntilOutermostAcquiringTransactionEnds() {
		TransactionTemplate inner = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transactions.executeWithoutResult((status) -> {
			insert();
			this.transactions.executeWithoutResult((joined) -> insert());
			assertThat(this.locks.find(KEY)).isPresent();
			inner.executeWithoutResult((own) -> insert());
			assertThat(this.locks.find(KEY)).isPresent();
		});
		assertThat(sold()).isEqualTo(3);
	}

	@Test
	void lockAcquiredInInnerTransactionIsFreeAfterItsCommit() {
		TransactionTemplate inner = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transactions.executeWithoutResult((status) -> {
			inner.executeWithoutResult((own) -> {
				insert();
				watch();
			});
			assertThat(this.locks.find(KEY)).isEmpty();
		});
		assertThat(this.held).containsEntry("afterCompletion", true);
	}

	@Test
	void lockIsHeldUntilOuterHandleIsClosedAfterTransaction() throws InterruptedException {
		try (LockHandle outer = this.locks.acquire(LockRequest.of(KEY))) {
			this.transactions.executeWithoutResult((status) -> insert());
			assertThat(outer.isHeld()).isTrue();
		}
	}

	@Test
	void severalLocksAreReleasedAfterTransaction() {
		this.transactions.executeWithoutResult((status) -> {
			insert();
			this.locks.execute(LockRequest.of("stock", "tablet").withReleaseAfterTransaction(),
					LockHandle::fencingToken);
			assertThat(this.local.list()).hasSize(2);
		});
		assertThat(this.local.list()).isEmpty();
	}

	@Test
	void lockIsReleasedAtReturnWithoutTransaction() {
		insert();
		assertThat(this.locks.find(KEY)).isEmpty();
		template(TransactionDefinition.PROPAGATION_SUPPORTS).executeWithoutResult((status) -> {
			insert();
			assertThat(this.locks.find(KEY)).isEmpty();
		});
	}

	@Test
	void lockAcquiredDuringTransactionCompletionIsReleased() {
		Phases phases = new Phases((name) -> this.locks.execute(REQUEST, LockHandle::fencingToken));
		this.transactions
			.executeWithoutResult((status) -> TransactionSynchronizationManager.registerSynchronization(phases));
	}

	@Test
	void lossBeforeCommitRollsBackTransaction() {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transactions.executeWithoutResult((status) -> {
				this.locks.execute(REQUEST.withOnLoss(OnLoss.FAIL),
						(handle) -> this.jdbc.update("insert into stock values (1)"));
				assertThat(this.locks.forceRelease(KEY)).isTrue();
				LockHandle kept = this.local.current().get(0);
				await().until(() -> !kept.isHeld());
			}));
		assertThat(sold()).isZero();
	}

	private TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(
				Objects.requireNonNull(this.transactions.getTransactionManager()));
		template.setPropagationBehavior(propagation);
		return template;
	}

	private void insert() {
		this.locks.execute(REQUEST, (handle) -> this.jdbc.update("insert into stock values (1)"));
	}

	private int sold() {
		Integer sum = this.jdbc.queryForObject("select coalesce(sum(sold), 0) from stock", Integer.class);
		return (sum != null) ? sum : -1;
	}

	/* From here on, each phase records whether the lock is held. */
	private void watch() {
		TransactionSynchronizationManager.registerSynchronization(
				new Phases((name) -> this.held.merge(name, this.locks.find(KEY).isPresent(), Boolean::logicalAnd)));
	}

	/**
	 * Reports each phase of a completion.
	 *
	 * @param heard receives the name of the phase
	 */
	private record Phases(Consumer<String> heard) implements TransactionSynchronization {

		@Override
		public void beforeCommit(boolean readOnly) {
			this.heard.accept("beforeCommit");
		}

		@Override
		public void beforeCompletion() {
			this.heard.accept("beforeCompletion");
		}

		@Override
		public void afterCommit() {
			this.heard.accept("afterCommit");
		}

		@Override
		public void afterCompletion(int status) {
			this.heard.accept("afterCompletion");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
