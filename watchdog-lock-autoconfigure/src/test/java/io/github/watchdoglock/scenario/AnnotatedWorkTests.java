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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.SlowWork;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances of an application whose methods take longer than their leases.
 */
class AnnotatedWorkTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private final RedisAdmin admin = new RedisAdmin(redis.factory());

	private final ConfigurableApplicationContext first = application();

	private final ConfigurableApplicationContext second = application();

	private final Work work = this.first.getBean(Work.class);

	private final Losses losses = this.first.getBean(Losses.class);

	private final Work sameElsewhere = this.second.getBean(Work.class);

	@BeforeEach
	void connected() {
		await().ignoreExceptions().until(() -> this.work.quick() && this.sameElsewhere.quick());
	}

	@AfterEach
	void close() {
		this.first.close();
		this.second.close();
	}

	@Test
	void aMethodLongerThanItsLeaseKeepsItsLockByBeingRenewed() throws Exception {
		double before = renewals();
		CompletableFuture<Long> done = caller(() -> this.work.report(5_000));
		await().until(() -> leaseExists("report"));
		CompletableFuture<Long> next = caller(() -> this.sameElsewhere.report(0));
		await().pollInterval(Duration.ofMillis(100)).atMost(Duration.ofSeconds(10)).until(() -> {
			boolean held = leaseExists("report");
			assertThat(held || this.work.ended()).isTrue();
			return done.isDone();
		});
		assertThat(next.get(2, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(done.join());
		// One per half a second, give or take a tenth and the first.
		assertThat(renewals() - before).isBetween(8.0, 13.0);
		assertThat(this.losses.heard).isEmpty();
	}

	@Test
	void aFixedLeaseIsNotRenewedAndItsHolderIsToldWhenItIsOver() throws Exception {
		double before = renewals();
		long begun = System.nanoTime();
		CompletableFuture<Long> done = caller(() -> this.work.fixed(3_000));
		await().until(() -> leaseExists("fixed"));
		long ended = caller(() -> this.sameElsewhere.fixed(0)).get(3, TimeUnit.SECONDS);
		assertThat(Duration.ofNanos(ended - begun)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
		assertThat(done).isNotDone();
		await().until(() -> !this.losses.heard.isEmpty());
		assertThat(this.losses.heard).singleElement()
			.satisfies((loss) -> assertThat(loss.reason()).isEqualTo(LockLoss.Reason.EXPIRED));
		assertThat(renewals()).isEqualTo(before);
		assertThat(this.first.getBean(MeterRegistry.class)
			.get("watchdog.lock.lost")
			.tag("lock", "fixed")
			.tag("reason", "expired")
			.counter()
			.count()).isOne();
		done.get(5, TimeUnit.SECONDS);
	}

	@Test
	void theSameLeaseIsKeptWithRenewalOn() throws Exception {
		keeps("renewed", () -> this.work.renewed(3_000), () -> this.sameElsewhere.renewed(0));
	}

	@Test
	void aLeaseTimeOfMinusOneIsThePropertysAndRenewed() throws Exception {
		keeps("endless", () -> this.work.endless(3_000), () -> this.sameElsewhere.endless(0));
	}

	@Test
	void nothingButAFreeRecordIsLeftALeaseAfterTheContextClosedUnderItsWork() throws Exception {
		CountDownLatch finish = new CountDownLatch(1);
		CompletableFuture<Boolean> done = caller(() -> this.work.until(finish));
		await().until(() -> leaseExists("until"));
		this.first.close();
		await().until(() -> !this.losses.heard.isEmpty());
		assertThat(this.losses.heard).singleElement()
			.satisfies((loss) -> assertThat(loss.reason()).isEqualTo(LockLoss.Reason.SHUTDOWN));
		await().atMost(Duration.ofSeconds(4)).until(() -> !leaseExists("until"));
		assertThat(this.admin.isAllFree()).isTrue();
		assertThat(done).isNotDone();
		finish.countDown();
		assertThat(done.get(5, TimeUnit.SECONDS)).isTrue();
	}

	/* A thread each: the common pool may have one for all. */
	private static <T> CompletableFuture<T> caller(Supplier<T> call) {
		CompletableFuture<T> outcome = new CompletableFuture<>();
		return outcome.completeAsync(call, (task) -> new Thread(task).start());
	}

	private void keeps(String lock, Supplier<Long> work, Supplier<Long> next) throws Exception {
		CompletableFuture<Long> done = caller(work);
		await().until(() -> leaseExists(lock));
		long ended = caller(next).get(10, TimeUnit.SECONDS);
		assertThat(ended).isGreaterThanOrEqualTo(done.get(1, TimeUnit.SECONDS));
		assertThat(this.losses.heard).isEmpty();
	}

	private boolean leaseExists(String lock) {
		return this.admin.isTaken(lock);
	}

	private double renewals() {
		return this.first.getBean(MeterRegistry.class)
			.find("watchdog.lock.renewals")
			.tag("outcome", "renewed")
			.counters()
			.stream()
			.mapToDouble((counter) -> counter.count())
			.sum();
	}

	private static ConfigurableApplicationContext application() {
		return SmallApplication.run(List.of(Work.class, SimpleMeterRegistry.class, Losses.class),
				"spring.data.redis.port=" + redis.port(), "watchdog-lock.lease-time=1500ms",
				"spring.lifecycle.timeout-per-shutdown-phase=500ms");
	}

	static class Losses implements LockListener {

		final List<LockLoss> heard = new CopyOnWriteArrayList<>();

		@Override
		public void lost(LockLoss loss, Duration held) {
			this.heard.add(loss);
		}

	}

	static class Work {

		private volatile boolean ended;

		/* By a method, since the proxy has fields of its own. */
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

		@DistributedLock("until")
		boolean until(CountDownLatch finish) {
			try {
				return finish.await(30, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@DistributedLock(name = "fixed", leaseTime = "1s")
		long fixed(long millis) {
			return take(millis);
		}

		@DistributedLock(name = "renewed", leaseTime = "1s", renewal = Renewal.ON)
		long renewed(long millis) {
			return take(millis);
		}

		@DistributedLock(name = "endless", leaseTime = "-1")
		long endless(long millis) {
			return take(millis);
		}

		/* When it ended. */
		private long take(long millis) {
			try {
				SlowWork.take(Duration.ofMillis(millis));
				this.ended = true;
				return System.nanoTime();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
