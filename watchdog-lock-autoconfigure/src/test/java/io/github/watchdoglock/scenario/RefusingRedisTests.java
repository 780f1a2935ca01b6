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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.support.LateAnswers;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.StandStills;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for a Redis that rejects commands for less than a lease, while one lock is held
 * and another one is waited for.
 */
@Tag("slow")
class RefusingRedisTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension("appendonly yes", "appendfsync no");

	private static final Duration LEASE = Duration.ofSeconds(6);

	/* A tenth of the lease, and additional time for the machine. */
	private static final Duration TOLD_WITHIN = Duration.ofMillis(600 + 1_000);

	private final RedisAdmin admin = redis.admin();

	private final StandStills standStills = new StandStills();

	private final LockNews news = new LockNews();

	private final FaultProxy proxy = FaultProxy.to(redis.port());

	private final RedisInstance instance = new RedisInstance(this.proxy.port(), this.news).connected();

	private final RedisInstance other = new RedisInstance(redis.port(), this.news).connected();

	private final LockHandle held = LateAnswers.acquire(this.instance.engine(), request("held")).join();

	private final LockHandle busy = LateAnswers.acquire(this.other.engine(), request("busy")).join();

	private final CompletableFuture<LockHandle> waiting = LateAnswers.acquire(this.instance.engine(), request("busy"));

	@AfterEach
	void close() {
		this.instance.close();
		this.other.close();
		this.proxy.close();
		this.standStills.close();
	}

	@Test
	void flushedScriptsAffectNeitherHoldsNorWaiters() throws Exception {
		waits();
		await().atMost(LEASE.multipliedBy(10)).until(this::areCarriedOutInTimeAfterAFlush);
		assertThat(this.news.count("at risk")).isEqualTo(this.news.count("at risk late"));
		goesOn();
	}

	/*
	 * Whether each of the scripts is carried out in time after a flush. A late answer
	 * proves nothing.
	 */
	private boolean areCarriedOutInTimeAfterAFlush() {
		long late = this.news.count("at risk late");
		long renewed = this.news.count("renewed", this.held.key());
		long renewedElsewhere = this.news.count("renewed", this.busy.key());
		this.admin.flushScripts();
		LateAnswers.acquire(this.instance.engine(), request("new")).join().close();
		await().until(() -> this.news.count("renewed", this.held.key()) > renewed
				&& this.news.count("renewed", this.busy.key()) > renewedElsewhere);
		return this.news.count("at risk late") == late;
	}

	@Test
	void readOnlyReplicaFailsNewCallersAndKeepsHoldsAndWaiters() throws Exception {
		waits();
		this.admin.follow(1);
		isRefusedInTime("READONLY");
		isAtRisk();
		this.admin.lead();
		recovers();
		goesOn();
	}

	@Test
	void busyRedisFailsNewCallersAndKeepsHoldsAndWaiters() throws Exception {
		waits();
		Runnable end = this.admin.beBusy();
		try {
			await().untilAsserted(() -> isRefusedInTime("BUSY"));
			isAtRisk();
		}
		finally {
			end.run();
		}
		recovers();
		goesOn();
	}

	@Test
	void loadingRedisFailsNewCallersAndKeepsHoldsAndWaiters() throws Exception {
		waits();
		await().pollInterval(Duration.ofSeconds(1)).ignoreExceptions().untilAsserted(() -> {
			this.admin.load();
			isRefusedInTime("LOADING");
		});
		await().ignoreExceptions().until(() -> this.admin.fact("persistence", "loading") == 0);
		goesOn();
	}

	@Test
	void redisOutOfMemoryFailsNewCallersAndRenewsHolds() throws Exception {
		waits();
		this.admin.withoutMemory(() -> {
			isRefusedInTime("OOM");
			await().pollDelay(LEASE.dividedBy(2)).until(() -> true);
			assertThat(this.news.count("at risk")).isZero();
		});
		goesOn();
	}

	@Test
	void unreachableRedisFailsNewCallersAndKeepsHoldsAndWaiters() throws Exception {
		waits();
		this.proxy.refuse(true);
		this.proxy.cut();
		isRefusedInTime("no connection to", request("new").withWaitTime(Duration.ZERO));
		isAtRisk();
		assertThat(this.proxy.effects(Fault.REFUSE)).isPositive();
		this.proxy.refuse(false);
		recovers();
		goesOn();
	}

	private static LockRequest request(String name) {
		return LockRequest.of(name).withLease(Lease.renewed(LEASE)).withWaitTime(Duration.ofSeconds(30));
	}

	private void waits() {
		await().ignoreExceptionsMatching(LateAnswers::isLate)
			.until(() -> this.other.engine().find(LockKey.of("busy")).orElseThrow().waiting() == 1);
	}

	/* A caller that has had no answer yet gets an error in time. */
	private void isRefusedInTime(String words) {
		isRefusedInTime(words, request("new"));
	}

	private void isRefusedInTime(String words, LockRequest request) {
		long start = System.nanoTime();
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.instance.engine().acquire(request).close())
			.withMessageContaining(words);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TOLD_WITHIN);
	}

	private void isAtRisk() {
		await().atMost(LEASE).until(() -> this.news.count("at risk", LockKey.of("held")) == 1);
		assertThat(this.held.isHeld()).isTrue();
		assertThat(this.waiting).isNotDone();
	}

	private void recovers() {
		await().atMost(LEASE).until(() -> this.news.count("recovered", LockKey.of("held")) == 1);
	}

	/*
	 * The lock that is waited for is handed on, and is not kept until its lease has
	 * expired.
	 */
	private void goesOn() throws Exception {
		assertThat(this.waiting).isNotDone();
		assertThat(this.held.isHeld()).isTrue();
		assertThat(this.busy.isHeld()).isTrue();
		await().until(() -> this.busy.remaining().compareTo(LEASE.dividedBy(2)) > 0);
		long from = System.nanoTime();
		Duration left = this.busy.remaining();
		this.busy.close();
		LockHandle next = this.waiting.get(30, TimeUnit.SECONDS);
		assertThat(this.standStills.ranSince(from)).isLessThan(left);
		next.close();
		this.held.close();
		LateAnswers.acquire(this.other.engine(), request("held")).join().close();
		assertThat(this.news.losses()).isEmpty();
	}

}
