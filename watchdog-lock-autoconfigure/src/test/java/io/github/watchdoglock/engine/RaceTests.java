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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for operations of several threads on one key at the same moment.
 */
@Tag("slow")
class RaceTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	/* The key retires after each use. */
	private static final int USES = 20;

	private static final LockRequest FOREVER = ORDERS.withWaitTime(Duration.ofMillis(-1));

	private static final int ALARMS = 64;

	private static final int HANDLES = 16;

	private final SplittableRandom random = new SplittableRandom();

	private final ManualTicker ticker = new ManualTicker();

	private final CountingStore store = new CountingStore();

	private final EngineContext context = new EngineContext(EngineSettings.of("test"), "one", Threads.system(),
			this.ticker, this.ticker.wallClock, this.store, new Events(), Runnable::run);

	private final LockEngine engine = new LockEngine(this.context, this.store.memory, this.store.memory);

	@Test
	void tasksOfSeveralThreadsRunOnceInTheOrderOfEachThreadAndOneAtATime() {
		Race.repeat(3, () -> {
			Serial owner = new Serial();
			return new Race.Round(IntStream.range(0, 3).<Runnable>mapToObj((i) -> () -> owner.execute(i, 30)).toList(),
					() -> {
						assertThat(owner.performed).as("tasks run in total").isEqualTo(90);
						assertThat(owner.next).containsExactly(30, 30, 30);
					});
		});
	}

	@Test
	void checkRequestedDuringTasksIsNotLost() {
		Race.repeat(2, () -> {
			Serial owner = new Serial();
			return new Race.Round(List.of(() -> owner.execute(0, 2), () -> {
				owner.due = true;
				owner.mailbox.requestCheck();
			}), () -> assertThat(owner.due).isFalse());
		});
	}

	@Test
	void alarmMovedDuringWatchdogTurnFiresOnce() {
		Watchdog watchdog = new Watchdog(Threads.system(), new Clock(this.ticker, this.ticker.wallClock), 1);
		Race.repeat(2, () -> {
			List<Fired> alarms = Stream.generate(Fired::new).limit(ALARMS).toList();
			// The alarms are in the wheel, and on their way to the watchdog again.
			alarms.forEach((alarm) -> watchdog.set(alarm, alarm.moves[0]));
			watchdog.turn();
			alarms.forEach((alarm) -> watchdog.set(alarm, alarm.moves[1]));
			this.ticker.advance(TestEngine.TICK);
			int first = this.random.nextInt(ALARMS);
			return new Race.Round(List.of(watchdog::turn, () -> {
				// In the order in which the watchdog processes them, so that it overtakes
				// this thread.
				for (int i = 0; i < ALARMS; i++) {
					Fired alarm = alarms.get(Math.floorMod(first - i, ALARMS));
					watchdog.set(alarm, alarm.moves[2]);
					watchdog.set(alarm, alarm.moves[3]);
				}
			}), () -> {
				watchdog.turn();
				alarms.forEach((alarm) -> alarm.fired = 0);
				this.ticker.advance(Fired.MAX_DELAY);
				watchdog.turn();
				assertThat(alarms).as("alarms that fired never or twice").allMatch((alarm) -> alarm.fired == 1);
			});
		});
	}

	@Test
	void callerThatJoinsWhileItsKeyRetiresGetsTheLock() {
		Race.repeat(3, () -> {
			List<CompletableFuture<Void>> closed = new CopyOnWriteArrayList<>();
			Runnable use = () -> {
				for (int i = 0; i < USES; i++) {
					closed.add(this.engine.acquireAsync(FOREVER).thenCompose(LockHandle::closeAsync));
				}
			};
			return new Race.Round(List.of(use, use, use), () -> {
				assertThat(closed).hasSize(3 * USES)
					.allMatch((done) -> done.isDone() && !done.isCompletedExceptionally());
				assertThatKeyIsFree();
			});
		});
	}

	@Test
	void callerThatGivesUpWhileKeyRetiresLeavesNoLease() {
		Race.repeat(3, () -> {
			LockHandle handle = this.engine.acquireAsync(FOREVER).join();
			Runnable leave = () -> {
				CompletableFuture<LockHandle> asked = this.engine.acquireAsync(FOREVER);
				if (!asked.cancel(false)) {
					asked.join().close();
				}
			};
			return new Race.Round(List.of(handle::close, leave, leave), this::assertThatKeyIsFree);
		});
	}

	@Test
	void keyBecomesFreeWhenCancellationRacesWithHandOff() {
		Race.repeat(2, () -> {
			LockHandle handle = this.engine.acquireAsync(FOREVER).join();
			CompletableFuture<LockHandle> first = this.engine.acquireAsync(FOREVER);
			CompletableFuture<LockHandle> second = this.engine.acquireAsync(FOREVER);
			return new Race.Round(
					List.of(handle::close, () -> first.completeExceptionally(new CancellationException())), () -> {
						if (!first.isCompletedExceptionally()) {
							first.join().close();
						}
						second.join().close();
						assertThatKeyIsFree();
					});
		});
	}

	@Test
	void reentryThatRacesWithCloseOfDetachedHandleHoldsLockOrFails() {
		Race.repeat(3, () -> {
			List<Handle> handles = IntStream.range(0, HANDLES)
				.mapToObj((i) -> acquire(LockRequest.of("orders", "" + i)))
				.toList();
			List<Handle> reentered = new ArrayList<>();
			this.store.releases.set(0);
			return new Race.Round(List.of(() -> handles.forEach((handle) -> {
				Handle again = handle.reenter(false, this.context.rules);
				if (again != null) {
					reentered.add(again);
				}
			}), () -> handles.forEach(Handle::detach), () -> handles.forEach(Handle::close)), () -> {
				assertThat(reentered).allMatch(Handle::isHeld);
				reentered.forEach(Handle::close);
				assertThat(this.store.releases).as("releases sent to the store").hasValue(HANDLES);
				assertThatKeyIsFree();
			});
		});
	}

	@Test
	void concurrentClosesOfHandlesReleaseHoldOnce() {
		Race.repeat(3, () -> {
			List<Handle> handles = new ArrayList<>(List.of(acquire(ORDERS)));
			for (int i = 0; i < 3; i++) {
				handles.add(reenter(handles.get(0)));
			}
			Hold hold = handles.get(0).hold();
			this.store.releases.set(0);
			return new Race.Round(List.of(() -> {
				handles.get(1).detach().close();
				handles.get(2).close();
			}, () -> {
				handles.get(3).detach();
				handles.get(2).close();
				handles.get(0).close();
			}, () -> {
				handles.get(3).close();
				handles.get(1).close();
			}), () -> {
				assertThat(hold.isOpen()).isFalse();
				assertThat(this.store.releases).hasValue(1);
				assertThatKeyIsFree();
			});
		});
	}

	@Test
	void lossThatRacesWithClosesEndsHoldWithoutLateInterrupt() {
		Race.repeat(2, () -> {
			Handle handle = acquire(ORDERS);
			List<Handle> handles = new ArrayList<>();
			for (int i = 0; i < HANDLES; i++) {
				handles.add(reenter(handle));
			}
			handles.add(handle);
			Hold hold = handle.hold();
			CompletableFuture<?> lost = handle.whenLost().toCompletableFuture();
			LocalKeys keys = this.engine.keys;
			return new Race.Round(List.of(() -> handles.forEach(Handle::close),
					() -> keys.lose(KEY, hold.token, LockLoss.Reason.OVERTAKEN)), () -> {
						this.context.watchdog.turn();
						assertThat(hold.isOpen()).isFalse();
						assertThat(lost.isDone()).isEqualTo(hold.loss(this.context.now()) != null);
						// The hold counts no handle any more.
						assertThat(ReflectionTestUtils.getField(hold, "word"))
							.as("state of the hold: closed or lost, with no handle counted")
							.isIn(1L, 3L);
						assertThat(Thread.interrupted()).isFalse();
						assertThatKeyIsFree();
					});
		});
	}

	private Handle acquire(LockRequest request) {
		try {
			return (Handle) this.engine.acquire(request.withOnLoss(OnLoss.INTERRUPT));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Handle reenter(Handle handle) {
		return Objects.requireNonNull(handle.reenter(false, this.context.rules));
	}

	private void assertThatKeyIsFree() {
		assertThat(this.engine.keys.size()).as("keys in use in the engine").isZero();
		assertThat(this.store.memory.find(KEY, Duration.ZERO).toCompletableFuture().join()).isEmpty();
	}

	private final class Fired extends Alarm {

		private static final Duration MAX_DELAY = Duration.ofSeconds(3).plus(TestEngine.TICK);

		/* Due at once, later, or never. The last move is due, but not within the race. */
		private final long[] moves = { due(1, 3), due(0, 2), due(3, 6), due(2, 4) };

		private int fired;

		private long due(int earliest, int latest) {
			int seconds = RaceTests.this.random.nextInt(earliest, latest);
			return (seconds == 5) ? NEVER : RaceTests.this.ticker.read() + Duration.ofSeconds(seconds).toNanos();
		}

		@Override
		void fire(long now) {
			this.fired++;
		}

	}

	/**
	 * A counter without synchronization of its own: the mailbox provides it.
	 */
	private static final class Serial implements Mailbox.Owner {

		private final Mailbox mailbox = new Mailbox(this);

		private final int[] next = new int[3];

		private int performed;

		private volatile boolean due;

		private void execute(int thread, int count) {
			for (int i = 0; i < count; i++) {
				int expected = i;
				this.mailbox.execute(new Mailbox.Task() {

					@Override
					void run() {
						Serial.this.performed++;
						if (Serial.this.next[thread]++ != expected) {
							throw new IllegalStateException("A task runs out of order");
						}
					}

				});
			}
		}

		@Override
		public void failed(Mailbox.Task task, Throwable cause) {
			throw new IllegalStateException(cause);
		}

		@Override
		public void settle() {
		}

		@Override
		public Threads threads() {
			return Threads.system();
		}

		@Override
		public void processDue() {
			this.due = false;
		}

		@Override
		public void onIdle() {
			// No key retires.
		}

		@Override
		public void continueElsewhere(Runnable rest) {
			rest.run();
		}

		@Override
		public void callWatchdog() {
			// No task fails.
		}

	}

	/**
	 * A store that counts the releases of leases.
	 */
	private final class CountingStore implements LeaseStore {

		private final InMemoryLeaseStore memory = new InMemoryLeaseStore(RaceTests.this.ticker,
				RaceTests.this.ticker.wallClock);

		private final AtomicInteger releases = new AtomicInteger();

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return this.memory.acquire(command);
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return this.memory.renew(commands);
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			this.releases.incrementAndGet();
			return this.memory.release(command);
		}

	}

}
