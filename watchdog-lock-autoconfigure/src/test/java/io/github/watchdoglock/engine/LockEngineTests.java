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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
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
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockEngine}: its beginning, its end, and what it has of threads.
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

	private final Subscriptions wakeUps = new Subscriptions();

	private final Silent inspector = new Silent();

	private Core core = core(Runnable::run);

	private LockEngine engine = engine();

	@AfterEach
	void check() {
		assertThat(this.threads.failures).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
	}

	private Core core(Executor completions) {
		return new Core(EngineSettings.of("test"), "one", this.threads, this.threads.ticker,
				this.threads.ticker.wallClock, this.store, new Events(this.threads, this.events), completions);
	}

	private LockEngine engine() {
		return new LockEngine(this.core, this.inspector, this.wakeUps);
	}

	@Test
	void listedLocksAreOrderedByAgeThoughTheListTakesTime() throws Exception {
		AtomicLong time = new AtomicLong();
		AtomicLong step = new AtomicLong(1);
		Ticker ticker = () -> time.addAndGet(step.get());
		InMemoryLeaseStore store = new InMemoryLeaseStore(ticker, InstantSource.system());
		try (LockEngine slow = new LockEngine(
				new Core(EngineSettings.of("slow"), ticker, InstantSource.system(), store, new Events()), store,
				store)) {
			for (int i = 0; i < 20; i++) {
				slow.acquire(LockRequest.of("orders", String.valueOf(i)));
			}
			step.set(TimeUnit.MILLISECONDS.toNanos(1));
			assertThat(slow.list()
				.stream()
				.sorted(Comparator.comparing(LockSnapshot::elapsed).reversed())
				.map((lock) -> lock.key().id()))
				.containsExactlyElementsOf(IntStream.range(0, 20).mapToObj(String::valueOf).toList());
		}
	}

	@Test
	void itWorksFromConstruction() throws Exception {
		InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		try (LockEngine real = new LockEngine(EngineSettings.of("test"), store, store, store)) {
			LockHandle held = real.acquireAsync(ORDERS).get(10, TimeUnit.SECONDS);
			// Nobody but the watchdog ends that.
			assertThat(real.acquireAsync(ORDERS.withWaitTime(Duration.ofMillis(20)))).failsWithin(Duration.ofSeconds(2))
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class);
			held.close();
		}
	}

	@Test
	void itIsSubscribedUntilItIsClosed() {
		assertThat(this.wakeUps.heard).containsExactly("subscribe one");
		this.engine.close();
		assertThat(this.wakeUps.heard).containsExactly("subscribe one", "unsubscribe one");
	}

	@Test
	void itIsNotOpenedAgainWhenItWasClosed() {
		this.engine.close();
		this.engine.start();
		assertThatExceptionOfType(LockServiceClosedException.class).isThrownBy(() -> this.engine.acquire(ORDERS));
	}

	@Test
	void itsWatchdogEndsWithIt() {
		this.core.start();
		this.core.watchdog.setIn(new Nothing(), 0);
		this.engine.close();
		runWatchdogToItsEnd();
		assertThat(this.threads.parks).isEmpty();
	}

	@Test
	void itsWatchdogStaysUntilNoKeyIsInUse() {
		this.core.start();
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		this.threads.tasks = new ArrayList<>();
		held.closeAsync();
		this.engine.close();
		this.threads.wait = (nanos) -> {
			this.threads.pass(nanos);
			assertThat(this.threads.parks.size()).isLessThan(10);
			if (this.threads.parks.size() == 3) {
				this.threads.runTasks();
			}
		};
		this.threads.started.get(0).work.run();
		assertThat(this.threads.parks).hasSize(3);
		assertThat(this.memory.find(KEY, Duration.ZERO).toCompletableFuture().join()).isEmpty();
	}

	/* Unless it goes on for ever. */
	private void runWatchdogToItsEnd() {
		this.threads.wait = (nanos) -> {
			this.threads.pass(nanos);
			assertThat(this.threads.parks.size()).isLessThan(10);
		};
		this.threads.started.get(0).work.run();
	}

	@Test
	void whatWaitsToBeRepeatedIsDroppedAtItsEnd() {
		this.core.start();
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		this.store.down = true;
		held.closeAsync();
		this.engine.close();
		long sent = this.store.count(ReleaseCommand.class);
		runWatchdogToItsEnd();
		assertThat(this.events.count("release repeated: DROPPED")).isOne();
		assertThat(this.store.count(ReleaseCommand.class)).isEqualTo(sent);
	}

	@Test
	void threadsOfListenersEndWithIt() {
		this.engine.addListener(new LockListener() {
		});
		this.engine.acquireAsync(ORDERS).join().close();
		closeWhileOneWaits("watchdog-lock-listener");
	}

	private void closeWhileOneWaits(String name) {
		assertThat(this.threads.started).singleElement().returns(name, Thread::getName);
		this.threads.wait = (nanos) -> {
			if (this.threads.parks.size() == 1) {
				this.engine.close();
				// As its starter knows it, or it itself.
				assertThat(this.threads.unparked).containsAnyOf(this.threads.started.get(0), Thread.currentThread());
			}
			else {
				this.threads.pass(nanos);
			}
		};
		this.threads.started.get(0).work.run();
		assertThat(this.threads.parks).hasSize(1);
	}

	@Test
	void listenersAreToldOnThreadsOfTheirOwnUntilTheyAreRemoved() {
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
	void aListenerHearsThoughThereWasNoThreadForItAtFirst() {
		List<String> heard = new ArrayList<>();
		this.engine.addListener(new LockListener() {

			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				heard.add("acquired " + key);
			}

		});
		// Neither for what comes before it.
		this.threads.scarce = 2;
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		turnAfter(Duration.ofMillis(10));
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofMillis(20));
		this.threads.last().work.run();
		assertThat(heard).containsExactly("acquired orders");
		held.close();
	}

	@Test
	void itsWatchdogIsSilentForAsLongAsSomethingHasBeenDue() {
		this.core.start();
		assertThat(this.engine.watchdogSilence()).isZero();
		this.core.watchdog.setIn(new Nothing(), Duration.ofSeconds(1).toNanos());
		this.threads.ticker.advance(Duration.ofSeconds(3));
		// Its thread should have begun with the alarm.
		assertThat(this.engine.watchdogSilence()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void itsWatchdogIsCalledSilentWhenItIsLateByAQuarterOfALease() {
		this.core.start();
		this.core.watchdog.setIn(new Nothing(), 0);
		this.threads.ticker.advance(Duration.ofMillis(7_500));
		for (int i = 0; i < 3; i++) {
			assertThat(this.engine.watchdogSilence()).isPositive();
			assertThat(started("watchdog-lock-silence")).isZero();
			this.threads.ticker.advance(Duration.ofMillis(60));
		}
		assertThat(this.engine.watchdogSilence()).isPositive();
		assertThat(started("watchdog-lock-silence")).isOne();
	}

	@Test
	void operatorsWaitAsLongAsTheStoreMayTakeTwiceAndAtFirstForAConnectionToo() {
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.engine.find(KEY))
			.withMessage("Could not find lock 'orders': the store did not answer within its time-out");
		this.core.heardFromStore();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.engine.forceRelease(KEY))
			.withMessage("Could not force lock 'orders': the store did not answer within its time-out");
		assertThat(this.threads.parks).containsExactly(Duration.ofSeconds(14).toNanos(),
				Duration.ofSeconds(4).toNanos());
		assertThat(this.inspector.timeouts).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2));
	}

	@Test
	void operatorsAreToldWhatTheStoreFailedWith() {
		IllegalArgumentException cause = new IllegalArgumentException("made up");
		this.inspector.found.completeExceptionally(cause);
		this.inspector.forced.completeExceptionally(cause);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.engine.find(KEY))
			.withMessage("Could not find lock 'orders': made up")
			.withCause(cause);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.engine.forceRelease(KEY))
			.withMessage("Could not force lock 'orders': made up")
			.withCause(cause);
		assertThat(this.threads.parks).isEmpty();
	}

	@Test
	void operatorsSeeOneLineOfWhatAHolderIsCalled() {
		this.inspector.found
			.complete(List.of(LockState.of(KEY, "x\n" + "y".repeat(1_000), 7, Duration.ofSeconds(3), 2)));
		LockState state = this.engine.find(KEY).orElseThrow();
		assertThat(state.holder()).startsWith("x?y").hasSize(512 + 3);
		assertThat(state.token()).isEqualTo(7);
		assertThat(state.remaining()).isEqualTo(Duration.ofSeconds(3));
		assertThat(state.waiting()).isEqualTo(2);
	}

	@Test
	void aHolderOfThisInstanceHearsOfAForceWithoutAMessage() {
		LockHandle held = this.engine.acquireAsync(ORDERS).join();
		this.inspector.forced.complete(new LeaseInspector.ForceAnswer(true, List.of()));
		assertThat(this.engine.forceRelease(KEY)).isTrue();
		assertThat(held.isHeld()).isTrue();
		this.inspector.forced = CompletableFuture
			.completedFuture(new LeaseInspector.ForceAnswer(true, List.of(new AttemptId("one", 1))));
		assertThat(this.engine.forceRelease(KEY)).isTrue();
		assertThat(held.isHeld()).isFalse();
		assertThat(this.events.count("lost: FORCED")).isOne();
		this.inspector.forced = CompletableFuture.completedFuture(LeaseInspector.ForceAnswer.FREE);
		assertThat(this.engine.forceRelease(KEY)).isFalse();
	}

	private long started(String name) {
		return this.threads.started.stream().filter((thread) -> thread.getName().equals(name)).count();
	}

	private void turnAfter(Duration time) {
		this.threads.ticker.advance(time);
		this.core.watchdog.turn();
	}

	/**
	 * Nobody cares that it rings.
	 */
	private static final class Nothing extends Alarm {

		@Override
		void fire(long now) {
		}

	}

	/**
	 * Writes down who wants hints, and fails so many times.
	 */
	private static final class Subscriptions extends NoWakeUps {

		private final List<String> heard = new ArrayList<>();

		private int failures;

		@Override
		public void subscribe(String instance, Hints hints) {
			this.heard.add("subscribe " + instance);
		}

		@Override
		public void unsubscribe(String instance) {
			this.heard.add("unsubscribe " + instance);
			if (this.failures > 0) {
				this.failures--;
				throw new IllegalStateException("on purpose");
			}
		}

	}

	/**
	 * Does not answer until it is told to.
	 */
	private static final class Silent implements LeaseInspector {

		private final CompletableFuture<List<LockState>> found = new CompletableFuture<>();

		private CompletableFuture<ForceAnswer> forced = new CompletableFuture<>();

		private final List<Duration> timeouts = new ArrayList<>();

		@Override
		public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
			this.timeouts.add(timeout);
			return this.found;
		}

		@Override
		public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
			this.timeouts.add(timeout);
			return this.forced;
		}

		@Override
		public CompletionStage<Boolean> ask(LockKey key, Duration timeout) {
			this.timeouts.add(timeout);
			return new CompletableFuture<>();
		}

	}

}
