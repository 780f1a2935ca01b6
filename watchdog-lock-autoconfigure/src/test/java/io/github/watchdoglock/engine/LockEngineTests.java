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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.HolderState;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.Ticker;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;

/**
 * Tests for {@link LockEngine}: its start, its end, and its threads.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class LockEngineTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	private final ThreadsByHand threads = new ThreadsByHand();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.threads.ticker,
			this.threads.ticker.wallClock);

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final RecordingListener events = new RecordingListener();

	private final WakeUps wakeUps = Mockito.mock(WakeUps.class);

	private final LeaseInspector inspector = Mockito.mock(LeaseInspector.class);

	private final EngineContext context = new EngineContext(EngineSettings.of("test"), "one", this.threads,
			this.threads.ticker, this.threads.ticker.wallClock, this.store, new Events(this.threads, this.events),
			Runnable::run);

	private final LockEngine engine = new LockEngine(this.context, this.inspector, this.wakeUps);

	@AfterEach
	void check() {
		assertThat(this.threads.failures).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void elapsedTimesOfListedLocksFollowAcquisitionOrderDuringSlowListing() throws Exception {
		AtomicLong time = new AtomicLong();
		AtomicLong step = new AtomicLong(1);
		Ticker ticker = () -> time.addAndGet(step.get());
		InMemoryLeaseStore store = new InMemoryLeaseStore(ticker, InstantSource.system());
		try (LockEngine slow = new LockEngine(
				new EngineContext(EngineSettings.of("slow"), ticker, InstantSource.system(), store, new Events()),
				store, store)) {
			for (int i = 0; i < 20; i++) {
				slow.acquire(LockRequest.of("orders", String.valueOf(i)));
			}
			step.set(TimeUnit.MILLISECONDS.toNanos(1));
			assertThat(slow.localLocks()
				.list()
				.stream()
				.sorted(Comparator.comparing(LockSnapshot::elapsed).reversed())
				.map((lock) -> lock.key().id()))
				.containsExactlyElementsOf(IntStream.range(0, 20).mapToObj(String::valueOf).toList());
		}
	}

	@Test
	void newEngineGrantsLockAndEndsWaitOfSecondCaller() throws Exception {
		try (LockEngine real = RunningEngine.start()) {
			LockHandle held = real.acquireAsync(ORDERS).get(10, TimeUnit.SECONDS);
			// Only the watchdog can end this wait.
			assertThat(real.acquireAsync(ORDERS.withWaitTime(Duration.ofMillis(20)))).failsWithin(Duration.ofSeconds(2))
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class);
			held.close();
		}
	}

	@Test
	void dependentsOfFuturesRunOnCompletionThread() throws Exception {
		try (LockEngine real = RunningEngine.start()) {
			LockHandle holder = real.acquireAsync(ORDERS).get(5, TimeUnit.SECONDS);
			CompletableFuture<String> granted = real.acquireAsync(ORDERS)
				.thenApply((handle) -> Thread.currentThread().getName());
			CompletableFuture<String> lost = holder.whenLost()
				.thenApply((loss) -> Thread.currentThread().getName())
				.toCompletableFuture();
			assertThat(real.forceRelease(KEY)).isTrue();
			for (CompletableFuture<String> thread : List.of(granted, lost)) {
				assertThat(thread.get(5, TimeUnit.SECONDS)).isEqualTo("watchdog-lock-completions");
			}
		}
	}

	@Test
	void engineStaysSubscribedToMessagesUntilClose() {
		then(this.wakeUps).should().subscribe("one", this.engine.messages);
		then(this.wakeUps).should(Mockito.never()).unsubscribe("one");
		this.engine.close();
		then(this.wakeUps).should().unsubscribe("one");
	}

	@Test
	void acquireFailsWhenEngineIsStartedAfterClose() {
		this.engine.close();
		this.engine.start();
		assertThatExceptionOfType(LockServiceClosedException.class).isThrownBy(() -> this.engine.acquire(ORDERS));
	}

	@Test
	void watchdogEndsAtOnceWhenNoKeyIsInUseAtClose() {
		this.context.start();
		this.engine.close();
		runWatchdogToItsEnd(() -> {
		});
		assertThat(this.threads.parks).isEmpty();
	}

	@Test
	void watchdogRunsAfterCloseUntilNoKeyIsInUse() {
		this.context.start();
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		this.threads.tasks = new ArrayList<>();
		held.closeAsync();
		this.engine.close();
		runWatchdogToItsEnd(() -> {
			if (this.threads.parks.size() == 3) {
				this.threads.runTasks();
			}
		});
		assertThat(this.threads.parks).hasSize(3);
		assertThat(this.memory.find(KEY, Duration.ZERO).toCompletableFuture().join()).isEmpty();
	}

	/* Fails if the watchdog does not end. */
	private void runWatchdogToItsEnd(Runnable afterEachPark) {
		this.threads.wait = (nanos) -> {
			this.threads.pass(nanos);
			assertThat(this.threads.parks.size()).isLessThan(10);
			afterEachPark.run();
		};
		this.threads.started.get(0).work.run();
	}

	@Test
	void failedReleaseIsDroppedInsteadOfRepeatedWhenEngineIsClosed() {
		this.context.start();
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		this.store.down = true;
		held.closeAsync();
		this.engine.close();
		long sent = this.store.count(ReleaseCommand.class);
		runWatchdogToItsEnd(() -> {
		});
		assertThat(this.events.count("release repeated: DROPPED")).isOne();
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(sent);
	}

	@Test
	void listenerIsNotifiedOnOwnThreadUntilRemoved() {
		List<String> heard = new ArrayList<>();
		Runnable remove = this.engine.addListener(new LockListener() {

			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				heard.add("acquired " + key);
			}

			@Override
			public void released(LockKey key, long token, Duration held) {
				heard.add("released " + key);
			}

		});
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		assertThat(heard).isEmpty();
		assertThat(this.threads.started).singleElement().returns("watchdog-lock-listener", Thread::getName);
		this.threads.last().work.run();
		assertThat(heard).containsExactly("acquired orders");
		remove.run();
		held.close();
		assertThat(this.threads.started).hasSize(1);
		assertThat(this.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void silentWatchdogIsReportedWhenLateByQuarterOfLease() {
		this.context.start();
		this.context.watchdog.setIn(new TestAlarm(() -> {
		}), 0);
		this.threads.ticker.advance(Duration.ofMillis(7_500));
		for (int i = 0; i < 3; i++) {
			assertThat(this.engine.watchdogDelay()).isPositive();
			assertThat(started("watchdog-lock-silence")).isZero();
			this.threads.ticker.advance(Duration.ofMillis(60));
		}
		assertThat(this.engine.watchdogDelay()).isPositive();
		assertThat(started("watchdog-lock-silence")).isOne();
	}

	@Test
	void findAndForceReleaseWaitTwiceStoreTimeoutPlusFirstConnection() {
		inspectorAnswers(new CompletableFuture<>(), new CompletableFuture<>());
		assertFails(() -> this.engine.find(KEY),
				"Could not find lock 'orders': the store did not answer within its timeout");
		this.context.recordStoreAnswer();
		assertFails(() -> this.engine.forceRelease(KEY),
				"Could not force lock 'orders': the store did not answer within its timeout");
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(14).toNanos(),
				Duration.ofSeconds(4).toNanos());
	}

	@Test
	void findAndForceReleaseReportCauseOfStoreFailure() {
		IllegalArgumentException cause = new IllegalArgumentException("made up");
		inspectorAnswers(CompletableFuture.failedFuture(cause), CompletableFuture.failedFuture(cause));
		assertFails(() -> this.engine.find(KEY), "Could not find lock 'orders': made up").withCause(cause);
		assertFails(() -> this.engine.forceRelease(KEY), "Could not force lock 'orders': made up").withCause(cause);
		assertThat(this.threads.parks).isEmpty();
	}

	private static ThrowableAssertAlternative<LockStoreException> assertFails(ThrowingCallable call, String message) {
		return assertThatExceptionOfType(LockStoreException.class).isThrownBy(call).withMessage(message);
	}

	@Test
	void findReturnsHolderNameAsOneShortenedLine() {
		LockState found = HolderState.of(KEY, "x\n" + "y".repeat(1_000), 7, Duration.ofSeconds(3), 2, Kind.EXCLUSIVE);
		inspectorAnswers(CompletableFuture.completedFuture(List.of(found)), new CompletableFuture<>());
		LockState state = this.engine.find(KEY).orElseThrow();
		assertThat(state.holder()).startsWith("x?y").hasSize(512 + 3);
		assertThat(state.token()).isEqualTo(7);
		assertThat(state.remaining()).isEqualTo(Duration.ofSeconds(3));
		assertThat(state.waiting()).isEqualTo(2);
	}

	@Test
	void forceReleaseEndsHoldOfSameInstanceWithoutMessage() {
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		inspectorForces(new ForceAnswer(true, List.of()));
		assertThat(this.engine.forceRelease(KEY)).isTrue();
		assertThat(held.isHeld()).as("'held' is held").isTrue();
		inspectorForces(new ForceAnswer(true, List.of(new AttemptId("one", 1))));
		assertThat(this.engine.forceRelease(KEY)).isTrue();
		assertThat(held.isHeld()).as("'held' is held").isFalse();
		assertThat(this.events.count("lost: FORCED")).isOne();
		inspectorForces(ForceAnswer.FREE);
		assertThat(this.engine.forceRelease(KEY)).isFalse();
	}

	/* The inspector gives this answer to any request. */
	private void inspectorForces(ForceAnswer answer) {
		inspectorAnswers(new CompletableFuture<>(), CompletableFuture.completedFuture(answer));
	}

	private void inspectorAnswers(CompletableFuture<List<LockState>> found, CompletableFuture<ForceAnswer> forced) {
		given(this.inspector.find(KEY, Duration.ofSeconds(2))).willReturn(found);
		given(this.inspector.force(KEY, LeaseInspector.ALL, Duration.ofSeconds(2))).willReturn(forced);
	}

	private long started(String name) {
		return this.threads.started.stream().filter((thread) -> thread.getName().equals(name)).count();
	}

}
