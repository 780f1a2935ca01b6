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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How many threads there are for what waits to be completed, when, and for how long.
 */
class CompletionThreadsTests {

	private static final String NAME = "watchdog-lock-completions";

	private static final long PATIENCE = Duration.ofMillis(20).toNanos();

	private static final long IDLE = Duration.ofSeconds(10).toNanos();

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Watchdog watchdog = new Watchdog(this.threads,
			new Clock(this.threads.ticker, this.threads.ticker.wallClock), new Events(), 1_000_000_000);

	private final Completions completions = new Completions(this.threads);

	private final Logged logged = new Logged(Completions.class.getName());

	private final List<String> done = new ArrayList<>();

	CompletionThreadsTests() {
		this.completions.lookedAfterBy(this.watchdog);
	}

	@AfterEach
	void close() {
		this.logged.close();
		assertThat(this.threads.failures).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
		// Nobody has left it locked.
		assertThat(CompletableFuture.runAsync(() -> execute("after"))).succeedsWithin(Duration.ofSeconds(2));
	}

	@Test
	void aThreadRunsTasksInTheirOrderAndEndsTenSecondsAfterTheLast() {
		execute("first");
		assertThat(this.threads.started).singleElement().returns(NAME, Thread::getName);
		this.completions.execute(() -> {
			this.done.add("second");
			execute("third");
		});
		this.threads.started.get(0).work.run();
		assertThat(this.done).containsExactly("first", "second", "third");
		assertThat(this.threads.parks).containsExactly(IDLE);
		// Nobody calls a thread that is gone.
		execute("fourth");
		assertThat(this.threads.unparked).isEmpty();
		assertThat(this.threads.started).hasSize(4);
	}

	@Test
	void thereAreEightThreadsAtMostWhileTheyBeginWhatThereIs() {
		for (int i = 0; i < 30; i++) {
			execute("task");
		}
		assertThat(this.threads.started).hasSize(8);
		this.threads.wait = (nanos) -> pass(Duration.ofMillis(30));
		for (int i = 0; i < 8; i++) {
			this.completions.execute(() -> pass(Duration.ofMillis(30)));
		}
		this.threads.started.get(0).work.run();
		assertThat(this.threads.started).hasSize(8);
	}

	@Test
	void aThreadThatWaitsIsCalledForTheNextTaskAndWaitsAsLongAgain() {
		execute("first");
		this.threads.wait = (nanos) -> {
			pass(Duration.ofSeconds(4));
			if (this.done.size() == 1) {
				execute("second");
				assertThat(this.threads.unparked).containsExactly(this.threads.started.get(0));
				// It has been called already.
				execute("third");
				assertThat(this.threads.started).hasSize(2);
			}
		};
		this.threads.started.get(0).work.run();
		assertThat(this.done).containsExactly("first", "second", "third");
		assertThat(this.threads.parks).containsExactly(IDLE, IDLE, seconds(6), seconds(2));
		assertThat(this.threads.unparked).hasSize(1);
	}

	@Test
	void anInterruptOfAThreadThatWaitsDoesNotHaveItSpin() {
		execute("first");
		this.threads.wait = (nanos) -> {
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			Thread.currentThread().interrupt();
			pass(Duration.ofSeconds(5));
		};
		this.threads.started.get(0).work.run();
		assertThat(this.threads.parks).hasSize(2);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void theOneThatHasWaitedForTheShortestTimeIsCalledFirst() {
		execute("first");
		execute("second");
		ThreadsByHand.Started older = this.threads.started.get(0);
		ThreadsByHand.Started younger = this.threads.started.get(1);
		waitsOf(() -> {
			// The older one waits by now.
			waitsOf(() -> {
				execute("third");
				assertThat(this.threads.unparked).containsExactly(younger);
				execute("fourth");
				assertThat(this.threads.unparked).containsExactly(younger, older);
				execute("fifth");
				assertThat(this.threads.unparked).hasSize(2);
			});
			younger.work.run();
			assertThat(this.done).containsExactly("first", "second", "third", "fourth", "fifth");
		});
		older.work.run();
		assertThat(this.threads.started).hasSize(3);
	}

	@Test
	void aThreadThatEndsAmongOthersWhichWaitIsCalledNoMore() throws Exception {
		execute("first");
		execute("second");
		execute("third");
		List<ThreadsByHand.Started> all = List.copyOf(this.threads.started);
		CountDownLatch called = new CountDownLatch(1);
		List<Thread> younger = new ArrayList<>();
		waitsOf(() -> {
			younger.add(waiting(all.get(1), called));
			younger.add(waiting(all.get(2), called));
			this.threads.wait = this.threads::pass;
			pass(Duration.ofSeconds(10));
		});
		all.get(0).work.run();
		execute("fourth");
		execute("fifth");
		assertThat(this.threads.started).hasSize(3);
		execute("sixth");
		assertThat(this.threads.unparked).containsExactly(all.get(2), all.get(1));
		assertThat(this.threads.started).hasSize(4);
		called.countDown();
		for (Thread thread : younger) {
			thread.join(10_000);
		}
		assertThat(this.done).containsExactly("first", "second", "third", "fourth", "fifth", "sixth");
	}

	/* It runs by itself until it waits. */
	private Thread waiting(ThreadsByHand.Started worker, CountDownLatch called) {
		CountDownLatch waits = new CountDownLatch(1);
		waitsOf(() -> {
			waits.countDown();
			awaitQuietly(called);
		});
		Thread thread = new Thread(worker.work);
		thread.setDaemon(true);
		thread.start();
		awaitQuietly(waits);
		return thread;
	}

	@Test
	void threadsThatDieWhileTheyWaitAreReplaced() {
		this.threads.wait = (nanos) -> {
			throw new LinkageError("on purpose");
		};
		for (int i = 1; i <= 20; i++) {
			execute("task");
			assertThat(this.threads.started).hasSize(i);
			Runnable work = this.threads.last().work;
			assertThatExceptionOfType(LinkageError.class).isThrownBy(work::run);
		}
		assertThat(this.done).hasSize(20);
		assertThat(this.threads.unparked).isEmpty();
	}

	@Test
	void whatAThreadWasCalledForThatDiesIsDoneByAnother() {
		execute("first");
		this.threads.wait = (nanos) -> {
			turnAfter(Duration.ofMillis(30));
			execute("second");
			throw new LinkageError("on purpose");
		};
		Runnable work = this.threads.started.get(0).work;
		assertThatExceptionOfType(LinkageError.class).isThrownBy(work::run);
		this.threads.wait = this.threads::pass;
		assertThat(this.threads.started).hasSize(1);
		turnAfter(Duration.ofMillis(30));
		assertThat(this.threads.started).hasSize(2);
		this.threads.last().work.run();
		assertThat(this.done).containsExactly("first", "second");
	}

	@Test
	void whoLooksForThreadsThatCannotBeHadTriesOnceEachTime() {
		this.threads.scarce = 100;
		for (int i = 0; i < 5; i++) {
			execute("task");
		}
		assertThat(this.threads.scarce).isEqualTo(95);
		turnAfter(Duration.ofMillis(30));
		assertThat(this.threads.scarce).isEqualTo(94);
	}

	@Test
	void aThreadThatCannotBeHadIsTriedForAgainAfterAMoment() {
		this.threads.scarce = 3;
		execute("first");
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofMillis(19));
		turnAfter(Duration.ofMillis(20));
		turnAfter(Duration.ofMillis(30));
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofMillis(30));
		this.threads.started.get(0).work.run();
		assertThat(this.done).containsExactly("first");
		turnAfter(Duration.ofMillis(30));
		assertThat(this.watchdog.pending()).isZero();
	}

	@Test
	void nobodyLooksForThreadsSoonerThanAfterAMoment() {
		this.threads.scarce = 1;
		execute("first");
		turnAfter(Duration.ofMillis(10));
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofMillis(20));
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void thereAreHalfAsManyThreadsAgainWhereAllOfThemWait() {
		assertThat(growth(8, () -> {
		})).containsExactly(8, 12, 18, 27, 40, 60, 90, 135, 199);
	}

	@Test
	void nobodyWaitsForAThreadThatIsBeingStarted() {
		List<Boolean> added = new ArrayList<>();
		this.threads.starting = () -> {
			CompletableFuture<Void> other = CompletableFuture.runAsync(this.completions::close,
					(task) -> new Thread(task).start());
			assertThat(other).succeedsWithin(Duration.ofSeconds(5));
			added.add(true);
		};
		execute("task");
		this.threads.scarce = 1;
		execute("task");
		turnAfter(Duration.ofMillis(30));
		// Two could be had, and one not.
		assertThat(added).hasSize(3);
	}

	/*
	 * How many threads there are while each task goes on for ever, as they begin: in one
	 * after the other somebody looks.
	 */
	private List<Integer> growth(int times, Runnable betweenLooks) {
		List<Integer> sizes = new ArrayList<>();
		int[] run = new int[1];
		Runnable[] task = new Runnable[1];
		task[0] = this.threads.checked(() -> {
			if (run[0] < this.threads.started.size()) {
				this.threads.started.get(run[0]++).work.run();
				return;
			}
			if (sizes.size() > times) {
				return;
			}
			sizes.add(run[0]);
			for (int looks = 0; sizes.size() <= times && run[0] == this.threads.started.size()
					&& looks < 100; looks++) {
				betweenLooks.run();
				turnAfter(Duration.ofMillis(30));
			}
			task[0].run();
		});
		for (int i = 0; i < 300; i++) {
			this.completions.execute(task[0]);
		}
		this.threads.started.get(run[0]++).work.run();
		return sizes;
	}

	@Test
	void whoLooksStartsOneThreadAndEachStartsTheNextWhileThereAreTasks() {
		whileAllWait(() -> {
			execute("first");
			execute("second");
			turnAfter(Duration.ofMillis(30));
			turnAfter(Duration.ofMillis(30));
			assertThat(this.threads.started).hasSize(9);
			this.threads.last().work.run();
			assertThat(this.threads.started).hasSize(10);
			// Nothing is left for it to do.
			this.threads.last().work.run();
			assertThat(this.threads.started).hasSize(10);
		});
		assertThat(this.done).containsExactly("first", "second");
	}

	@Test
	void aTaskThatWasBegunPutsMoreThreadsOff() {
		blockAllOf(100);
		this.completions.execute(this.threads.checked(() -> {
			// One was begun since somebody looked: this one.
			turnAfter(Duration.ofMillis(30));
			assertThat(this.threads.started).hasSize(8);
			turnAfter(Duration.ofMillis(30));
			assertThat(this.threads.started).hasSize(8);
			execute("last");
		}));
		this.threads.started.get(0).work.run();
		assertThat(this.done).hasSize(101);
	}

	@Test
	void whereSomeSeemToRunThereAreEightMoreThreadsWheneverNoneHasBegunATaskForAWhile() {
		int[] looks = new int[1];
		assertThat(growth(4, () -> {
			looks[0]++;
			// As the JVM calls one that reads from a socket.
			this.threads.started.get(3).state = Thread.State.RUNNABLE;
		})).containsExactly(8, 16, 24, 32, 40);
		// In the first of four a task was begun since the last one.
		assertThat(looks[0]).isEqualTo(16);
	}

	@Test
	void aTaskDoesNotWaitForLongForEightWhoSeemToRun() {
		whileAllWait(() -> {
			this.threads.started.forEach((thread) -> thread.state = Thread.State.RUNNABLE);
			execute("ninth");
			for (int millis = 0; millis < 100; millis += 10) {
				turnAfter(Duration.ofMillis(10));
			}
			assertThat(this.threads.started).hasSize(9);
			this.threads.started.get(8).work.run();
			assertThat(this.done).containsExactly("ninth");
		});
	}

	/* The threads there are have each begun something that does not end. */
	private void blockAllOf(int tasks) {
		for (int i = 0; i < tasks; i++) {
			execute("task " + i);
		}
		assertThat(this.threads.started).hasSize(8);
	}

	@Test
	void whoIsTooManyEndsAtOnce() {
		whileAllWait(() -> {
			execute("first");
			turnAfter(Duration.ofMillis(30));
			turnAfter(Duration.ofMillis(30));
			assertThat(this.threads.started).hasSize(9);
			this.threads.last().work.run();
			assertThat(this.done).containsExactly("first");
			assertThat(this.threads.parks).isEmpty();
		});
		// Those who stay wait, one after the other here.
		assertThat(this.threads.parks).hasSize(8);
	}

	@Test
	void thatThereAreMoreThreadsIsToldOnce() {
		whileAllWait(() -> {
			for (int i = 0; i < 100; i++) {
				execute("task");
			}
			turnAfter(Duration.ofMillis(30));
			assertThat(this.logged.lines()).isEmpty();
			turnAfter(Duration.ofMillis(30));
			this.threads.started.get(8).work.run();
			this.threads.started.get(9).work.run();
		});
		assertThat(this.done).hasSize(100);
		assertThat(this.logged.lines()).singleElement().asString().startsWith("WARNING").contains("All 8 threads");
	}

	/* All of the usual threads are in the middle of something. */
	private void whileAllWait(Runnable action) {
		for (int i = 1; i <= 8; i++) {
			int next = i;
			this.completions
				.execute((i < 8) ? () -> this.threads.started.get(next).work.run() : this.threads.checked(action));
		}
		this.threads.started.get(0).work.run();
	}

	@Test
	void whatLacksMemoryIsDoneAgainAfterAMomentAHundredTimes() {
		this.completions.execute(() -> {
			this.done.add("tried");
			Thread.currentThread().interrupt();
			throw new OutOfMemoryError("on purpose");
		});
		execute("next");
		this.threads.wait = (nanos) -> {
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			this.threads.pass(nanos);
		};
		this.threads.started.get(0).work.run();
		assertThat(this.done).hasSize(101).endsWith("next");
		assertThat(this.threads.parks).hasSize(100).startsWith(PATIENCE, PATIENCE).endsWith(PATIENCE, IDLE);
		assertThat(this.logged.lines()).singleElement().asString().startsWith("SEVERE");
	}

	@Test
	void whatFailsOtherwiseIsToldAndEndsNoThread() {
		this.completions.execute(() -> {
			throw new IllegalStateException("on purpose");
		});
		execute("next");
		this.threads.started.get(0).work.run();
		assertThat(this.done).containsExactly("next");
		assertThat(this.logged.lines()).singleElement().asString().contains("the others go on");
	}

	@Test
	void threadsThatWaitEndWithTheEngine() {
		execute("first");
		this.threads.wait = (nanos) -> {
			this.completions.close();
			assertThat(this.threads.unparked).containsExactly(this.threads.started.get(0));
		};
		this.threads.started.get(0).work.run();
		assertThat(this.threads.parks).hasSize(1);
	}

	@Test
	void whatIsToBeCompletedAfterTheEndIsAndItsThreadWaitsForNoMore() {
		this.completions.close();
		execute("late");
		execute("as late");
		assertThat(this.threads.started).hasSize(2);
		this.threads.started.get(0).work.run();
		assertThat(this.done).containsExactly("late", "as late");
		assertThat(this.threads.parks).isEmpty();
		turnAfter(Duration.ofNanos(2 * PATIENCE));
		assertThat(this.watchdog.pending()).isZero();
	}

	@Test
	void whatWaitsAtTheEndIsLookedAfterByTheWatchdog() {
		this.threads.scarce = 1;
		execute("first");
		this.completions.close();
		assertThat(this.threads.started).isEmpty();
		turnAfter(Duration.ofNanos(2 * PATIENCE));
		this.threads.last().work.run();
		assertThat(this.done).containsExactly("first");
	}

	@Test
	void whatIsToBeCompletedWhenNoThreadIsLeftAndNoneCanBeHadIsAtOnce() {
		this.watchdog.start();
		this.watchdog.stop(() -> false);
		this.threads.last().work.run();
		this.completions.close();
		this.threads.scarce = 2;
		execute("late");
		assertThat(this.done).containsExactly("late");
	}

	private void execute(String task) {
		this.completions.execute(() -> this.done.add(task));
	}

	private void pass(Duration time) {
		this.threads.ticker.advance(time);
	}

	private static long seconds(long seconds) {
		return Duration.ofSeconds(seconds).toNanos();
	}

	private void turnAfter(Duration time) {
		pass(time);
		this.watchdog.turn();
	}

	/* Something happens in the next wait; those after it last as long as they may. */
	private void waitsOf(Runnable action) {
		this.threads.wait = (nanos) -> {
			this.threads.wait = this.threads::pass;
			action.run();
		};
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
