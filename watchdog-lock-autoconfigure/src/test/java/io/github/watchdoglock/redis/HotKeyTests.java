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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.support.Concurrently;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for many callers and few instances on one key of a real server.
 */
@Tag("slow")
class HotKeyTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final LockKey KEY = LockKey.of("hot");

	private static final LockRequest HOT = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	@AutoClose
	private final RedisInstance first = new RedisInstance(redis.port()).connected();

	@AutoClose
	private final RedisInstance second = new RedisInstance(redis.port()).connected();

	@AutoClose
	private final RedisInstance third = new RedisInstance(redis.port()).connected();

	private final RedisAdmin admin = redis.admin();

	@BeforeEach
	void empty() {
		this.admin.command("FLUSHALL");
	}

	@Test
	void instancesAreServedInOrderOfArrival() throws Exception {
		LockHandle holder = this.first.engine().acquire(HOT).detach();
		CompletableFuture<LockHandle> next = waitIn(this.second, 1);
		CompletableFuture<LockHandle> last = waitIn(this.third, 2);
		CompletableFuture<LockHandle> again = this.first.engine().acquireAsync(HOT);
		work();
		holder.close();
		close(next, last, again);
		work();
		close(last, again);
		work();
		close(again);
		allIsFree();
	}

	/* Longer than the time during which callers of the same instance may go first. */
	private static void work() {
		LockSupport.parkNanos(Duration.ofMillis(60).toNanos());
	}

	private static void close(CompletableFuture<LockHandle> turn, CompletableFuture<?>... others) throws Exception {
		LockHandle handle = turn.get(5, TimeUnit.SECONDS);
		assertThat(others).as("waiters whose turn has not come are not done").noneMatch(CompletableFuture::isDone);
		work();
		handle.close();
	}

	private CompletableFuture<LockHandle> waitIn(RedisInstance instance, int waiting) {
		CompletableFuture<LockHandle> caller = instance.engine().acquireAsync(HOT);
		await().until(() -> instance.engine().find(KEY).orElseThrow().waiting() == waiting);
		return caller;
	}

	@Test
	void attemptStaysUntilLastWaiterOfInstanceGivesUp() throws Exception {
		LockHandle holder = this.first.engine().acquire(HOT);
		CompletableFuture<LockHandle> impatient = waitIn(this.second, 1);
		CompletableFuture<LockHandle> patient = this.second.engine().acquireAsync(HOT);
		CompletableFuture<LockHandle> elsewhere = waitIn(this.third, 2);
		impatient.cancel(false);
		await().during(Duration.ofMillis(200)).until(() -> this.third.engine().find(KEY).orElseThrow().waiting() == 2);
		elsewhere.cancel(false);
		await().until(() -> this.third.engine().find(KEY).orElseThrow().waiting() == 1);
		holder.close();
		patient.get(5, TimeUnit.SECONDS).close();
		allIsFree();
	}

	@Test
	void waitersAreServedByPollsWhenAllMessagesAreLost() throws Exception {
		try (RedisInstance one = RedisInstance.deaf(redis.port()).connected();
				RedisInstance other = RedisInstance.deaf(redis.port()).connected()) {
			CompletableFuture<LockHandle> turn = one.engine().acquireAsync(HOT);
			LockHandle handle = turn.get(5, TimeUnit.SECONDS);
			for (RedisInstance next : List.of(other, one, other)) {
				CompletableFuture<LockHandle> waiting = waitIn(next, 1);
				long free = System.nanoTime();
				handle.close();
				handle = waiting.get(5, TimeUnit.SECONDS);
				// The interval is 1 s, and an answer may take as long as a command.
				assertThat(Duration.ofNanos(System.nanoTime() - free)).isLessThan(Duration.ofSeconds(3));
			}
			handle.close();
		}
		allIsFree();
	}

	@Test
	void thousandWaitersOfInstanceShareOnePoll() throws Exception {
		LockHandle holder = this.first.engine().acquire(HOT);
		List<CompletableFuture<LockHandle>> waiters = new ArrayList<>(List.of(waitIn(this.second, 1)));
		for (int i = 1; i < 1_000; i++) {
			waiters.add(this.second.engine().acquireAsync(HOT));
		}
		long before = this.admin.scripts();
		LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
		assertThat(this.admin.scripts() - before).as("scripts in 3 s while 1,000 callers wait").isBetween(2L, 5L);
		assertThat(this.first.engine().find(KEY).orElseThrow().waiting()).isOne();
		holder.close();
		for (CompletableFuture<LockHandle> waiter : waiters) {
			waiter.get(5, TimeUnit.SECONDS).close();
		}
		allIsFree();
	}

	@Test
	void busyCallersAreGrantedNothingSoonAfterKeyIsDeleted() throws Exception {
		Duration lease = Duration.ofMillis(1_200);
		LockRequest busy = HOT.withLease(Lease.renewed(lease));
		// A lease is confirmed within a thirtieth of its length; a command takes at most
		// 200 ms.
		long moment = lease.dividedBy(30).plusMillis(200).toNanos();
		Queue<Long> grants = new ConcurrentLinkedQueue<>();
		AtomicLong taken = new AtomicLong();
		AtomicLong given = new AtomicLong();
		Concurrently.run(17, (index) -> {
			if (index == 0) {
				await().until(() -> grants.size() > 1_000);
				LockHandle thief = deleteAndTakeOver();
				taken.set(System.nanoTime());
				LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
				given.set(System.nanoTime());
				thief.close();
				return null;
			}
			while (given.get() == 0) {
				try (LockHandle handle = this.first.engine().acquire(busy)) {
					grants.add(System.nanoTime());
				}
			}
			return null;
		});
		assertThat(grants).as("grants between deletion and release by the other instance")
			.noneMatch((grant) -> grant > taken.get() + moment && grant < given.get());
	}

	private LockHandle deleteAndTakeOver() throws Exception {
		LockRequest once = LockRequest.of(KEY).withWaitTime(Duration.ZERO);
		LockHandle thief = null;
		while (thief == null) {
			this.admin.command("DEL", "watchdog-lock:{hot}");
			thief = this.second.engine().tryAcquire(once).orElse(null);
		}
		return thief;
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void thousandsOfVirtualThreadsFinishWithoutPinning(@TempDir Path directory) throws Exception {
		AtomicInteger done = new AtomicInteger();
		int[] held = new int[1];
		Path recorded = directory.resolve("pinned.jfr");
		// Loading a class pins a thread, whichever class it is
		this.first.engine().execute(HOT, LockHandle::isHeld);
		try (Recording recording = new Recording(); AutoCloseable threads = virtualThreads()) {
			recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
			recording.start();
			for (int i = 0; i < 4_000; i++) {
				RedisInstance instance = (i % 2 == 0) ? this.first : this.second;
				((ExecutorService) threads).execute(() -> {
					instance.engine().execute(HOT, (handle) -> held[0]++);
					done.incrementAndGet();
				});
			}
			await().atMost(Duration.ofSeconds(60)).until(() -> done.get() == 4_000);
			recording.stop();
			recording.dump(recorded);
		}
		assertThat(held[0]).isEqualTo(4_000);
		assertThat(RecordingFile.readAllEvents(recorded)).noneMatch(HotKeyTests::isPinnedByALock);
		allIsFree();
	}

	private static boolean isPinnedByALock(RecordedEvent event) {
		String stack = String.valueOf(event.getStackTrace());
		return stack.contains("watchdoglock") && !stack.contains("java.lang.ClassLoader.loadClass");
	}

	private static AutoCloseable virtualThreads() throws Exception {
		return (AutoCloseable) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
	}

	private void allIsFree() {
		await().until(this.admin::isAllFree);
	}

}
