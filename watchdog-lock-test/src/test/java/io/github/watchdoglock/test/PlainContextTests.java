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

package io.github.watchdoglock.test;

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AutoConfigureTestLocks} without other configuration, as in a test
 * slice.
 */
@SpringJUnitConfig({ PlainContextTests.Shop.class, PlainContextTests.Transactions.class })
@AutoConfigureTestLocks
class PlainContextTests {

	@Autowired
	private Shop shop;

	@Autowired
	private Transactions transactions;

	@Autowired
	private TestLocks locks;

	@Test
	void annotatedMethodAcquiresLockInPlainContext() {
		this.shop.buy("phone");
		assertThat(this.locks.acquired()).containsExactly(LockKey.of("flash-sale", "phone"));
	}

	@Test
	void transactionWhoseLockIsLostIsRolledBack() {
		Runnable transaction = () -> new TransactionTemplate(this.transactions)
			.executeWithoutResult((status) -> this.locks.lose(LockKey.of("strict")));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.strict(transaction));
		assertThat(this.transactions.ends).containsExactly("rollback");
	}

	@Test
	void contextStartsWithoutSpringTransactionClasses() {
		new ApplicationContextRunner().withUserConfiguration(Configured.class)
			.withPropertyValues("watchdog-lock.store=local")
			.withClassLoader(new FilteredClassLoader("org.springframework.transaction"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(TestLocks.class));
	}

	@Nested
	class Inside {

		@Autowired
		private TestLocks nested;

		@Test
		void nestedTestClassSharesLocksWithEnclosingClass() {
			assertThat(this.nested).isSameAs(PlainContextTests.this.locks);
			PlainContextTests.this.shop.buy("tablet");
			assertThat(this.nested.acquired()).containsExactly(LockKey.of("flash-sale", "tablet"));
		}

	}

	@AutoConfigureTestLocks
	static class Configured {

	}

	static class Shop {

		@DistributedLock(name = "flash-sale", key = "#sku")
		void buy(String sku) {
		}

		@DistributedLock(name = "strict", onLoss = OnLoss.FAIL)
		void strict(Runnable work) {
			work.run();
		}

	}

	static class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1;

		private final transient List<String> ends = new ArrayList<>();

		@Override
		protected Object doGetTransaction() {
			return this.ends;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.ends.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.ends.add("rollback");
		}

	}

}
