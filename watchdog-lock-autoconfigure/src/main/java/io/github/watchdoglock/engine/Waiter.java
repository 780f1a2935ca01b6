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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.store.AttemptId.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A caller that waits for a lock. It gets one {@link Outcome}. As a task, it joins its
 * key, or gives up.
 * <p>
 * Its times, from its start, in the order of their usual lengths:
 * <ul>
 * <li>3/4 of the command timeout: no command is sent for it alone any more
 * ({@link #isTooLate});
 * <li>the command timeout: it needs a first answer ({@link #leftForAnswer});
 * <li>its wait time, at most 2 s: it waits for a lost connection
 * ({@link #leftForConnection});
 * <li>twice the command timeout, a trial and the time of connecting: it gives up without
 * any answer; its wait time: it gives up if it knows that another caller has the key
 * ({@link #timeToGiveUp}).
 * </ul>
 */
final class Waiter extends Mailbox.Task {

	private static final long MIN_PARK = TimeUnit.MILLISECONDS.toNanos(1);

	/* A thread may miss that it was woken if memory is exhausted. */
	private static final long MAX_PARK = TimeUnit.SECONDS.toNanos(30);

	/* The time that reopening a connection may take. */
	private static final long RECONNECTING = TimeUnit.SECONDS.toNanos(2);

	/* No command is sent if less than this part of its timeout (a quarter) is left. */
	private static final int MIN_SHARE = 4;

	private static final AtomicIntegerFieldUpdater<Waiter> IN_MAILBOX = AtomicIntegerFieldUpdater
		.newUpdater(Waiter.class, "inMailbox");

	/** The key as the caller named it. */
	final LockKey key;

	final Kind kind;

	final Mode mode;

	final LeaseTiming timing;

	final HoldRules rules;

	final long start;

	/** The owner of the handle; null for an asynchronous caller. */
	final ThreadHandles.@Nullable HoldingThread owner;

	/** The thread that waits; null for an asynchronous caller. */
	final @Nullable Thread thread;

	/** Nanoseconds: zero tries once, a negative number waits indefinitely. */
	private final long wait;

	/** Receives the outcome if no thread waits; must hand it over to another thread. */
	private final @Nullable Consumer<Outcome> whenDone;

	private volatile @Nullable Key lock;

	private volatile int inMailbox;

	/** The reason why the caller gives up; null while it does not. */
	private volatile @Nullable Throwable leaving;

	/** Whether it gives up because of an error. */
	private volatile boolean abandoned;

	/** Whether its thread has found that its time has ended. */
	private volatile boolean overdue;

	/** The outcome, from the moment when the caller may see it. */
	volatile @Nullable Outcome outcome;

	/* The following fields belong to the tasks of the key. */
	@Nullable Waiter nextWoken;

	private boolean joined;

	boolean inQueue;

	/** Whether it knows that another caller has the key. */
	boolean toldBusy;

	/** The outcome, which the caller receives after the task. */
	@Nullable Outcome decided;

	/*
	 * A caller writes if it requested the write lock, and not if it requested an
	 * exclusive lock.
	 */
	Waiter(LockKey key, Kind kind, LeaseTiming timing, HoldRules rules, long wait, long start,
			ThreadHandles.@Nullable HoldingThread owner, @Nullable Consumer<Outcome> whenDone) {
		this.key = key;
		this.kind = kind;
		this.mode = Kinds.mode(kind);
		this.timing = timing;
		this.rules = rules;
		this.wait = wait;
		this.start = start;
		this.owner = owner;
		this.thread = (owner != null) ? owner.thread : null;
		this.whenDone = whenDone;
	}

	boolean triesOnce() {
		return this.wait == 0;
	}

	/* The rest of the wait time; the maximum if it is indefinite. */
	long left(long now) {
		return (this.wait < 0) ? Long.MAX_VALUE : this.wait - (now - this.start);
	}

	/*
	 * The rest of the time for which it waits for a lost connection to the store: the
	 * wait time, limited to the time that reopening may take.
	 */
	long leftForConnection(long now) {
		return connectionWait() - (now - this.start);
	}

	private long connectionWait() {
		return (this.wait < 0) ? RECONNECTING : Math.min(this.wait, RECONNECTING);
	}

	/* The rest of the time within which it has to receive a first answer. */
	long leftForAnswer(long now) {
		return this.start + this.timing.timeout().toNanos() - now;
	}

	/*
	 * Whether too little of that time is left for the store. A healthy store answers
	 * sooner, and a missed answer makes the connection look dead.
	 */
	boolean isTooLate(long now) {
		return leftForAnswer(now) < this.timing.timeout().toNanos() / MIN_SHARE;
	}

	/*
	 * How long the store may take for its answer; zero or less if an earlier answer was
	 * late, and the caller waits for another one.
	 */
	long answerTimeout(long now) {
		long left = leftForAnswer(now);
		return (left > 0) ? Math.max(left, this.timing.timeout().toNanos() / MIN_SHARE) : left;
	}

	/*
	 * The rest of the time until it gives up by itself. Until it knows that another
	 * caller has the key, this includes the time of an answer once more, for a store that
	 * breaks its promise.
	 */
	long timeToGiveUp(EngineContext context, long now) {
		return this.toldBusy ? left(now) : this.start + 2 * this.timing.timeout().toNanos()
				+ this.timing.trial().toNanos() + Math.max(context.connecting(), connectionWait()) - now;
	}

	void join(Key lock) {
		this.lock = lock;
		this.inMailbox = 1;
		lock.mailbox().execute(this);
	}

	/* Give up, unless there is an outcome already. */
	void leave(Throwable cause) {
		this.leaving = cause;
		enqueue();
	}

	/* The caller has failed, and will not use a lock that it is granted. */
	void abandon(Throwable cause) {
		this.abandoned = true;
		leave(cause);
	}

	private void enqueue() {
		Key lock = this.lock;
		if (lock != null && this.inMailbox == 0 && IN_MAILBOX.compareAndSet(this, 0, 1)) {
			try {
				lock.mailbox().execute(this);
			}
			catch (Throwable ex) {
				this.inMailbox = 0;
				throw ex;
			}
		}
	}

	@Override
	void run() {
		Key lock = this.lock;
		if (lock == null) {
			return;
		}
		if (!this.joined) {
			this.joined = lock.join(this);
			if (!this.joined) {
				lock.joinAgain(this);
				return;
			}
		}
		// From now on it is enqueued again to leave. Before this, it would have been a
		// task of a key that has retired.
		this.inMailbox = 0;
		Throwable cause = this.leaving;
		Handle handle = granted();
		if (cause != null && this.abandoned && handle != null) {
			var unused = handle.closeAsync();
		}
		else if (cause != null) {
			lock.leave(this, cause);
		}
		else if (this.overdue) {
			this.overdue = false;
			lock.overdue(this);
		}
	}

	@Override
	void abort(Throwable cause) {
		if (!this.joined) {
			// It does not join again. This is not reset if it has joined, because it may
			// have been enqueued meanwhile.
			this.joined = true;
			this.inMailbox = 0;
		}
		Key lock = this.lock;
		if (lock != null && this.decided == null && !this.inQueue) {
			// It fails together with all callers that wait.
			lock.addAgain(this);
		}
	}

	/* Wait on the calling thread, parked, until there is an outcome. */
	Outcome await(EngineContext context) {
		boolean interrupted = false;
		try {
			Outcome outcome = this.outcome;
			while (outcome == null) {
				if (Thread.interrupted()) {
					interrupted = true;
					leave(new InterruptedException("Interrupted while waiting for lock '" + this.key + "'"));
				}
				else {
					park(context);
				}
				outcome = this.outcome;
			}
			if (outcome instanceof Outcome.Failed failed && failed.cause() instanceof InterruptedException) {
				interrupted = false;
			}
			return outcome;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/*
	 * The watchdog ends waits, but a thread whose time has ended also checks this itself.
	 */
	private void park(EngineContext context) {
		long now = context.now();
		// Its knowledge may be out of date here, so the wait time counts as well; the
		// task decides.
		long timeToGiveUp = Math.max(timeToGiveUp(context, now), 0);
		long left = left(now);
		if (left <= 0 || timeToGiveUp == 0) {
			this.overdue = true;
			enqueue();
		}
		if (this.outcome == null) {
			long most = Math.min(timeToGiveUp, MAX_PARK);
			context.threads.park(this, Math.max((left > 0) ? Math.min(left, most) : most, MIN_PARK));
		}
	}

	/*
	 * Called within a task: set the outcome. An asynchronous caller is notified at once,
	 * so that a failure of that is a failure of the task. A thread that runs the task
	 * itself is not parked.
	 */
	void decide(Outcome outcome, Mailbox mailbox) {
		if (this.whenDone != null) {
			this.decided = outcome;
			this.whenDone.accept(outcome);
			this.outcome = outcome;
		}
		else if (this.thread == Thread.currentThread()) {
			this.decided = outcome;
			this.outcome = outcome;
		}
		else {
			mailbox.wakeAfterwards(this);
			this.decided = outcome;
		}
	}

	/*
	 * Called within a task: whether it has received the decided outcome, or will receive
	 * it.
	 */
	boolean isHandedOver() {
		return ((this.whenDone != null) ? this.outcome : this.decided) != null;
	}

	/* Return the handle that it was granted, possibly without having received it. */
	@Nullable Handle granted() {
		return (this.decided instanceof Outcome.Granted granted) ? granted.handle() : null;
	}

	/**
	 * The key that a caller waits for. Methods are called within tasks of the key, unless
	 * they say otherwise.
	 */
	interface Key {

		/* Called by any thread. */
		Mailbox mailbox();

		/*
		 * A caller arrives. Return false if the key has retired: there is a new one then.
		 */
		boolean join(Waiter waiter);

		/* Join the new key after this one has retired. */
		void joinAgain(Waiter waiter);

		/* Add a caller that has lost its place in the queue because of an error. */
		void addAgain(Waiter waiter);

		/* A caller gives up, unless it has its outcome already. */
		void leave(Waiter waiter, Throwable cause);

		/* The time of a caller has ended. */
		void overdue(Waiter waiter);

	}

	/**
	 * The outcomes of a wait.
	 */
	sealed interface Outcome {

		/**
		 * The caller has the lock.
		 */
		record Granted(Handle handle) implements Outcome {

		}

		/**
		 * Another caller has it.
		 *
		 * @param holder label of the holder, null if unknown
		 * @param remaining the rest of its lease unless that is renewed, null if unknown
		 */
		record Refused(@Nullable String holder, @Nullable Duration remaining) implements Outcome {

			static final Refused UNKNOWN = new Refused(null, null);

			static Supplier<Refused> unknown() {
				return () -> UNKNOWN;
			}

		}

		/**
		 * The store or the engine failed, or the caller gave up.
		 */
		record Failed(Throwable cause) implements Outcome {

		}

	}

}
