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

package io.github.watchdoglock.topology.failover;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisRecord;
import io.github.watchdoglock.store.LeaseSurvey.Answer.Held;
import io.github.watchdoglock.support.LockNews;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for failovers by sentinels, with two replicas.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class SentinelFailoverTests {

	private static final Duration LEASE = Duration.ofSeconds(6);

	/* Longer than any of these tests. */
	private static final Duration LONG = Duration.ofSeconds(30);

	/* How much longer than its lease a record is kept. */
	private static final Duration RETENTION = Duration.ofMinutes(2);

	private static final LockKey RELEASED = LockKey.of("released");

	/*
	 * The limit until a holder is notified that the new primary does not have its lock.
	 */
	private static final Duration TOLD = Duration.ofSeconds(1);

	/*
	 * The limit until an instance is connected to the new primary: half a second if the
	 * machine is not busy with other tests, and less than five seconds, after which it
	 * would ask the sentinels without a message.
	 */
	private static final Duration MOVED = Duration.ofSeconds(2);

	@AutoClose
	private static final SentinelGroup group = SentinelGroup.start(2);

	@Test
	void plannedFailoverKeepsLocksAtNewPrimaryAndLosesMissingOnes(CapturedOutput output) throws Exception {
		group.awaitReady();
		int before = group.primary();
		assertIsFollowed(output, before, group::failOver,
				() -> assertThat(group.at(before).info("replication")).as("the former primary's role")
					.contains("role=master"));
	}

	@Test
	void killedPrimaryIsReplacedAndOnlyMissingLocksAreLost(CapturedOutput output) throws Exception {
		group.awaitReady();
		int before = group.primary();
		try {
			assertIsFollowed(output, before, () -> {
				group.server(before).process().kill();
				return group.awaitSwitch(before);
			}, () -> assertThat(output).contains("for locks: "));
		}
		finally {
			group.startServer(before);
		}
	}

	private static void assertIsFollowed(CapturedOutput output, int before, LongSupplier failover, Runnable then)
			throws Exception {
		LockNews news = new LockNews();
		try (RedisInstance instance = new RedisInstance(group.factory(), news).connected()) {
			LockHandle kept = acquire(instance, "kept");
			LockHandle missing = acquire(instance, "missing");
			group.forget(before, List.of(RedisRecord.name(missing.key())));
			acquire(instance, RELEASED, LONG).close();
			forgetRelease(before);
			assertThat(group.replicas(before)).allMatch(SentinelFailoverTests::isHeldAt);
			awaitMoved(before, failover.getAsLong());
			awaitGone(missing);
			await().atMost(TOLD).until(() -> !isHeldAt(group.primary()));
			then.run();
			awaitRenewed(news, kept);
			assertThat(news.losses()).as("only the lock that the new primary does not have is lost").hasSize(1);
			// Follows another failover if two sentinels are elected in consecutive
			// epochs.
			await().untilAsserted(() -> assertThat(output).contains("and no longer at 127.0.0.1:" + before)
				.containsPattern("INFO.*is now at 127.0.0.1:" + group.primary()));
			assertThat(instance.survey().look(null, 10)).asInstanceOf(InstanceOfAssertFactories.type(Held.class))
				.extracting(Held::locks, InstanceOfAssertFactories.list(LockState.class))
				.extracting(LockState::key)
				.contains(kept.key())
				.doesNotContain(missing.key());
			kept.close();
		}
	}

	@Test
	void instanceMovesToNewPrimaryWhileFormerOneIsFrozen() throws Exception {
		group.awaitReady();
		int before = group.primary();
		LockNews news = new LockNews();
		try (RedisInstance instance = new RedisInstance(group.factory(), news).connected()) {
			LockHandle kept = acquire(instance, "kept");
			group.server(before).process().freezeWhile(() -> awaitMoved(before, group.awaitSwitch(before)));
			awaitRenewed(news, kept);
			assertThat(news.losses()).isEmpty();
		}
	}

	@Test
	void instanceStartedDuringFailoverAcquiresLocks() throws Exception {
		group.awaitReady();
		int before = group.primary();
		group.at(group.sentinels().get(0)).raw("SENTINEL FAILOVER " + SentinelGroup.MASTER);
		try (RedisInstance instance = new RedisInstance(group.factory(), new LockNews()).connected()) {
			LockHandle held = acquire(instance, "early");
			awaitMoved(before, group.awaitSwitch(before));
			await().atMost(TOLD.multipliedBy(2)).ignoreExceptionsInstanceOf(LockStoreException.class).until(() -> {
				acquire(instance, "late").close();
				return true;
			});
			held.close();
		}
	}

	@Test
	void primaryThatMayForgetLocksIsLoggedOncePerInstance(CapturedOutput output) {
		group.awaitReady();
		try (RedisInstance instance = new RedisInstance(group.factory(), new LockNews()).connected();
				RedisInstance another = new RedisInstance(group.factory(), new LockNews()).connected()) {
			await().until(() -> output.toString().split("min-replicas-to-write 0", -1).length == 3);
			assertThat(output).containsPattern("WARN.*ReplicationCheck")
				.containsPattern("This Redis has (a replica|2 replicas)")
				.contains("Set min-replicas-to-write 1 and min-replicas-max-lag 10",
						"watchdog-lock.warn-of-unsafe-replication=false");
			assertThat(instance.engine().localLocks().list()).isEmpty();
			assertThat(another.engine().localLocks().list()).isEmpty();
		}
	}

	@Test
	void primaryThatRequiresReplicasIsNotLogged(CapturedOutput output) {
		group.awaitReady();
		group.at(group.primary()).with("min-replicas-to-write", "1", () -> {
			try (RedisInstance instance = new RedisInstance(group.factory(), new LockNews()).connected()) {
				await().pollDelay(Duration.ofMillis(500)).until(() -> instance.engine().localLocks().list().isEmpty());
			}
		});
		assertThat(output).doesNotContain("min-replicas-to-write");
	}

	/* At the current primary, after all earlier failures. */
	private static void awaitRenewed(LockNews news, LockHandle handle) {
		long before = news.count("renewed", handle.key());
		await().atMost(LEASE).until(() -> news.count("renewed", handle.key()) > before);
		assertThat(handle.isHeld()).isTrue();
	}

	/* The new primary does not have the lock. */
	private static void awaitGone(LockHandle handle) {
		await().atMost(TOLD).pollInterval(Duration.ofMillis(5)).until(() -> !handle.isHeld());
		assertThat(handle.loss()).get().extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.GONE);
	}

	private static LockHandle acquire(RedisInstance instance, String name) throws InterruptedException {
		return acquire(instance, LockKey.of(name), LEASE);
	}

	private static LockHandle acquire(RedisInstance instance, LockKey key, Duration lease) throws InterruptedException {
		return instance.engine().acquire(LockRequest.of(key).withLease(Lease.renewed(lease)));
	}

	/* As if no replica had received the release: only time frees the key. */
	private static void forgetRelease(int primary) {
		String key = RedisRecord.name(RELEASED);
		for (int replica : group.replicas(primary)) {
			await().until(() -> group.at(replica).keys().contains(key) && !isHeldAt(replica));
			group.atReplica(replica, "PEXPIRE", key, "" + RETENTION.plus(LONG).toMillis());
		}
	}

	private static boolean isHeldAt(int port) {
		Long left = group.server(port).template().getExpire(RedisRecord.name(RELEASED), TimeUnit.MILLISECONDS);
		return left > RETENTION.toMillis();
	}

	private static void awaitMoved(int before, long switched) {
		await().atMost(Duration.ofSeconds(10))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(5))
			.until(() -> group.sentinels()
				.stream()
				.map(group::primary)
				.distinct()
				.anyMatch((port) -> port != before && group.connections(port) == 2));
		Duration took = Duration.ofNanos(System.nanoTime() - switched);
		assertThat(took).as("time from the switch to the connections at the new primary").isLessThan(MOVED);
	}

}
