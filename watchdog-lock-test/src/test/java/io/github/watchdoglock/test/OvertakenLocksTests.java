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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.willAnswer;

/**
 * Tests for {@link TestLocks#overtake(LockKey)}, as a user writes them.
 */
@SpringBootTest(classes = OvertakenLocksTests.Application.class,
		properties = "spring.datasource.generate-unique-name=true")
@AutoConfigureTestLocks
class OvertakenLocksTests {

	private static final LockKey PHONE = LockKey.of("stock", "phone");

	@Autowired
	private Shop shop;

	@Autowired
	private TestLocks locks;

	@Autowired
	private JdbcTemplate jdbc;

	@MockitoBean
	private Runnable payment;

	@BeforeEach
	void stockUp() {
		this.jdbc.execute("drop table if exists stock");
		this.jdbc.execute("create table stock (amount int)");
		this.jdbc.update("insert into stock values (10)");
	}

	@Test
	void transactionOfOvertakenHolderIsRolledBack() {
		willAnswer((call) -> {
			this.locks.overtake(PHONE);
			return null;
		}).given(this.payment).run();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.sell("phone"))
			.returns(LockLoss.Reason.OVERTAKEN, LockLostException::getReason);
		assertThat(amount()).isEqualTo(10);
		assertThat(this.locks.isTaken(PHONE)).isFalse();
	}

	@Test
	void methodCalledAfterOvertakeCommitsTransaction() {
		this.shop.sell("phone");
		this.locks.overtake(PHONE);
		this.shop.sell("phone");
		assertThat(amount()).isEqualTo(8);
	}

	@Test
	void overtakeIsRejectedBeforeFencedMethodHasRun() {
		assertThatIllegalStateException().isThrownBy(() -> this.locks.overtake(LockKey.of("stock", "tablet")))
			.withMessageContaining("no fenced method has begun under it. Call the method first");
	}

	@Test
	void overtakeAndFencedRequestAreRejectedWithoutDatabase() {
		try (FakeLockService service = new FakeLockService()) {
			assertThatIllegalStateException().isThrownBy(() -> service.locks().overtake(PHONE))
				.withMessage("Lock 'stock:phone' cannot be fenced: a FakeLockService has no database");
			assertThatIllegalStateException().isThrownBy(() -> service.acquire(LockRequest.of(PHONE).withFenced(true)))
				.withMessageContaining("'stock:phone' cannot be fenced");
		}
	}

	private @Nullable Integer amount() {
		return this.jdbc.queryForObject("select amount from stock", Integer.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Shop shop(Runnable payment, TransactionTemplate transactions, JdbcTemplate jdbc) {
			return new Shop(payment, transactions, jdbc);
		}

	}

	static class Shop {

		private final Runnable payment;

		private final TransactionTemplate transactions;

		private final JdbcTemplate jdbc;

		Shop(Runnable payment, TransactionTemplate transactions, JdbcTemplate jdbc) {
			this.payment = payment;
			this.transactions = transactions;
			this.jdbc = jdbc;
		}

		@DistributedLock(name = "stock", key = "#sku", fenced = true)
		void sell(String sku) {
			this.payment.run();
			this.transactions
				.executeWithoutResult((status) -> this.jdbc.update("update stock set amount = amount - 1"));
		}

	}

}
