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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.fault.Afterwards;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.redis.ScriptWords;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for commands that Redis carried out and whose answers arrived late or never.
 */
@Tag("slow")
class LostAnswersTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(2);

	/* The timeout, which is a tenth of the lease. */
	private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(200);

	/* A poll interval, and the additional time of the machine on top of a lease. */
	private static final Duration SLACK = Duration.ofSeconds(2);

	private static final int AT_A_TIME = 25;

	private static final int LOSSES_EACH = 8;

	@Test
	void lostAcquireAnswerCausesNeitherDoubleHoldNorLongOrphan() throws Exception {
		List<Tally> tallies;
		try (RedisInstance rival = new RedisInstance(redis.port()).connected()) {
			tallies = Concurrently.run(AT_A_TIME, (i) -> loseAnswers(rival, "lock-" + i));
		}
		Tally sum = tallies.stream().reduce(Tally::plus).orElseThrow();
		System.out.println("Lost answers of acquire: " + sum);
		assertThat(sum.dropped() + sum.late()).isEqualTo(AT_A_TIME * LOSSES_EACH);
		assertThat(sum.heldTwice()).as("callers that held the same key at once").isZero();
		assertThat(sum.longestOrphan()).isLessThan(LEASE.plus(SLACK).toMillis());
	}

	/* Lose one answer after the other, while another caller wants the same key. */
	private static Tally loseAnswers(RedisInstance rival, String name) throws Exception {
		LockRequest request = LockRequest.of(name).withLease(Lease.renewed(LEASE));
		AtomicInteger holders = new AtomicInteger();
		AtomicInteger heldTwice = new AtomicInteger();
		int granted = 0;
		long longest = 0;
		try (FaultProxy proxy = FaultProxy.to(redis.port());
				RedisInstance instance = new RedisInstance(proxy.port()).connected()) {
			for (int i = 0; i < LOSSES_EACH; i++) {
				plan(proxy, i);
				CompletableFuture<LockHandle> asked = instance.engine()
					.acquireAsync(request.withWaitTime(Duration.ofSeconds(1)));
				await().until(proxy::isPlanDone);
				CompletableFuture<?> next = takeAfterwards(rival, name, holders, heldTwice);
				if (gotIt(asked, holders, heldTwice)) {
					granted++;
				}
				long start = System.nanoTime();
				next.get(20, TimeUnit.SECONDS);
				longest = Math.max(longest, Duration.ofNanos(System.nanoTime() - start).toMillis());
				instance.connected();
			}
			return new Tally(proxy.effects(Fault.DROP_ANSWER), proxy.effects(Fault.DELAY_ANSWER), granted,
					heldTwice.get(), longest);
		}
	}

	/* The rival repeats its own commands if the machine is slow. */
	private static CompletableFuture<Void> takeAfterwards(RedisInstance rival, String name, AtomicInteger holders,
			AtomicInteger heldTwice) {
		return rival.engine()
			.acquireAsync(LockRequest.of(name).withWaitTime(Duration.ofMinutes(1)))
			.thenAccept((handle) -> use(handle, holders, heldTwice))
			.exceptionallyCompose((failure) -> takeAfterwards(rival, name, holders, heldTwice));
	}

	private static void plan(FaultProxy proxy, int i) {
		switch (i % 3) {
			case 0 -> proxy.dropNextAnswer(ScriptWords.of("acquire"), Afterwards.RESET);
			case 1 -> proxy.dropNextAnswer(ScriptWords.of("acquire"), Afterwards.SILENCE);
			default -> proxy.delayNextAnswer(ScriptWords.of("acquire"), COMMAND_TIMEOUT.plusMillis(20));
		}
	}

	private static boolean gotIt(CompletableFuture<LockHandle> asked, AtomicInteger holders, AtomicInteger heldTwice)
			throws Exception {
		try {
			use(asked.get(20, TimeUnit.SECONDS), holders, heldTwice);
			return true;
		}
		catch (ExecutionException ex) {
			assertThat(ex).hasCauseInstanceOf(LockStoreException.class);
			return false;
		}
	}

	private static void use(LockHandle handle, AtomicInteger holders, AtomicInteger heldTwice) {
		if (holders.incrementAndGet() > 1) {
			heldTwice.incrementAndGet();
		}
		SlowWork.uninterrupted(Duration.ofMillis(5));
		holders.decrementAndGet();
		handle.close();
	}

	@Test
	void lostRenewalAnswerPutsHoldAtRiskWithoutLoss() throws Exception {
		LockNews news = new LockNews();
		try (FaultProxy proxy = FaultProxy.to(redis.port());
				RedisInstance instance = new RedisInstance(proxy.port(), news).connected()) {
			LockHandle handle = instance.engine().acquire(LockRequest.of("orders").withLease(Lease.renewed(LEASE)));
			for (Afterwards afterwards : Afterwards.values()) {
				long before = news.count("recovered");
				proxy.dropNextAnswer(ScriptWords.of("renew"), afterwards);
				await().until(() -> news.count("recovered") == before + 1);
			}
			assertThat(handle.isHeld()).isTrue();
			assertThat(proxy.effects(Fault.DROP_ANSWER)).isEqualTo(2);
			assertThat(news.count("at risk")).isEqualTo(2);
			assertThat(news.losses()).isEmpty();
			handle.close();
		}
	}

	@Test
	void lostReleaseAnswerFreesKeyWithoutException() throws Exception {
		LockNews news = new LockNews();
		try (FaultProxy proxy = FaultProxy.to(redis.port());
				RedisInstance instance = new RedisInstance(proxy.port(), news).connected();
				RedisInstance other = new RedisInstance(redis.port()).connected()) {
			for (Afterwards afterwards : Afterwards.values()) {
				LockRequest request = LockRequest.of("release", afterwards.name()).withLease(Lease.renewed(LEASE));
				LockHandle handle = instance.engine().acquire(request);
				proxy.dropNextAnswer(ScriptWords.of("release"), afterwards);
				long start = System.nanoTime();
				handle.close();
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(COMMAND_TIMEOUT.plus(SLACK));
				assertThat(handle.isHeld()).isFalse();
				other.engine().acquire(LockRequest.of(request.key()).withWaitTime(Duration.ZERO)).close();
				instance.connected();
			}
			assertThat(proxy.effects(Fault.DROP_ANSWER)).isEqualTo(2);
			await().until(() -> news.count("release failed") == 2);
			assertThat(news.losses()).isEmpty();
		}
	}

	/**
	 * The effects of lost answers.
	 *
	 * @param dropped answers that never arrived
	 * @param late answers that arrived after the timeout
	 * @param granted callers that acquired the lock nevertheless
	 * @param heldTwice how often two callers held the lock at once
	 * @param longestOrphan milliseconds until another caller had the key after a caller
	 * got an error
	 */
	private record Tally(long dropped, long late, int granted, int heldTwice, long longestOrphan) {

		Tally plus(Tally other) {
			return new Tally(this.dropped + other.dropped, this.late + other.late, this.granted + other.granted,
					this.heldTwice + other.heldTwice, Math.max(this.longestOrphan, other.longestOrphan));
		}

	}

}
