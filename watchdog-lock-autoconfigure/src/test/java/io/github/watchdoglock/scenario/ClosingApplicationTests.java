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

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application that is closed while its methods hold locks and wait for them.
 */
class ClosingApplicationTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	/* The same value as in the properties below. */
	private static final Duration LEASE = Duration.ofMillis(1_500);

	private final RedisAdmin admin = redis.admin();

	@Test
	void closeWaitsForRenewedHolderAndRejectsWaiter() throws Exception {
		ConfigurableApplicationContext application = application(Duration.ofSeconds(20));
		Work work = application.getBean(Work.class);
		LockNews news = application.getBean(LockNews.class);
		CountDownLatch finish = new CountDownLatch(1);
		CompletableFuture<Boolean> holder = call(work, finish);
		await().until(this::isLeased);
		CompletableFuture<Boolean> waiter = call(work, finish);
		await().until(() -> news.count("waiting", LockKey.of("work")) == 2);
		CompletableFuture<Void> closed = new CompletableFuture<>();
		new Thread(() -> {
			application.close();
			closed.complete(null);
		}).start();
		await().until(waiter::isCompletedExceptionally);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(waiter::join)
			.withCauseInstanceOf(LockServiceClosedException.class);
		// The work continues for two leases.
		await().pollDelay(LEASE.multipliedBy(2)).until(() -> true);
		assertThat(closed).isNotDone();
		assertThat(isLeased()).isTrue();
		finish.countDown();
		assertThat(holder.get(5, TimeUnit.SECONDS)).isTrue();
		closed.get(10, TimeUnit.SECONDS);
		assertThat(news.losses()).isEmpty();
		assertThat(isLeased()).isFalse();
	}

	@Test
	void holdIsLostAtShutdownTimeoutAndKeyStaysLeasedUntilExpiry() throws Exception {
		ConfigurableApplicationContext application = application(Duration.ofMillis(500));
		LockNews news = application.getBean(LockNews.class);
		CountDownLatch finish = new CountDownLatch(1);
		CompletableFuture<Boolean> holder = call(application.getBean(Work.class), finish);
		await().until(this::isLeased);
		application.close();
		assertThat(isLeased()).isTrue();
		await().until(() -> !news.losses().isEmpty());
		assertThat(news.losses()).singleElement()
			.satisfies((loss) -> assertThat(loss.reason()).isEqualTo(LockLoss.Reason.SHUTDOWN));
		await().atMost(LEASE.plusSeconds(1)).until(() -> !isLeased());
		finish.countDown();
		assertThat(holder.get(5, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void closeByHolderThreadDoesNotWaitAndKeyStaysLeasedUntilExpiry() {
		ConfigurableApplicationContext application = application(Duration.ofMinutes(1));
		LockNews news = application.getBean(LockNews.class);
		Work work = application.getBean(Work.class);
		CompletableFuture<Boolean> closed = new CompletableFuture<Boolean>()
			.completeAsync(() -> work.closing(application, this::isLeased), (task) -> new Thread(task).start());
		assertThat(closed).as("is leased after the close").succeedsWithin(Duration.ofSeconds(20)).isEqualTo(true);
		await().untilAsserted(() -> assertThat(news.losses()).singleElement()
			.satisfies((loss) -> assertThat(loss.reason()).isEqualTo(LockLoss.Reason.SHUTDOWN)));
		await().atMost(LEASE.plusSeconds(1)).until(() -> !isLeased());
	}

	private boolean isLeased() {
		return this.admin.isTaken("work");
	}

	private static CompletableFuture<Boolean> call(Work work, CountDownLatch finish) {
		return new CompletableFuture<Boolean>().completeAsync(() -> work.until(finish),
				(task) -> new Thread(task).start());
	}

	private static ConfigurableApplicationContext application(Duration phase) {
		ConfigurableApplicationContext application = SmallApplication.run(List.of(Work.class, LockNews.class),
				"spring.data.redis.port=" + redis.port(), "watchdog-lock.lease-time=1500ms",
				"watchdog-lock.wait-time=30s",
				"spring.lifecycle.timeout-per-shutdown-phase=" + phase.toMillis() + "ms");
		await().ignoreExceptions().until(() -> application.getBean(Work.class).quick());
		return application;
	}

	static class Work {

		@DistributedLock("quick")
		boolean quick() {
			return true;
		}

		@DistributedLock("work")
		boolean closing(ConfigurableApplicationContext application, BooleanSupplier then) {
			application.close();
			return then.getAsBoolean();
		}

		@DistributedLock("work")
		boolean until(CountDownLatch finish) {
			SlowWork.uninterrupted(finish, Duration.ofMinutes(1));
			return finish.getCount() == 0;
		}

	}

}
