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
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * A caller on its way to a lock. Ends once, with an {@link Outcome}.
 */
final class Waiter {

	/** The key as the caller named it. */
	final LockKey key;

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

	volatile @Nullable Cohort cohort;

	/** Whether this caller knows that somebody else has the key. */
	boolean answered;

	TimerWheel.@Nullable Alarm alarm;

	private volatile @Nullable Outcome outcome;

	Waiter(LockKey key, Terms terms, HoldRules rules, long wait, long start, @Nullable Thread thread,
			@Nullable Consumer<Outcome> whenDone) {
		this.key = key;
		this.terms = terms;
		this.rules = rules;
		this.wait = wait;
		this.start = start;
		this.thread = thread;
		this.whenDone = whenDone;
	}

	boolean once() {
		return this.wait == 0;
	}

	/* What is left of the wait; for ever where it is without end. */
	long left(long now) {
		return (this.wait < 0) ? Long.MAX_VALUE : this.wait - (now - this.start);
	}

	/* Wait on the calling thread, parked, until there is an outcome. */
	Outcome await(Core core) {
		boolean interrupted = false;
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
		boolean told = outcome instanceof Outcome.Failed failed && failed.cause() instanceof InterruptedException;
		if (!told) {
			core.heardFromStore();
		}
		if (interrupted && !told) {
			Thread.currentThread().interrupt();
		}
		return outcome;
	}

	/* The watchdog ends waits; a caller whose time is over looks for itself as well. */
	private void park(Core core) {
		long now = core.now();
		long left = left(now);
		if (left == Long.MAX_VALUE) {
			core.system().park(this, Long.MAX_VALUE);
			return;
		}
		long limit = left + 2 * this.terms.timeout().toNanos() + this.terms.trial().toNanos() + core.connecting();
		step((cohort) -> {
			if (left <= 0) {
				cohort.overdue(this, now);
			}
			if (limit <= 0) {
				cohort.fail(this, new OutcomeUnknownException(
						"The store did not answer for lock '" + this.key + "' within its time-out", null));
			}
		});
		if (this.outcome == null) {
			core.system().park(this, (left > 0) ? left : limit);
		}
	}

	/* Set the outcome; what this gives is to be run without a lock. */
	Runnable end(Outcome outcome, Threads threads) {
		this.outcome = outcome;
		Consumer<Outcome> whenDone = this.whenDone;
		return (whenDone != null) ? () -> whenDone.accept(outcome)
				: () -> threads.unpark(Objects.requireNonNull(this.thread));
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

	/* Take a step of its cohort. */
	void step(Consumer<Cohort> step) {
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
