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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one key, regardless of its state: its mailbox, its alarm, and its commands
 * that have no answer yet. An error in a task ends the state of the key, as a whole.
 */
abstract class KeyTasks implements Mailbox.Owner {

	/*
	 * How long a caller waits at most for a task on another thread, which does not block.
	 */
	private static final long MAX_TASK_TIME = TimeUnit.SECONDS.toNanos(1);

	final LockKey key;

	final Mailbox mailbox = new Mailbox(this);

	private final Keys keys;

	private final KeyAlarm alarm = new KeyAlarm(this);

	/** Commands without an answer. The list is replaced, never changed. */
	private List<Unanswered> calls = List.of();

	/* The next key in the list of keys that the watchdog continues. */
	@Nullable KeyTasks nextStalled;

	private boolean retired;

	/**
	 * An error because of which the state of the key has to end; written by any thread.
	 */
	private volatile @Nullable Throwable endCause;

	/** The task that has failed, until everything that waits for it has failed. */
	private Mailbox.@Nullable Task failedTask;

	KeyTasks(LockKey key, Keys keys) {
		this.key = key;
		this.keys = keys;
	}

	/* Not a field, which would cost eight bytes per lock. */
	EngineContext context() {
		return this.keys.context();
	}

	Keys keys() {
		return this.keys;
	}

	/* When the state of the key has to be looked at. */
	abstract long due();

	/* Do what has become due. */
	abstract void processDueState(long now);

	/* Whether it has callers, an attempt or a lease. */
	abstract boolean hasState();

	/* The state ends because of an error. If this fails, it is repeated. */
	abstract void endState(Throwable cause);

	@Override
	public Threads threads() {
		return context().threads;
	}

	@Override
	public void continueElsewhere(Runnable rest) {
		context().taskContinuations.execute(rest);
	}

	@Override
	public void callWatchdog() {
		this.keys.callWatchdog(this);
	}

	/* Called by any thread: run an action as a task, now or later. */
	void run(Runnable action) {
		this.mailbox.execute(new Action(action, null));
	}

	/* The same on an I/O thread. */
	void runBriefly(Runnable action) {
		this.mailbox.executeBriefly(new Action(action, null));
	}

	/* The same, for a future that fails if the task does. */
	void run(Runnable action, CompletableFuture<?> done) {
		this.mailbox.execute(new Action(action, done));
	}

	/*
	 * The same, and wait until the task has run or failed, at most for a second. Called
	 * by any thread that runs no task.
	 */
	void runAndWait(Runnable action) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		run(() -> {
			action.run();
			done.complete(null);
		}, done);
		context().awaitUninterruptibly(done, MAX_TASK_TIME);
	}

	@Override
	public void failed(Mailbox.Task task, Throwable cause) {
		this.failedTask = task;
		// If an end has failed before, its cause remains.
		if (this.endCause == null) {
			this.endCause = cause;
		}
		end();
	}

	/*
	 * Called by any thread: end the state of the key, because a task may have been lost
	 * before it was enqueued.
	 */
	void fail(Throwable cause) {
		this.endCause = cause;
		this.mailbox.requestCheck();
	}

	/* The cause is set before, so that the end is repeated if it fails. */
	private void end() {
		Throwable cause = Objects.requireNonNull(this.endCause);
		Mailbox.Task failed = this.failedTask;
		if (failed != null) {
			failed.abort(cause);
			this.failedTask = null;
		}
		endState(cause);
		this.endCause = null;
		context().reportEnded(this.key, cause);
	}

	@Override
	public void processDue() {
		if (this.endCause != null) {
			end();
		}
		try {
			long now = context().now();
			for (Unanswered call : this.calls) {
				if (call.overdue - now <= 0) {
					call.stopWaiting();
				}
			}
			processDueState(now);
		}
		catch (Throwable ex) {
			// First, because the following call may fail for the same reason.
			this.endCause = ex;
			end();
		}
		settle();
	}

	/* Let the watchdog look at the key when something is due. */
	@Override
	public void settle() {
		long due = due();
		for (Unanswered call : this.calls) {
			due = Alarm.earlier(due, call.overdue);
		}
		context().watchdog.set(this.alarm, due);
	}

	/* A key that is not used any more retires, and the next caller joins a new one. */
	@Override
	public void onIdle() {
		settle();
		if (!this.retired && !hasState() && this.calls.isEmpty() && this.endCause == null) {
			// First, because a caller that finds a retired key looks for another one.
			this.keys.remove(this);
			this.retired = true;
			this.alarm.tasks = null;
		}
	}

	boolean isRetired() {
		return this.retired;
	}

	/* The commands that have no answer yet. */
	List<Unanswered> calls() {
		return this.calls;
	}

	/* A command is sent, and has no answer yet. */
	void expectAnswer(Unanswered call) {
		this.calls = with(this.calls, call);
	}

	/* A command was answered. */
	void endCall(Unanswered ended) {
		this.calls = without(this.calls, ended);
	}

	/*
	 * End what an attempt may have in the store until this time, and keep the key from
	 * other callers for a while. No caller waits for the answer.
	 */
	void undo(AttemptId id, long lastToken, long until, Duration keep) {
		ReleaseCommand command = new ReleaseCommand(this.key, id, lastToken, keep, null, context().defaults.timeout());
		context().repeats.begin(new Undo(this.key, ReleaseCommand.NONE, until, () -> command));
	}

	/* Return a copy of a list with one more element. */
	static <E> List<E> with(List<E> list, E element) {
		if (list.isEmpty()) {
			return List.of(element);
		}
		List<E> more = new ArrayList<>(list);
		more.add(element);
		return List.copyOf(more);
	}

	/* Return a copy of a list without an element, which it may not contain. */
	static <E> List<E> without(List<E> list, E element) {
		if (list.size() <= 1) {
			return list.contains(element) ? List.of() : list;
		}
		List<E> rest = new ArrayList<>(list);
		rest.remove(element);
		return List.copyOf(rest);
	}

	/**
	 * The keys of an engine. Thread-safe.
	 */
	interface Keys {

		EngineContext context();

		/* Let a caller join its key. */
		void join(Waiter waiter);

		/* A key has retired. */
		void remove(KeyTasks retired);

		/* Let the watchdog continue a key. Never throws. */
		void callWatchdog(KeyTasks stalled);

	}

	/**
	 * A command that has no answer yet.
	 */
	abstract static class Unanswered extends Mailbox.Task {

		/** The time from which the store has broken its promise. */
		long overdue;

		/* Continue as if the store had answered that the outcome is unknown. */
		abstract void stopWaiting();

	}

	private static final class Action extends Mailbox.Task {

		private final Runnable action;

		private final @Nullable CompletableFuture<?> done;

		private Action(Runnable action, @Nullable CompletableFuture<?> done) {
			this.action = action;
			this.done = done;
		}

		@Override
		void run() {
			this.action.run();
		}

		@Override
		void abort(Throwable cause) {
			if (this.done != null) {
				this.done.completeExceptionally(cause);
			}
		}

	}

	/**
	 * The only alarm of a key. It does not keep a retired key reachable.
	 */
	private static final class KeyAlarm extends Alarm {

		private volatile @Nullable KeyTasks tasks;

		private KeyAlarm(KeyTasks tasks) {
			this.tasks = tasks;
		}

		@Override
		boolean isObsolete() {
			return this.tasks == null;
		}

		@Override
		void fire(long now) {
			KeyTasks tasks = this.tasks;
			if (tasks != null) {
				tasks.mailbox.requestCheck();
			}
		}

	}

}
