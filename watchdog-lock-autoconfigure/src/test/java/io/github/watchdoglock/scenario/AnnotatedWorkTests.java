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
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for two instances of an application whose methods take longer than their leases.
 */
@Tag("slow")
class AnnotatedWorkTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private final RedisAdmin admin = redis.admin();

	@AutoClose
	private final ConfigurableApplicationContext first = application();

	@AutoClose
	private final ConfigurableApplicationContext second = application();

	private final Work work = this.first.getBean(Work.class);

	private final LockNews news = this.first.getBean(LockNews.class);

	private final Work sameElsewhere = this.second.getBean(Work.class);

	@BeforeEach
	void connected() {
		await().ignoreExceptions().until(() -> this.work.quick() && this.sameElsewhere.quick());
	}

	@Test
	void methodLongerThanLeaseKeepsLockByRenewal() throws Exception {
		CompletableFuture<Long> done = caller(() -> this.work.report(5_000));
		await().until(() -> this.admin.isTaken("report"));
		CompletableFuture<Long> next = caller(() -> this.sameElsewhere.report(0));
		await().pollInterval(Duration.ofMillis(100)).atMost(Duration.ofSeconds(10)).until(() -> {
			boolean held = this.admin.isTaken("report");
			assertThat(held || this.work.ended()).as("key is held while the method runs").isTrue();
			return done.isDone();
		});
		assertThat(next.get(2, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(done.join());
		// One renewal per half a second, with a tolerance of a tenth and of the first
		// one.
		assertThat(this.news.count("renewed", LockKey.of("report"))).isBetween(8L, 13L);
		assertThat(this.news.losses()).isEmpty();
	}

	@Test
	void fixedLeaseIsNotRenewedAndExpiryIsReported() throws Exception {
		long begun = System.nanoTime();
		CompletableFuture<Long> done = caller(() -> this.work.fixed(3_000));
		await().until(() -> this.admin.isTaken("fixed"));
		long ended = caller(() -> this.sameElsewhere.fixed(0)).get(3, TimeUnit.SECONDS);
		assertThat(Duration.ofNanos(ended - begun)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
		assertThat(done).isNotDone();
		await().until(() -> !this.news.losses().isEmpty());
		assertThat(this.news.losses()).extracting(LockLoss::reason).containsExactly(LockLoss.Reason.EXPIRED);
		assertThat(this.news.count("renewed", LockKey.of("fixed"))).isZero();
		done.get(5, TimeUnit.SECONDS);
	}

	/* One thread for each caller, because the common pool may have only one. */
	private static <T> CompletableFuture<T> caller(Supplier<T> call) {
		CompletableFuture<T> outcome = new CompletableFuture<>();
		return outcome.completeAsync(call, (task) -> new Thread(task).start());
	}

	private static ConfigurableApplicationContext application() {
		return SmallApplication.run(List.of(Work.class, LockNews.class), "spring.data.redis.port=" + redis.port(),
				"watchdog-lock.lease-time=1500ms", "spring.lifecycle.timeout-per-shutdown-phase=500ms");
	}

	static class Work {

		private volatile boolean ended;

		/* A method, because the proxy has fields of its own. */
		boolean ended() {
			return this.ended;
		}

		@DistributedLock("quick")
		boolean quick() {
			return true;
		}

		@DistributedLock("report")
		long report(long millis) {
			return take(millis);
		}

		@DistributedLock(name = "fixed", leaseTime = "1s")
		long fixed(long millis) {
			return take(millis);
		}

		/* Take some time, and return when that ended. */
		private long take(long millis) {
			SlowWork.uninterrupted(Duration.ofMillis(millis));
			this.ended = true;
			return System.nanoTime();
		}

	}

}
