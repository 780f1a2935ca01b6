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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * A caller on its way to a lock. Ends once, with an {@link Outcome}. As an effect it
 * hears of that.
 */
final class Waiter extends Steps.Effect {

	private static final long SHORTEST_PARK = TimeUnit.MILLISECONDS.toNanos(1);

	/* As long as a connection may take to be opened again. */
	private static final long RECONNECTING = TimeUnit.SECONDS.toNanos(2);

	/* Of a time-out, below which no command is sent. */
	private static final int SHORTEST_SHARE = 4;

	/** The key as the caller named it. */
	final LockKey key;

	final Kind kind;

	/** Whether it has said that it writes. */
	private final boolean writes;

	final Terms terms;

	final HoldRules rules;

	final long start;

	/** The thread that waits; null for an asynchronous caller. */
	final @Nullable Thread thread;

	/** Nanoseconds: zero tries once, negative waits without end. */
	private final long wait;

	/** Told of the outcome where no thread waits. */
	private final @Nullable Consumer<Outcome> whenDone;

	/*
	 * The rest is guarded by the cohort's lock, but for the outcome, which the waiting
	 * thread reads.
	 */
	@Nullable Waiter previous;

	@Nullable Waiter next;

	/** Who has left its queue before it in the same step. */
	@Nullable Waiter removedBefore;

	boolean queued;

	volatile @Nullable Cohort cohort;

	/** Whether this caller knows that somebody else has the key. */
	boolean answered;

	TimerWheel.@Nullable Alarm alarm;

	/** What it will be told when the step has happened. */
	@Nullable Outcome decided;

	private volatile @Nullable Outcome outcome;

	Waiter(LockKey key, Kind kind, boolean writes, Terms terms, HoldRules rules, long wait, long start,
			@Nullable Thread thread, @Nullable Consumer<Outcome> whenDone) {
		this.key = key;
		this.kind = kind;
		this.writes = writes;
		this.terms = terms;
		this.rules = rules;
		this.wait = wait;
		this.start = start;
		this.thread = thread;
		this.whenDone = whenDone;
	}

	Mode mode() {
		return Kinds.mode(this.kind, this.writes);
	}

	boolean once() {
		return this.wait == 0;
	}

	/* What is left of the wait; for ever where it is without end. */
	long left(long now) {
		return (this.wait < 0) ? Long.MAX_VALUE : this.wait - (now - this.start);
	}

	/*
	 * What is left of the time in which it waits for a lost connection to the store: of
	 * its wait, and at most as long as that may take.
	 */
	long connecting(long now) {
		return ((this.wait < 0) ? RECONNECTING : Math.min(this.wait, RECONNECTING)) - (now - this.start);
	}

	/* What is left of the time in which it is owed a first answer. */
	long unanswered(long now) {
		return this.start + this.terms.timeout().toNanos() - now;
	}

	/*
	 * Whether the store would not have long enough for that. One that is well answers
	 * sooner, and whoever misses an answer takes the connection for dead.
	 */
	boolean isTooLate(long now) {
		return unanswered(now) < this.terms.timeout().toNanos() / SHORTEST_SHARE;
	}

	/*
	 * How long an answer to it may take; zero or less where it has got a late one, and
	 * waits for another.
	 */
	long mayTake(long now) {
		long left = unanswered(now);
		return (left > 0) ? Math.max(left, this.terms.timeout().toNanos() / SHORTEST_SHARE) : left;
	}

	/*
	 * What is left until it gives up by itself: while it has had no answer, as much again
	 * as that may take, for a store that breaks its promise.
	 */
	long patience(Core core, long now) {
		return this.answered ? left(now) : this.start + 2 * this.terms.timeout().toNanos()
				+ this.terms.trial().toNanos() + Math.max(core.connecting(), connecting(this.start)) - now;
	}

	/* Wait on the calling thread, parked, until there is an outcome. */
	Outcome await(Core core) {
		boolean interrupted = false;
		try {
			Outcome outcome = this.outcome;
			while (outcome == null) {
				if (Thread.interrupted()) {
					interrupted = true;
					leave(new InterruptedException("Interrupted while waiting for lock '" + this.key + "'"));
				}
				else {
					park(core);
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

	/* The watchdog ends waits; a caller whose time is over looks for itself as well. */
	private void park(Core core) {
		long now = core.now();
		long patience = Math.max(patience(core, now), 0);
		long left = left(now);
		if (left <= 0 || patience == 0) {
			step((cohort) -> cohort.overdue(this, now));
		}
		if (this.outcome == null) {
			core.system().park(this, Math.max((left > 0) ? Math.min(left, patience) : patience, SHORTEST_PARK));
		}
	}

	/* Hear of the outcome. */
	@Override
	void proceed() {
		Outcome outcome = Objects.requireNonNull(this.decided);
		this.outcome = outcome;
		Consumer<Outcome> whenDone = this.whenDone;
		if (whenDone != null) {
			whenDone.accept(outcome);
		}
		else {
			Objects.requireNonNull(this.cohort).core().system().unpark(Objects.requireNonNull(this.thread));
		}
	}

	/* What it was granted, maybe without having heard of it. Part of a step. */
	@Nullable LockHandle granted() {
		return (this.decided instanceof Outcome.Granted granted) ? granted.handle() : null;
	}

	/* Rings when its time is over. */
	TimerWheel.Alarm newAlarm() {
		return new TimerWheel.Alarm() {

			@Override
			public void proceed(long now) {
				step((cohort) -> cohort.overdue(Waiter.this, now));
			}

		};
	}

	/* Give up, unless it has its outcome already. */
	void leave(Throwable cause) {
		step((cohort) -> cohort.leave(this, cause));
	}

	/* Its caller has failed and is there no more, whatever it was granted meanwhile. */
	void abandon(Throwable cause) {
		Cohort cohort = this.cohort;
		if (cohort != null) {
			cohort.abandon(this, cause);
		}
	}

	/* Take a step of its cohort. */
	private void step(Consumer<Cohort> step) {
		Cohort cohort = this.cohort;
		if (cohort != null) {
			cohort.change(() -> step.accept(cohort));
		}
	}

	/**
	 * How a wait ended.
	 */
	sealed interface Outcome {

		/** The caller has the lock. */
		record Granted(LockHandle handle) implements Outcome {

		}

		/**
		 * Somebody else has it.
		 *
		 * @param holder label of the holder, null where unknown
		 * @param remaining the rest of its lease unless that is renewed, null where
		 * unknown
		 */
		record Refused(@Nullable String holder, @Nullable Duration remaining) implements Outcome {

			static final Refused UNKNOWN = new Refused(null, null);

		}

		/** The store or the engine failed, or the caller gave up. */
		record Failed(Throwable cause) implements Outcome {

		}

	}

}
