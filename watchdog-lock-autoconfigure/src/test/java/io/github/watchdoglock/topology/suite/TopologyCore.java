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

package io.github.watchdoglock.topology.suite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisRecord;
import io.github.watchdoglock.support.Concurrently;
import io.github.watchdoglock.support.LateAnswers;
import io.github.watchdoglock.support.LockNews;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The tests for the features that two instances of an application rely on, and for the
 * failures that they survive, in any topology.
 */
@SuppressWarnings("NullAway.Init")
abstract class TopologyCore {

	private static final Duration LEASE = Duration.ofSeconds(3);

	/* Much longer than a message takes. */
	private static final Duration POLL = Duration.ofSeconds(6);

	private static final int CALLERS = 4;

	private static final int CALLS = 25;

	private static Deployment deployment;

	private static ConfigurableApplicationContext one;

	private static ConfigurableApplicationContext other;

	@Parameter
	Way way;

	@BeforeParameterizedClassInvocation
	static void start(Way way) {
		deployment = way.topology().deploy();
		one = instance(way);
		other = instance(way);
	}

	private static ConfigurableApplicationContext instance(Way way) {
		List<String> properties = new ArrayList<>(deployment.properties());
		properties.add("watchdog-lock.lease-time=" + LEASE.toSeconds() + "s");
		// A sixth of the lease, except for leases of a minute.
		properties.add("watchdog-lock.poll-interval=" + POLL.toSeconds() + "s");
		return SuiteApplication.connected(properties, way.driver(), LockedWork.class);
	}

	@AfterParameterizedClassInvocation
	static void stop() throws Exception {
		one.close();
		other.close();
		deployment.close();
	}

	/* An earlier test may have cut the connections. */
	@BeforeEach
	void connected() {
		RedisInstance.awaitConnection(locks(one));
		RedisInstance.awaitConnection(locks(other));
	}

	@Test
	void callersInTwoInstancesExcludeEachOther() throws Exception {
		LockedWork.forget();
		Concurrently.run(CALLERS, (caller) -> {
			LockedWork work = work((caller % 2 == 0) ? one : other);
			for (int i = 0; i < CALLS; i++) {
				patiently(() -> {
					work.count(List.of("all", "of " + caller));
					return true;
				});
			}
			return null;
		});
		assertThat(LockedWork.count("all")).isEqualTo(CALLERS * CALLS);
		assertThat(LockedWork.count("of 0")).isEqualTo(CALLS);
		RedisAdmin admin = new RedisAdmin(deployment.outside());
		await().until(admin::isAllFree);
	}

	@Test
	void lockOfPendingStageSurvivesCutConnectionsAndFlushedScripts() {
		CompletableFuture<Void> end = new CompletableFuture<>();
		CompletableFuture<Void> held = patiently(() -> work(one).stage(end));
		try {
			deployment.killClients();
			awaitRenewal("stage");
			deployment.onAll("SCRIPT", "FLUSH");
			awaitRenewal("stage");
			await().ignoreExceptions().untilAsserted(() -> assertThat(work(other).orNot()).isEmpty());
		}
		finally {
			end.complete(null);
		}
		held.join();
		await().ignoreExceptions().until(() -> work(other).orNot().isPresent());
		assertThat(news(one).losses()).noneMatch((loss) -> loss.key().equals(LockKey.of("stage")));
	}

	/* An earlier test may have cut the subscription, which takes time to recover. */
	@Test
	void messageWakesWaiterOfOtherInstanceBeforePoll() {
		await().atMost(POLL.multipliedBy(5))
			.pollDelay(Duration.ZERO)
			.until(() -> handOn().compareTo(POLL.dividedBy(2)) < 0);
	}

	private static Duration handOn() {
		LockRequest request = LockRequest.of("handed")
			.withLease(Lease.renewed(Duration.ofMinutes(1)))
			.withWaitTime(Duration.ofSeconds(30));
		return SuiteApplication.handOn(locks(one), locks(other), request);
	}

	@Test
	void lockSurvivesServerFreezeShorterThanLease() throws Exception {
		LockHandle held = LateAnswers.acquire(locks(one), LockRequest.of("paused")).join();
		deployment.servers().forEach((server) -> server.process().freeze());
		await().pollDelay(LEASE.dividedBy(4)).until(() -> true);
		deployment.servers().forEach((server) -> server.process().thaw());
		awaitRenewal("paused");
		assertThat(held.isHeld()).isTrue();
		held.close();
	}

	@Test
	void lockIsLostAsGoneWhenRecordIsDeleted() {
		Sinks.Empty<Void> end = Sinks.empty();
		Mono<Void> work = work(one).reactive(end.asMono());
		CompletableFuture<Void> held = work.toFuture();
		LockKey key = LockKey.of("reactive");
		await().ignoreExceptions().until(() -> locks(other).find(key).isPresent());
		new StringRedisTemplate(deployment.outside()).delete(RedisRecord.name(key));
		await().until(() -> news(one).losses().stream().anyMatch((loss) -> loss.key().equals(key)));
		assertThat(news(one).losses()).last().extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.GONE);
		end.tryEmitEmpty();
		await().until(held::isDone);
	}

	private static void awaitRenewal(String name) {
		long before = news(one).count("renewed", LockKey.of(name));
		await().atMost(Duration.ofSeconds(30)).until(() -> news(one).count("renewed", LockKey.of(name)) > before);
	}

	/*
	 * A late answer on a busy machine proves nothing, and the work was not done.
	 */
	private static <T> T patiently(Callable<T> work) {
		return await().atMost(Duration.ofSeconds(30))
			.pollDelay(Duration.ZERO)
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.until(work, Objects::nonNull);
	}

	private static LockedWork work(ConfigurableApplicationContext instance) {
		return instance.getBean(LockedWork.class);
	}

	private static LockService locks(ConfigurableApplicationContext instance) {
		return instance.getBean(LockService.class);
	}

	private static LockNews news(ConfigurableApplicationContext instance) {
		return instance.getBean(LockNews.class);
	}

}
