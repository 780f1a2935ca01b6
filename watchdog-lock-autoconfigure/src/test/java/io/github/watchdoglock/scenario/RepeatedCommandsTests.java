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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.redis.ScriptWords;
import io.github.watchdoglock.support.LateAnswers;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.StandStills;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for commands that reach Redis twice, as after a reconnect.
 */
class RepeatedCommandsTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration LEASE = Duration.ofSeconds(3);

	/*
	 * Much earlier than the end of the lease, which would free a key that was not handed
	 * on.
	 */
	private static final Duration SOON = LEASE.dividedBy(2);

	private static final int ROUNDS = 5;

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest REQUEST = LockRequest.of(KEY)
		.withLease(Lease.renewed(LEASE))
		.withWaitTime(Duration.ofSeconds(30));

	private final StandStills standStills = new StandStills();

	private final LockNews news = new LockNews();

	private final FaultProxy proxy = FaultProxy.to(redis.port());

	private final RedisInstance twice = new RedisInstance(this.proxy.port(), this.news).connected();

	private final RedisInstance other = new RedisInstance(redis.port(), this.news).connected();

	private long lastToken;

	@AfterEach
	void close() {
		this.twice.close();
		this.other.close();
		this.proxy.close();
		this.standStills.close();
	}

	/* A round is repeated only if an answer was late. */
	@Tag("slow")
	@Test
	void commandsThatReachRedisTwiceHaveOneEffect() throws Exception {
		int inTime = 0;
		for (int rounds = 1; inTime < ROUNDS; rounds++) {
			assertThat(rounds).isLessThanOrEqualTo(4 * ROUNDS);
			long late = late();
			Round round = passOn();
			if (late() == late) {
				assertThat(round.times()).allSatisfy((time) -> assertThat(time).isLessThan(SOON));
				assertThat(round.rest()).isEmpty();
				inTime++;
			}
			assertThat(this.proxy.effects(Fault.SEND_TWICE)).isEqualTo(4L * rounds);
		}
		assertThat(this.news.losses()).isEmpty();
		assertThat(this.news.count("at risk") + this.news.count("release failed")).isEqualTo(late());
	}

	private long late() {
		return this.news.count("at risk late") + this.news.count("release failed late");
	}

	/* Hand the lock on to the other instance and back. */
	private Round passOn() throws Exception {
		for (String verb : List.of("acquire", "renew", "release")) {
			this.proxy.sendNextTwice(ScriptWords.of(verb));
		}
		LockHandle first = LateAnswers.acquire(this.twice.engine(), REQUEST).join();
		CompletableFuture<LockHandle> next = LateAnswers.acquire(this.other.engine(), REQUEST);
		awaitWaiting();
		long renewed = this.news.count("renewed");
		await().until(() -> this.news.count("renewed") > renewed);
		this.proxy.sendNextTwice(ScriptWords.of("acquire"));
		assertThat(next).isNotDone();
		assertThat(first.isHeld()).isTrue();
		long from = System.nanoTime();
		first.close();
		LockHandle second = next.get(30, TimeUnit.SECONDS);
		Duration there = this.standStills.ranSince(from);
		// A place that was requested twice exists once.
		CompletableFuture<LockHandle> third = LateAnswers.acquire(this.twice.engine(), REQUEST);
		await().until(this.proxy::isPlanDone);
		awaitWaiting();
		from = System.nanoTime();
		second.close();
		LockHandle last = third.get(30, TimeUnit.SECONDS);
		Duration back = this.standStills.ranSince(from);
		assertThat(List.of(this.lastToken, first.fencingToken(), second.fencingToken(), last.fencingToken())).isSorted()
			.doesNotHaveDuplicates();
		this.lastToken = last.fencingToken();
		last.close();
		return new Round(List.of(there, back),
				await().pollDelay(Duration.ZERO)
					.ignoreExceptionsMatching(LateAnswers::isLate)
					.until(() -> this.other.engine().find(KEY), (rest) -> true));
	}

	private void awaitWaiting() {
		await().ignoreExceptionsMatching(LateAnswers::isLate)
			.until(() -> this.other.engine().find(KEY).orElseThrow().waiting() == 1);
	}

	/**
	 * The results of handing a lock on and finally releasing it.
	 *
	 * @param times the duration of each hand-off
	 * @param rest the state of the lock after its release
	 */
	private record Round(List<Duration> times, Optional<LockState> rest) {

	}

}
