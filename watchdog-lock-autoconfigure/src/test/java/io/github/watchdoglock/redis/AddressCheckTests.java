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

package io.github.watchdoglock.redis;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.fault.Traffic;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.settings.EngineSettings;
import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the check whether the address still leads to the server of the locks.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
@SuppressWarnings("NullAway.Init")
class AddressCheckTests {

	private static final Duration INTERVAL = Duration.ofMillis(100);

	/* So many looks follow a move that two misses among them would be noticed. */
	private static final int LOOKS = 5;

	private static final Duration BOUND = Duration.ofSeconds(5);

	private static final String WARNING = "WARN.*AddressCheck.*reach another server than the open ones, so";

	private static final String ERROR = "ERROR.*AddressCheck.*reach another server than the open ones again";

	private static final String THREAD = "watchdog-lock-redis-address-";

	@RegisterExtension
	static final RedisServerExtension old = new RedisServerExtension();

	@RegisterExtension
	static final RedisServerExtension moved = new RedisServerExtension();

	private final FaultProxy proxy = FaultProxy.to(old.port());

	@AfterEach
	void close() {
		this.proxy.close();
		moved.admin().lead();
	}

	@Test
	void addressThatMovesIsNoticedAndLockOfOldServerIsLost(CapturedOutput output) throws Exception {
		LockRequest orders = LockRequest.of("orders").withLease(Lease.renewed(Duration.ofSeconds(2)));
		try (Instance early = instance()) {
			LockHandle former = early.engine.acquire(orders);
			this.proxy.lead(moved.port());
			try (Instance late = instance()) {
				LockHandle next = late.engine.acquire(orders);
				assertThat(former.whenLost().toCompletableFuture()).succeedsWithin(BOUND)
					.extracting(LockLoss::reason)
					.isEqualTo(LockLoss.Reason.GONE);
				await().atMost(BOUND).untilAsserted(() -> assertThat(old.admin().clients("watchdog-lock")).isZero());
				await().atMost(BOUND).until(() -> !old.admin().isTaken("orders"));
				assertThat(next.isHeld()).isTrue();
				former.close();
				assertThat(early.engine.tryAcquire(orders)).isEmpty();
				awaitLooks();
				next.close();
				early.engine.acquire(orders).close();
			}
		}
		assertThat(output.toString().lines().filter((line) -> line.matches(".*" + WARNING + ".*"))).hasSize(1);
		assertThat(output).doesNotContainPattern(ERROR).doesNotContain("No connection to");
	}

	@Test
	void addressThatMovesFromDeadServerIsNotReported(CapturedOutput output) throws Exception {
		try (RedisServer dead = RedisServer.started()) {
			this.proxy.lead(dead.port());
			try (Instance instance = instance()) {
				instance.engine.acquire(LockRequest.of("dead")).close();
				this.proxy.lead(moved.port());
				dead.stop();
				this.proxy.cut();
				awaitLock(instance);
				awaitLooks();
			}
		}
		assertThat(output).doesNotContain("AddressCheck");
	}

	@Test
	void addressThatMovesAgainSoonIsLoggedAsErrorAndEndsChecks(CapturedOutput output) {
		try (Instance instance = instance()) {
			awaitLock(instance);
			this.proxy.lead(moved.port());
			await().atMost(BOUND).untilAsserted(() -> assertThat(output).containsPattern(WARNING));
			await().atMost(BOUND).until(() -> moved.admin().clients("watchdog-lock") == 2);
			this.proxy.lead(old.port());
			await().atMost(BOUND).untilAsserted(() -> assertThat(output).containsPattern(ERROR));
			assertNoLooks();
			assertThat(moved.admin().clients("watchdog-lock")).isEqualTo(2);
		}
		assertThat(output).containsOnlyOnce("All connections are opened again now")
			.containsOnlyOnce("stop the other one");
	}

	@Test
	void replicaBehindAddressIsNotReported(CapturedOutput output) throws Exception {
		try (Instance instance = instance()) {
			LockHandle held = instance.engine.acquire(LockRequest.of("replicated"));
			moved.admin().follow(1);
			this.proxy.lead(moved.port());
			awaitLooks();
			assertThat(held.isHeld()).isTrue();
			held.close();
		}
		assertThat(output).doesNotContain("AddressCheck").doesNotContain("No connection to");
	}

	@Test
	void restartOfServerIsNotReported(CapturedOutput output) {
		try (RedisServer restarted = RedisServer.started()) {
			this.proxy.lead(restarted.port());
			try (Instance instance = instance()) {
				awaitLooks();
				restarted.stop();
				restarted.start();
				awaitLock(instance);
				awaitLooks();
				restarted.restartWithData();
				awaitLock(instance);
				awaitLooks();
			}
		}
		assertThat(output).doesNotContain("AddressCheck");
	}

	@Test
	void markThatServerHasForgottenIsNotReported(CapturedOutput output) {
		try (Instance instance = instance()) {
			awaitLock(instance);
			this.proxy.replace((words) -> {
				if (isRead(words)) {
					old.admin().command("FLUSHALL");
				}
				return words;
			});
			awaitLooks();
		}
		assertThat(output).doesNotContain("AddressCheck");
	}

	/* Each miss is followed by a read over the open connection, and by a hit. */
	@Test
	void missesWithHitsBetweenThemAreNotReported(CapturedOutput output) {
		AtomicInteger reads = new AtomicInteger();
		try (Instance instance = instance()) {
			awaitLock(instance);
			this.proxy.replace((words) -> {
				boolean miss = isRead(words) && reads.getAndIncrement() % 3 == 0;
				return miss ? List.of("EVAL", "return ''", "0") : words;
			});
			awaitLooks();
		}
		assertThat(reads).hasValueGreaterThan(LOOKS);
		assertThat(output).doesNotContain("AddressCheck");
	}

	private static boolean isRead(List<String> words) {
		return words.size() == 6 && words.get(3).startsWith("watchdog-lock:{check}:") && words.get(4).isEmpty();
	}

	@Test
	void databaseOfConfigurationIsUsed(CapturedOutput output) {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port());
		configuration.setDatabase(5);
		try (Instance instance = new Instance(new LettuceConnectionFactory(configuration), settings(true))) {
			awaitLock(instance);
			awaitLooks();
			assertThat(output).doesNotContain("AddressCheck");
			this.proxy.lead(moved.port());
			await().atMost(BOUND).untilAsserted(() -> assertThat(output).containsPattern(WARNING));
		}
	}

	@Test
	void documentedPermissionsSuffice(CapturedOutput output) {
		moved.user(DocumentedUser.NAME, DocumentedUser.rules());
		LettuceConnectionFactory user = old.user(DocumentedUser.NAME, DocumentedUser.rules());
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port());
		configuration.setUsername(DocumentedUser.NAME);
		configuration.setPassword(user.getStandaloneConfiguration().getPassword());
		try (Instance instance = new Instance(new LettuceConnectionFactory(configuration), settings(true))) {
			awaitLock(instance);
			moved.admin().follow(1);
			this.proxy.lead(moved.port());
			awaitLooks();
			assertThat(output).doesNotContain("AddressCheck");
			moved.admin().lead();
			await().atMost(BOUND).untilAsserted(() -> assertThat(output).containsPattern(WARNING));
			awaitLock(instance);
		}
	}

	@Test
	void checkWithoutAnswerDelaysNoLockAndEndsWithClose(CapturedOutput output) throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				Instance instance = instance()) {
			awaitLock(instance);
			this.proxy.lead(silent.getLocalPort());
			silent.setSoTimeout((int) BOUND.toMillis());
			try (Socket look = silent.accept()) {
				long start = System.nanoTime();
				awaitLock(instance);
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
				assertThat(threads()).isNotEmpty();
				instance.close();
				assertThat(threads()).isEmpty();
				look.setSoTimeout((int) BOUND.toMillis());
				assertThat(look.getInputStream().readAllBytes()).as("all until the connection ended").isNotEmpty();
			}
			await().atMost(BOUND).until(() -> old.admin().clients("watchdog-lock") == 0);
		}
		assertThat(output).doesNotContain("AddressCheck");
	}

	@Test
	void checkOpensNoConnectionWhenDisabled() {
		try (Instance instance = new Instance(RedisServer.factory(this.proxy.port()), settings(false))) {
			awaitLock(instance);
			assertNoLooks();
		}
	}

	@Test
	void checkIsOffUnlessThereIsSingleAddress() {
		RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration("locks", Set.of("sentinel:1"));
		assertThat(hasSingleAddress(new LettuceConnectionFactory(sentinels))).isFalse();
		RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of("node:1"));
		assertThat(hasSingleAddress(new LettuceConnectionFactory(cluster))).isFalse();
		RedisStandaloneConfiguration single = new RedisStandaloneConfiguration("redis", 1);
		assertThat(hasSingleAddress(new LettuceConnectionFactory(single))).isTrue();
		LettuceClientConfiguration reading = LettuceClientConfiguration.builder()
			.readFrom(ReadFrom.REPLICA_PREFERRED)
			.build();
		assertThat(hasSingleAddress(new LettuceConnectionFactory(single, reading))).isFalse();
	}

	private static boolean hasSingleAddress(LettuceConnectionFactory factory) {
		return LettuceDerivation.of(factory, "test").hasSingleAddress();
	}

	private Instance instance() {
		int before = this.proxy.live(Traffic.MESSAGES);
		Instance instance = new Instance(RedisServer.factory(this.proxy.port()), settings(true));
		await().atMost(BOUND).until(() -> this.proxy.live(Traffic.MESSAGES) > before);
		return instance;
	}

	private static RedisLockSettings settings(boolean addressCheck) {
		RedisLockSettings defaults = RedisServer.settings();
		return new RedisLockSettings(defaults.keyPrefix(), defaults.clientName(), defaults.recordRetention(),
				defaults.wakeUps(), defaults.pollInterval(), defaults.warnOfUnsafeReplication(), addressCheck);
	}

	private static void awaitLock(Instance instance) {
		await().atMost(BOUND)
			.ignoreExceptions()
			.until(() -> instance.engine.tryAcquire(LockRequest.of("any")).map((lock) -> {
				lock.close();
				return true;
			}).orElse(false));
	}

	/* Each look opens a connection. */
	private void awaitLooks() {
		int before = this.proxy.accepted();
		await().atMost(BOUND).until(() -> this.proxy.accepted() >= before + LOOKS);
	}

	/* The connections for locks and messages are open. */
	private void assertNoLooks() {
		await().atMost(BOUND).until(() -> threads().isEmpty());
		int before = this.proxy.accepted();
		await().during(INTERVAL.multipliedBy(LOOKS)).until(() -> this.proxy.accepted() == before);
	}

	private static List<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(THREAD))
			.toList();
	}

	/* An instance of an application, which looks often. */
	private static final class Instance implements AutoCloseable {

		private final LettuceConnectionFactory factory;

		private final RedisLocks locks;

		private final LockEngine engine;

		Instance(LettuceConnectionFactory factory, RedisLockSettings settings) {
			this.factory = RedisServer.initialized(factory);
			this.locks = new RedisLocks(factory, settings, INTERVAL);
			this.engine = new LockEngine(EngineSettings.of("test"), this.locks.store(), this.locks.inspector(),
					this.locks.wakeUps(), new EngineObserver() {
					});
			this.locks.connect();
			RedisInstance.awaitConnection(this.engine);
		}

		@Override
		public void close() {
			this.engine.close();
			this.locks.close();
			this.factory.destroy();
		}

	}

}
