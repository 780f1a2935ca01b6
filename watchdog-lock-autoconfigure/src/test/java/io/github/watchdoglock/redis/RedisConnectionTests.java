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

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.fault.Direction;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.store.HintRecorder;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.OutcomeUnknownException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for commands while the network or Redis fails.
 */
@Tag("slow")
@SuppressWarnings("NullAway.Init")
class RedisConnectionTests {

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

	@RegisterExtension
	static final RedisServerExtension server = new RedisServerExtension();

	@Test
	void commandsFailAtOnceWithCauseUntilRedisIsReachable() {
		RedisServer late = new RedisServer();
		try (RedisLocks locks = locks(late.port())) {
			StoreCommands commands = StoreCommands.fresh(Duration.ofSeconds(3));
			StoreCommands.failure(locks.store().acquire(commands.acquire()), LockStoreException.class);
			long start = System.nanoTime();
			LockStoreException failure = StoreCommands.failure(locks.store().acquire(commands.acquire()),
					LockStoreException.class);
			assertThat(failure).hasMessageContaining("no connection to Redis").hasMessageContaining("refused");
			assertThat(since(start)).isLessThan(Duration.ofSeconds(1));
			late.start();
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(commands.acquire(locks.store())).isInstanceOf(Granted.class));
		}
		finally {
			late.stop();
		}
	}

	@Test
	void commandsFailInTimeWhenAddressDropsPackets() throws IOException {
		try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				Backlog backlog = Backlog.fill(full)) {
			assertThat(backlog.sockets()).isNotEmpty();
			long start = System.nanoTime();
			try (RedisLocks locks = locks(full.getLocalPort())) {
				List<CompletionStage<AcquireAnswer>> answers = IntStream.range(0, 10)
					.mapToObj((i) -> locks.store().acquire(StoreCommands.fresh(TIMEOUT).acquire()))
					.toList();
				assertThat(answers).allSatisfy((answer) -> StoreCommands.failure(answer, LockStoreException.class));
				assertThat(since(start)).isLessThan(CONNECT_TIMEOUT.plus(TIMEOUT).plusSeconds(2));
				long later = System.nanoTime();
				StoreCommands.failure(locks.store().acquire(StoreCommands.fresh(TIMEOUT).acquire()),
						LockStoreException.class);
				assertThat(since(later)).isLessThan(Duration.ofSeconds(1));
			}
			assertThat(since(start)).isLessThan(Duration.ofSeconds(8));
		}
	}

	@Test
	void callsBeforeFirstConnectionAreSentInOrderUnlessUndone() {
		try (FaultProxy proxy = FaultProxy.to(server.port())) {
			proxy.stall(Direction.TO_SERVER);
			try (RedisLocks locks = locks(proxy.port())) {
				StoreCommands first = StoreCommands.fresh();
				CompletionStage<AcquireAnswer> granted = locks.store().acquire(first.acquire());
				CompletionStage<AcquireAnswer> busy = locks.store().acquire(first.rival().acquire());
				StoreCommands left = StoreCommands.fresh();
				CompletionStage<AcquireAnswer> givenUp = locks.store().acquire(left.acquire());
				CompletionStage<ReleaseAnswer> undone = locks.store().release(left.release());
				proxy.resume(Direction.TO_SERVER);
				assertThat(StoreCommands.join(granted)).isInstanceOf(Granted.class);
				assertThat(StoreCommands.join(busy)).isInstanceOf(AcquireAnswer.Busy.class);
				assertThat(StoreCommands.failure(givenUp, LockStoreException.class)).hasMessageContaining("given up");
				assertThat(StoreCommands.join(undone).ended()).isEqualTo(Ended.NOTHING);
			}
		}
	}

	@Test
	void outcomeIsUnknownWhenRedisDoesNotAnswerInTime() {
		try (RedisLocks locks = locks(server.port())) {
			StoreCommands commands = StoreCommands.fresh();
			commands.acquire(locks.store());
			server.admin().pause(Duration.ofSeconds(3));
			long start = System.nanoTime();
			OutcomeUnknownException failure = StoreCommands
				.failure(locks.store().acquire(StoreCommands.fresh(TIMEOUT).acquire()), OutcomeUnknownException.class);
			assertThat(since(start)).isBetween(TIMEOUT, Duration.ofSeconds(2));
			assertThat(failure).hasMessageContaining("in time");
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(commands.release(locks.store()).ended()).isEqualTo(Ended.LEASE));
		}
	}

	@Test
	void outcomeIsUnknownWhenTheConnectionIsLostInFlight() {
		try (FaultProxy proxy = FaultProxy.to(server.port()); RedisLocks locks = locks(proxy.port())) {
			StoreCommands commands = StoreCommands.fresh(Duration.ofSeconds(5));
			commands.acquire(locks.store());
			proxy.stall(Direction.TO_CLIENT);
			CompletionStage<AcquireAnswer> answer = locks.store().acquire(commands.acquire());
			await().until(() -> proxy.effects(Fault.STALL) > 0);
			proxy.cut();
			StoreCommands.failure(answer, OutcomeUnknownException.class);
		}
	}

	@Test
	void subscriberIsNotifiedOfEachCommandConnection() {
		HintRecorder hints = new HintRecorder();
		try (FaultProxy proxy = FaultProxy.to(server.port()); RedisLocks locks = locks(proxy.port())) {
			locks.wakeUps().subscribe("somebody", hints);
			locks.connect();
			await().untilAsserted(() -> assertThat(hints.connections()).isOne());
			proxy.cut();
			await().untilAsserted(() -> assertThat(hints.connections()).isEqualTo(2));
			assertThat(StoreCommands.fresh().acquire(locks.store())).isInstanceOf(Granted.class);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void subscriptionIsMadeLaterWhenRedisIsBusyAtFirst(CapturedOutput output) {
		try (RedisLocks locks = new RedisLocks(server.factory(), pinging(TIMEOUT))) {
			String instance = StoreCommands.fresh().attempt().instance();
			locks.connect();
			locks.wakeUps().subscribe(instance, new HintRecorder());
			server.admin().awaitListener(instance);
			Runnable end = server.admin().beBusy();
			String late = StoreCommands.fresh().attempt().instance();
			await().pollDelay(TIMEOUT).until(() -> true);
			locks.wakeUps().subscribe(late, new HintRecorder());
			await().pollDelay(TIMEOUT).until(() -> true);
			end.run();
			server.admin().awaitListener(late);
			assertThat(output).doesNotContain("refuses the subscription");
		}
	}

	@Test
	void hintArrivesAfterSubscriptionWasCutAndReopened() {
		try (RedisLocks locks = locks(server.port())) {
			StoreCommands held = StoreCommands.fresh();
			StoreCommands waiting = held.rival();
			HintRecorder hints = new HintRecorder();
			locks.wakeUps().subscribe(waiting.attempt().instance(), hints);
			locks.connect();
			server.admin().awaitListener(waiting.attempt().instance());
			server.admin().raw("CLIENT KILL TYPE pubsub");
			server.admin().awaitListener(waiting.attempt().instance());
			held.acquire(locks.store());
			waiting.acquire(locks.store());
			held.release(locks.store());
			hints.awaitOnly("granted " + waiting.attempt() + " " + waiting.key());
		}
	}

	@Test
	void instanceIsNotifiedOfItsFirstSubscriptionAndOfLaterOnes() {
		try (RedisLocks locks = locks(server.port())) {
			HintRecorder first = new HintRecorder();
			HintRecorder second = new HintRecorder();
			locks.wakeUps().subscribe("first", first);
			locks.connect();
			await().untilAsserted(() -> assertThat(first.subscriptions()).isOne());
			locks.wakeUps().subscribe("second", second);
			await().untilAsserted(() -> assertThat(second.subscriptions()).isOne());
			assertThat(first.subscriptions()).as("subscriptions of the other instance").isOne();
			server.admin().raw("CLIENT KILL TYPE pubsub");
			await().untilAsserted(() -> assertThat(first.subscriptions()).isEqualTo(2));
			await().untilAsserted(() -> assertThat(second.subscriptions()).isEqualTo(2));
			assertThat(first.connections()).as("connections for commands").isOne();
		}
	}

	@Test
	void waitingCallerGetsLockThatWasReleasedBeforeTheSubscription() {
		EngineSettings settings = new EngineSettings(() -> "test", Duration.ofMinutes(10), Duration.ofMinutes(10),
				Duration.ofMinutes(1), LeaseLimits.defaults(), null, null, OnLoss.REPORT, true);
		StoreCommands held = StoreCommands.fresh();
		try (RedisLocks locks = new RedisLocks(server.user("early", "~* &* +@all -subscribe"),
				RedisServer.settings())) {
			held.acquire(locks.store());
			LockEngine engine = new LockEngine(settings, locks.store(), locks.inspector(), locks.wakeUps(),
					new EngineObserver() {
					});
			CompletableFuture<LockHandle> waiting = engine.acquireAsync(LockRequest.of(held.key()))
				.toCompletableFuture();
			await().until(() -> engine.find(held.key()).orElseThrow().waiting() == 1);
			held.release(locks.store());
			assertThat(waiting).isNotDone();
			server.admin().command("ACL", "SETUSER", "early", "+subscribe");
			server.admin().raw("CLIENT KILL USER early");
			assertThat(waiting).as("long before its next poll").succeedsWithin(Duration.ofSeconds(20));
			engine.stop();
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void subscriptionIsKeptWhenRedisRejectsPings(CapturedOutput output) {
		try (FaultProxy proxy = FaultProxy.to(server.port());
				RedisLocks locks = new RedisLocks(RedisServer.factory(proxy.port()), pinging(TIMEOUT))) {
			String instance = StoreCommands.fresh().attempt().instance();
			locks.connect();
			locks.wakeUps().subscribe(instance, new HintRecorder());
			server.admin().awaitListener(instance);
			int before = proxy.accepted();
			Runnable end = server.admin().beBusy();
			await().pollDelay(TIMEOUT.multipliedBy(4)).until(() -> true);
			end.run();
			server.admin().awaitListener(instance);
			assertThat(proxy.accepted()).isEqualTo(before);
			assertThat(output).doesNotContain("refuses the subscription");
		}
	}

	@Test
	void reservationsWorkWithoutMessagesWhenWakeUpsAreOff() {
		RedisLockSettings settings = new RedisLockSettings("watchdog-lock", "quiet", Duration.ofMinutes(10), false,
				TIMEOUT, true, true);
		try (RedisLocks locks = new RedisLocks(server.factory(), settings)) {
			reservationsWorkUnheard(locks);
		}
	}

	@Test
	void reservationsWorkWhenUserMayNotPublishOrSubscribe() {
		LettuceConnectionFactory quiet = server.user("quiet", "~* +@all -publish -subscribe");
		try (RedisLocks locks = new RedisLocks(quiet, RedisServer.settings())) {
			reservationsWorkUnheard(locks);
		}
	}

	private static void reservationsWorkUnheard(RedisLocks locks) {
		StoreCommands held = StoreCommands.fresh();
		StoreCommands waiting = held.rival();
		locks.wakeUps().subscribe(waiting.attempt().instance(), new HintRecorder());
		held.acquire(locks.store());
		waiting.acquire(locks.store());
		assertThat(held.release(locks.store()).ended()).isEqualTo(Ended.LEASE);
		assertThat(server.admin().isHeard("watchdog-lock:instance:" + waiting.attempt().instance())).isFalse();
		assertThat(held.rival().acquire(locks.store())).isInstanceOf(AcquireAnswer.Busy.class);
		assertThat(waiting.acquire(locks.store())).isInstanceOf(Granted.class);
	}

	@Test
	void wrongPasswordIsNamedInErrorWithAdvice() {
		LettuceConnectionFactory guarded = server.user("guarded", "~* &* +@all");
		server.admin().command("ACL", "SETUSER", "guarded", "resetpass", ">another");
		try (RedisLocks locks = new RedisLocks(guarded, RedisServer.settings())) {
			// Lettuce loses the reason if it notices first that the connection is closed.
			await().untilAsserted(() -> assertThat(StoreCommands.refusal(locks)).hasMessageContainingAll("WRONGPASS",
					"check user name and password"));
		}
	}

	private static RedisLockSettings pinging(Duration interval) {
		return new RedisLockSettings("watchdog-lock", "test", Duration.ofMinutes(10), true, interval, true, true);
	}

	private static RedisLocks locks(int port) {
		return new RedisLocks(RedisServer.factory(port), RedisServer.settings());
	}

	private static Duration since(long start) {
		return Duration.ofNanos(System.nanoTime() - start);
	}

	/* Connections that no server accepts, so many that the kernel drops further ones. */
	private record Backlog(List<Socket> sockets) implements AutoCloseable {

		static Backlog fill(ServerSocket server) throws IOException {
			List<Socket> sockets = new ArrayList<>();
			while (true) {
				Socket socket = new Socket();
				try {
					socket.connect(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()), 200);
					sockets.add(socket);
				}
				catch (SocketTimeoutException ex) {
					socket.close();
					return new Backlog(sockets);
				}
			}
		}

		@Override
		public void close() throws IOException {
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}

	}

}
