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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for two instances that sell the same stock, one of which was overtaken, with each
 * database.
 */
@Tag("fast")
@Tag("containers")
@ParameterizedClass
@MethodSource("io.github.watchdoglock.fence.TestDatabase#installed")
@SuppressWarnings("NullAway.Init")
class FencedTransactionsTests {

	@Parameter
	TestDatabase database;

	private TestShop shop;

	private TestInstance first;

	private TestInstance second;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Pause pause = new Pause();

	static IntStream isolations() {
		return IntStream.of(TransactionDefinition.ISOLATION_READ_COMMITTED,
				TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE);
	}

	@BeforeEach
	void start() {
		this.shop = TestShop.open(this.database);
		this.first = this.shop.first();
		this.second = this.shop.second();
	}

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
		this.shop.close();
	}

	@ParameterizedTest
	@MethodSource("isolations")
	void laterHolderWaitsForOpenTransactionOfEarlierHolder(int isolation) throws Exception {
		Future<?> early = this.threads.submit(() -> sell(this.first, isolation, this.pause));
		this.pause.awaitBegin();
		this.shop.forget("phone");
		Future<?> late = this.threads.submit(() -> sell(this.second, isolation, TestShop::nothing));
		assertWaits(late, early);
		assertThat(this.first.stock().amount("phone")).isEqualTo(TestShop.TEN - 2);
	}

	@ParameterizedTest
	@MethodSource("isolations")
	void overtakenHolderIsRejectedInItsNextTransaction(int isolation) throws Exception {
		Future<?> early = this.threads.submit(() -> this.first.stock().within("phone", () -> {
			this.shop.forget("phone");
			assertThat(this.threads.submit(() -> sell(this.second, isolation, TestShop::nothing)))
				.succeedsWithin(Duration.ofSeconds(10));
			TestShop.refused(() -> this.first.stock()
				.transaction(isolation)
				.executeWithoutResult((status) -> this.first.stock().sellOne("phone", TestShop::nothing)));
			// The thread's next transaction, without the lock's row, is its own.
			TestShop.clean();
			return "";
		}));
		assertThat(early).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.first.stock().amount("phone")).isEqualTo(TestShop.TEN - 1);
		this.first.stock()
			.transaction(isolation)
			.executeWithoutResult(
					(status) -> this.first.jdbc().update("update stock set amount = 5 where sku = 'tablet'"));
		assertThat(this.second.stock().amount("tablet")).isEqualTo(5);
	}

	@Test
	void updateIsLostWithoutFenceWhenRedisForgetsLock() throws Exception {
		Future<?> early = this.threads.submit(() -> this.first.stock().sellUnfenced("phone", this.pause));
		this.pause.awaitBegin();
		this.shop.forget("phone");
		this.second.stock().sellUnfenced("phone", TestShop::nothing);
		this.pause.end();
		assertThat(early).succeedsWithin(Duration.ofSeconds(10));
		assertThat(this.first.stock().amount("phone")).isEqualTo(TestShop.TEN - 1);
	}

	@ParameterizedTest
	@MethodSource("isolations")
	void concurrentHoldersSellAllStockWithoutFailure(int isolation) throws Exception {
		this.first.jdbc().update("update stock set amount = 80 where sku = 'phone'");
		List<Future<?>> all = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			TestInstance instance = (i % 2 == 0) ? this.first : this.second;
			all.add(this.threads.submit(() -> {
				for (int sold = 0; sold < 10; sold++) {
					sell(instance, isolation, TestShop::nothing);
				}
			}));
		}
		for (Future<?> each : all) {
			each.get(60, TimeUnit.SECONDS);
		}
		assertThat(this.first.stock().amount("phone")).as("phones left after 80 sales in two instances").isZero();
	}

	@Test
	void namesThatDifferInCaseOrTrailingBlanksAreDifferentLocks() throws Exception {
		List<LockHandle> held = new ArrayList<>();
		for (String id : List.of("phone", "Phone", "phone ", "PHONE")) {
			held.add(this.first.locks().acquire(LockRequest.of("stock", id).withFenced(true)));
		}
		this.first.stock().transaction(TransactionDefinition.ISOLATION_DEFAULT).executeWithoutResult((status) -> {
		});
		held.forEach(LockHandle::close);
	}

	@Test
	void acquisitionFailsWhileEarlierHolderTransactionIsOpen() throws Exception {
		Future<?> early = this.threads.submit(() -> this.first.stock().sell("phone", this.pause));
		this.pause.awaitBegin();
		this.shop.forget("phone");
		LockRequest request = LockRequest.of("stock", "phone").withFenced(true).withWaitTime(Duration.ofMillis(500));
		long start = System.nanoTime();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.second.locks().acquire(request))
			.withMessageContaining("a transaction of an earlier holder is still open");
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
		assertThat(this.second.locks().tryAcquire(request)).isEmpty();
		assertThat(this.second.locks().find(LockKey.of("stock", "phone"))).isEmpty();
		this.pause.end();
		assertThat(early).succeedsWithin(Duration.ofSeconds(10));
		this.second.locks().acquire(request).close();
	}

	@Test
	void fencedLockIsRejectedInTransactionThatIsNotSuspended() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.first.stock().around(() -> this.first.stock().sell("phone", TestShop::nothing)))
			.withMessageContaining("must be acquired before the transaction begins");
		this.first.stock().around(() -> this.first.stock().sellInNew("phone"));
		assertThat(this.first.stock().amount("phone")).isEqualTo(TestShop.TEN - 1);
		this.first.stock().within("phone", () -> {
			this.first.stock().around(() -> this.first.stock().sell("phone", TestShop::nothing));
			return "";
		});
		assertThat(this.first.stock().amount("phone")).isEqualTo(TestShop.TEN - 2);
	}

	@Test
	void innerTransactionIsFencedWhileLaterHolderWaits() throws Exception {
		Future<?> early = this.threads.submit(() -> this.first.stock().sell("phone", () -> {
			this.pause.run();
			this.first.stock().sellInNew("tablet");
		}));
		this.pause.awaitBegin();
		this.shop.forget("phone");
		Future<?> late = this.threads.submit(() -> this.second.stock().sell("phone", TestShop::nothing));
		assertWaits(late, early);
		assertThat(this.first.stock().amount("phone")).isEqualTo(TestShop.TEN - 2);
		assertThat(this.first.stock().amount("tablet")).isEqualTo(TestShop.TEN - 1);
	}

	@Test
	void locksInOppositeOrdersCauseNeitherDeadlockNorLostUpdate() throws Exception {
		Future<?> early = this.threads.submit(() -> sellBoth(this.first, "phone", "tablet", this.pause));
		this.pause.awaitBegin();
		this.shop.forget("phone");
		this.shop.forget("tablet");
		Future<?> late = this.threads.submit(() -> sellBoth(this.second, "tablet", "phone", TestShop::nothing));
		assertWaits(late, early);
		List<Future<?>> all = new ArrayList<>();
		for (TestInstance instance : List.of(this.first, this.second)) {
			all.add(this.threads.submit(() -> {
				for (int sold = 0; sold < 4; sold++) {
					boolean forward = (instance == this.first);
					sellBoth(instance, forward ? "phone" : "tablet", forward ? "tablet" : "phone", TestShop::nothing);
				}
				return "";
			}));
		}
		for (Future<?> each : all) {
			each.get(30, TimeUnit.SECONDS);
		}
		assertThat(this.first.stock().amount("phone")).as("phones left after sales in opposite orders of locks")
			.isZero();
		assertThat(this.first.stock().amount("tablet")).isZero();
	}

	private void assertWaits(Future<?> late, Future<?> early) {
		assertThat(late).failsWithin(Duration.ofMillis(300));
		this.pause.end();
		assertThat(early).succeedsWithin(Duration.ofSeconds(10));
		assertThat(late).succeedsWithin(Duration.ofSeconds(10));
	}

	private static String sellBoth(TestInstance instance, String one, String other, Runnable pause) throws Exception {
		try (LockHandles handles = instance.locks()
			.acquireAll(List.of(LockRequest.of("stock", one).withFenced(true),
					LockRequest.of("stock", other).withFenced(true)))) {
			assertThat(handles.isHeld()).isTrue();
			instance.stock().transaction(TransactionDefinition.ISOLATION_DEFAULT).executeWithoutResult((status) -> {
				instance.stock().sellOne(one, pause);
				instance.stock().sellOne(other, TestShop::nothing);
			});
		}
		return one;
	}

	private static void sell(TestInstance instance, int isolation, Runnable pause) {
		instance.stock().within("phone", () -> {
			instance.stock()
				.transaction(isolation)
				.executeWithoutResult((status) -> instance.stock().sellOne("phone", pause));
			return "";
		});
	}

	/**
	 * Work in the middle of a transaction that continues when the test allows it.
	 */
	private static final class Pause implements Runnable {

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		@Override
		public void run() {
			this.begun.countDown();
			TestShop.await(this.goOn);
		}

		void awaitBegin() {
			TestShop.await(this.begun);
		}

		void end() {
			this.goOn.countDown();
		}

	}

}
