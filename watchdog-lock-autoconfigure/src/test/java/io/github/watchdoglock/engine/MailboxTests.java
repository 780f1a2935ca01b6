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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Mailbox} with one thread.
 */
class MailboxTests {

	private final ThreadsByHand threads = new ThreadsByHand();

	private final RecordingOwner owner = new RecordingOwner();

	private final Mailbox mailbox = new Mailbox(this.owner);

	private final List<String> log = new ArrayList<>();

	/** Tasks that were handed over to another thread. */
	private final Queue<Runnable> elsewhere = new ArrayDeque<>();

	@Test
	void tasksEnqueuedByTaskRunAfterwardsInOrder() {
		execute("first", () -> {
			execute("second", () -> execute("fourth"));
			execute("third");
			this.log.add("end of first");
		});
		assertThat(this.log).containsExactly("first", "end of first", "second", "third", "fourth", "rest");
	}

	@Test
	void taskEnqueuedByOwnerOnIdleIsRun() {
		this.owner.resting = () -> {
			this.owner.resting = null;
			execute("last");
		};
		execute("first");
		assertThat(this.log).containsExactly("first", "rest", "last", "rest");
	}

	@Test
	void otherThreadContinuesAfterMaximumNumberOfBriefTasks() {
		executeBriefly("first", () -> IntStream.range(0, 20).forEach((i) -> execute("task " + i)));
		assertThat(this.log).as("tasks run by the first thread").hasSize(Mailbox.MAX_BRIEF_TASKS);
		execute("late");
		assertThat(this.log).as("no task is run before another thread continues").hasSize(Mailbox.MAX_BRIEF_TASKS);
		assertThat(this.elsewhere).as("continuations handed to another thread").hasSize(1);
		this.elsewhere.remove().run();
		assertThat(this.log).hasSize(23).endsWith("task 18", "task 19", "late", "rest");
	}

	@Test
	void threadOfCallerRunsMaxTasksBeforeOtherThreadContinues() {
		execute("first", () -> IntStream.range(0, 1_000).forEach((i) -> execute("task " + i)));
		assertThat(this.log).as("tasks run by the thread of the caller").hasSize(Mailbox.MAX_TASKS);
		while (!this.elsewhere.isEmpty()) {
			this.elsewhere.remove().run();
		}
		assertThat(this.log).hasSize(1_002).endsWith("task 999", "rest");
	}

	@Test
	void watchdogContinuesTasksWhenHandOverToThreadFails() {
		this.owner.handingOver = MailboxTests::fail;
		executeBriefly("first", () -> IntStream.range(0, 20).forEach((i) -> execute("task " + i)));
		assertThat(this.log).hasSize(Mailbox.MAX_BRIEF_TASKS + 1).endsWith("call watchdog");
		execute("late");
		this.mailbox.resume();
		assertThat(this.log.subList(Mailbox.MAX_BRIEF_TASKS + 1, this.log.size())).containsExactly("look", "task 15",
				"task 16", "task 17", "task 18", "task 19", "late", "rest");
	}

	@Test
	void watchdogRunsTasksWhenTheirStartFails() {
		this.owner.broken = () -> true;
		execute("first");
		execute("second");
		assertThat(this.log).containsExactly("call watchdog");
		this.owner.broken = () -> false;
		this.mailbox.resume();
		assertThat(this.log).containsExactly("call watchdog", "look", "first", "second", "rest");
	}

	@Test
	void failureHandlingIsRepeatedByWatchdogBeforeRemainingTasks() {
		this.owner.failing = MailboxTests::fail;
		execute("first", () -> {
			execute("second");
			throw new IllegalStateException("on purpose");
		});
		execute("third");
		assertThat(this.log).containsExactly("first", "failed", "call watchdog");
		this.owner.failing = null;
		this.mailbox.resume();
		assertThat(this.log).containsExactly("first", "failed", "call watchdog", "failed", "look", "second", "third",
				"rest");
	}

	@Test
	void failedCheckIsRepeatedWhenWatchdogResumes() {
		this.owner.looking = MailboxTests::fail;
		this.mailbox.requestCheck();
		this.mailbox.resume();
		this.owner.looking = null;
		this.mailbox.resume();
		this.mailbox.resume();
		assertThat(this.log).containsExactly("look", "call watchdog", "look", "call watchdog", "look", "rest", "look",
				"rest");
	}

	@Test
	void requestedCheckRunsOnceBeforeNextTask() {
		this.mailbox.requestCheck();
		assertThat(this.log).containsExactly("look", "rest");
		this.log.clear();
		execute("first", () -> {
			execute("second");
			this.mailbox.requestCheck();
			this.mailbox.requestCheck();
		});
		assertThat(this.log).containsExactly("first", "look", "second", "rest");
	}

	@Test
	void checkRequestedOnIdleIsRun() {
		this.owner.resting = () -> {
			this.owner.resting = null;
			this.mailbox.requestCheck();
		};
		execute("first");
		assertThat(this.log).containsExactly("first", "rest", "look", "rest");
	}

	@Test
	void interruptFlagIsHiddenFromTasksAndRestored() {
		Thread thread = Thread.currentThread();
		boolean[] seen = new boolean[2];
		thread.interrupt();
		execute("task", () -> {
			seen[0] = thread.isInterrupted();
			seen[1] = Mailbox.hidesInterrupt(thread);
		});
		assertThat(seen).as("interrupt flag that the task sees, and whether the mailbox hides it")
			.containsExactly(false, true);
		assertThat(Mailbox.hidesInterrupt(thread)).isFalse();
		assertThat(Thread.interrupted()).isTrue();
		execute("task", () -> seen[1] = Mailbox.hidesInterrupt(thread));
		assertThat(seen[1]).isFalse();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void interruptFlagIsRestoredIfATaskFails() {
		Thread.currentThread().interrupt();
		execute("task", MailboxTests::fail);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(Mailbox.hidesInterrupt(Thread.currentThread())).isFalse();
	}

	@Test
	void waitersAreUnparkedAfterTaskWithTheirOutcome() {
		List<Waiter> waiters = List.of(newWaiter(), newWaiter(), newWaiter());
		List<Integer> unparked = new ArrayList<>();
		execute("first", () -> {
			waiters.subList(0, 2).forEach(this.mailbox::wakeAfterwards);
			execute("second", () -> {
				unparked.add(this.threads.unparked.size());
				this.mailbox.wakeAfterwards(waiters.get(2));
			});
			unparked.add(this.threads.unparked.size());
		});
		assertThat(unparked).containsExactly(0, 2);
		assertThat(this.threads.unparked)
			.containsExactlyElementsOf(waiters.stream().map((waiter) -> waiter.thread).toList());
	}

	@Test
	void waiterOfTheLastTaskWakesWhenTheMailboxIsIdle() {
		Waiter waiter = newWaiter();
		this.threads.calling = () -> {
			execute("by the waiter");
			this.log.add("unparked");
		};
		execute("task", () -> this.mailbox.wakeAfterwards(waiter));
		assertThat(this.log).containsExactly("task", "rest", "by the waiter", "rest", "unparked");
	}

	@Test
	void waiterAddedDuringUnparkIsUnparkedBySameThread() {
		Waiter first = newWaiter();
		Waiter next = newWaiter();
		this.threads.calling = () -> {
			this.threads.calling = null;
			execute("by the waiter", () -> this.mailbox.wakeAfterwards(next));
			this.log.add("woken so far: " + this.threads.unparked.size());
		};
		execute("task", () -> this.mailbox.wakeAfterwards(first));
		assertThat(this.log).containsExactly("task", "rest", "by the waiter", "rest", "woken so far: 1");
		assertThat(this.threads.unparked).containsExactly(first.thread, next.thread);
	}

	@Test
	void unparkingThreadLeavesWaitersToOthersAfterMaxBriefTasks() {
		List<Waiter> waiters = IntStream.range(0, Mailbox.MAX_BRIEF_TASKS + 3).mapToObj((i) -> newWaiter()).toList();
		Iterator<Waiter> next = waiters.iterator();
		List<Integer> woken = new ArrayList<>();
		this.threads.calling = () -> {
			int before = this.threads.unparked.size();
			if (next.hasNext()) {
				execute("by a waiter", () -> this.mailbox.wakeAfterwards(next.next()));
			}
			woken.add(this.threads.unparked.size() - before);
		};
		execute("task", () -> this.mailbox.wakeAfterwards(next.next()));
		assertThat(woken.subList(0, Mailbox.MAX_BRIEF_TASKS)).containsOnly(0);
		assertThat(woken.subList(Mailbox.MAX_BRIEF_TASKS, woken.size()))
			.as("waiters unparked by the thread after its maximum")
			.isNotEqualTo(Collections.nCopies(3, 0));
		assertThat(this.threads.unparked).hasSameSizeAs(waiters);
	}

	@Test
	void failedUnparkStopsNeitherOtherWaitersNorMailbox() {
		List<Waiter> waiters = List.of(newWaiter(), newWaiter());
		this.threads.calling = MailboxTests::fail;
		execute("first", () -> waiters.forEach(this.mailbox::wakeAfterwards));
		assertThat(this.threads.unparked).hasSize(2);
		execute("second");
		assertThat(this.log).containsExactly("first", "rest", "second", "rest");
	}

	/* A caller whose thread is unparked when it gets its outcome. */
	private Waiter newWaiter() {
		InMemoryLeaseStore store = new InMemoryLeaseStore(this.threads.ticker, this.threads.ticker.wallClock);
		TestEngine test = new TestEngine(EngineSettings.of("test"), this.threads, this.threads.ticker, store, store,
				store, Runnable::run);
		EngineContext context = test.engine.keys.context();
		Waiter waiter = new Waiter(LockKey.of("orders"), Kind.EXCLUSIVE, context.defaults, context.rules, 0,
				context.now(), new ThreadHandles.HoldingThread(new Thread()), null);
		waiter.join(new LocalLock(waiter.key, test.engine.keys));
		this.threads.unparked.clear();
		return waiter;
	}

	private static void fail() {
		throw new OutOfMemoryError("on purpose");
	}

	private void execute(String name) {
		execute(name, () -> {
		});
	}

	private void execute(String name, Runnable action) {
		this.mailbox.execute(task(name, action));
	}

	private void executeBriefly(String name, Runnable action) {
		this.mailbox.executeBriefly(task(name, action));
	}

	private Mailbox.Task task(String name, Runnable action) {
		return new Mailbox.Task() {

			@Override
			void run() {
				MailboxTests.this.log.add(name);
				action.run();
			}

		};
	}

	private final class RecordingOwner implements Mailbox.Owner {

		private BooleanSupplier broken = () -> false;

		private @Nullable Runnable failing;

		private @Nullable Runnable looking;

		private @Nullable Runnable resting;

		private @Nullable Runnable handingOver;

		@Override
		public Threads threads() {
			if (this.broken.getAsBoolean()) {
				throw new OutOfMemoryError("on purpose");
			}
			return MailboxTests.this.threads;
		}

		@Override
		public void failed(Mailbox.Task task, Throwable cause) {
			record("failed", this.failing);
		}

		@Override
		public void settle() {
		}

		@Override
		public void processDue() {
			record("look", this.looking);
		}

		@Override
		public void onIdle() {
			record("rest", this.resting);
		}

		private void record(String what, @Nullable Runnable action) {
			MailboxTests.this.log.add(what);
			if (action != null) {
				action.run();
			}
		}

		@Override
		public void continueElsewhere(Runnable rest) {
			if (this.handingOver != null) {
				this.handingOver.run();
			}
			MailboxTests.this.elsewhere.add(rest);
		}

		@Override
		public void callWatchdog() {
			MailboxTests.this.log.add("call watchdog");
		}

	}

}
