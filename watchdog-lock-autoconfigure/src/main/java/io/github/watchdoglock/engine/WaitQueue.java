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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.watchdoglock.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one key that have no outcome yet, in order of arrival. It belongs to the
 * tasks of the key.
 */
final class WaitQueue {

	private final KeyTasks tasks;

	/* Usually one, for a moment. */
	private final Deque<Waiter> waiters = new ArrayDeque<>(2);

	/** The earliest time at which the time of one of them ends. */
	private long due = Alarm.NEVER;

	WaitQueue(KeyTasks tasks) {
		this.tasks = tasks;
	}

	boolean isEmpty() {
		return this.waiters.isEmpty();
	}

	int size() {
		return this.waiters.size();
	}

	/* Return the caller whose turn is next; there must be one. */
	Waiter first() {
		return this.waiters.getFirst();
	}

	/* Whether any of them waits, instead of trying once. */
	boolean anyWaits() {
		for (Waiter waiter : this.waiters) {
			if (!waiter.triesOnce()) {
				return true;
			}
		}
		return false;
	}

	/*
	 * Return a caller for which it is too late to ask the store, and that does not wait
	 * for a connection; null if there is none.
	 */
	@Nullable Waiter firstLate(long now) {
		for (Waiter waiter : this.waiters) {
			if (!waiter.toldBusy && waiter.isTooLate(now) && waiter.leftForConnection(now) <= 0) {
				return waiter;
			}
		}
		return null;
	}

	/*
	 * How long the store may take for a command: less than the timeout if a caller has
	 * waited for its answer before. A caller whose time for an answer has ended, for
	 * example because it waits for a connection, sets no limit.
	 */
	Duration answerTimeout(LeaseTiming timing, long now) {
		long least = timing.timeout().toNanos();
		for (Waiter waiter : this.waiters) {
			long left = waiter.toldBusy ? 0 : waiter.answerTimeout(now);
			if (left > 0 && left < least) {
				least = left;
			}
		}
		return (least < timing.timeout().toNanos()) ? Duration.ofNanos(least) : timing.timeout();
	}

	/* Visit all. The visitor may end waits. */
	void forEach(Consumer<Waiter> visitor) {
		for (Waiter waiter : List.copyOf(this.waiters)) {
			if (waiter.inQueue) {
				visitor.accept(waiter);
			}
		}
	}

	void grant(Waiter waiter, Waiter.Outcome.Granted outcome) {
		end(waiter, outcome);
	}

	/* Tell all that another caller has the key. */
	void tellAllBusy(Supplier<Waiter.Outcome.Refused> refusal, long now) {
		forEach((waiter) -> tellBusy(waiter, refusal, now));
	}

	/*
	 * The store answers, but other callers are first: a caller for which it is too late
	 * to ask waits for its turn.
	 */
	void tellLateBusy(long now) {
		forEach((waiter) -> {
			if (!waiter.toldBusy && waiter.isTooLate(now)) {
				tellBusy(waiter, Waiter.Outcome.Refused.unknown(), now);
			}
		});
	}

	/* Tell a caller that another one has the key; refuse it if its time has ended. */
	void tellBusy(Waiter waiter, Supplier<Waiter.Outcome.Refused> refusal, long now) {
		boolean first = !waiter.toldBusy;
		waiter.toldBusy = true;
		if (waiter.left(now) <= 0) {
			refuse(waiter, refusal.get(), LockListener.Outcome.TIMEOUT);
		}
		else if (first) {
			watch(waiter, now);
		}
	}

	/*
	 * Look at a caller again when its patience has ended. A thread that does not know
	 * that another caller has the key looks itself.
	 */
	void watch(Waiter waiter, long now) {
		if (waiter.thread != null && !waiter.toldBusy) {
			return;
		}
		long timeToGiveUp = waiter.timeToGiveUp(this.tasks.context(), now);
		if (timeToGiveUp != Long.MAX_VALUE) {
			this.due = Alarm.earlier(this.due, now + timeToGiveUp);
		}
	}

	long due() {
		return this.due;
	}

	/* Visit the callers whose time has ended. */
	void endOverdue(long now, Consumer<Waiter> overdue) {
		if (Alarm.isBefore(now, this.due)) {
			return;
		}
		this.due = Alarm.NEVER;
		forEach((waiter) -> {
			if (waiter.timeToGiveUp(this.tasks.context(), now) <= 0) {
				overdue.accept(waiter);
			}
			else {
				watch(waiter, now);
			}
		});
	}

	/*
	 * The store has failed. Callers that know that another one has the key continue to
	 * wait; the others fail.
	 */
	void failAllUntold(Throwable cause) {
		failUntold(cause, (waiter) -> true);
	}

	/*
	 * The same, only for callers for which it will be too late to ask again at this time.
	 */
	void failUntold(Throwable cause, long then) {
		failUntold(cause, (waiter) -> waiter.isTooLate(then));
	}

	/*
	 * There is no connection to the store. A caller with wait time left waits until one
	 * is opened; the others fail, unless there is still time to ask again after the
	 * pause. Return the pause before the store is asked again, which is no longer than
	 * such a caller can wait.
	 */
	long disconnected(Throwable cause, long now, long pause, boolean known) {
		failUntold(cause, (waiter) -> waiter.leftForConnection(now) <= 0 && (known || waiter.isTooLate(now + pause)));
		long shortest = pause;
		for (Waiter waiter : this.waiters) {
			long left = waiter.leftForConnection(now);
			if (!waiter.toldBusy && left > 0 && left < shortest) {
				shortest = left;
			}
		}
		return shortest;
	}

	private void failUntold(Throwable cause, Predicate<Waiter> failing) {
		forEach((waiter) -> {
			if (!waiter.toldBusy && failing.test(waiter)) {
				fail(waiter, cause);
			}
		});
	}

	/* A caller gives up, unless it has its outcome already. */
	void leave(Waiter waiter, Throwable cause) {
		refuse(waiter, new Waiter.Outcome.Failed(cause), LockListener.Outcome.INTERRUPTED);
	}

	void fail(Waiter waiter, Throwable cause) {
		refuse(waiter, new Waiter.Outcome.Failed(cause), LockListener.Outcome.ERROR);
	}

	private void refuse(Waiter waiter, Waiter.Outcome outcome, LockListener.Outcome kind) {
		if (waiter.inQueue && waiter.isHandedOver()) {
			// An error has left it in the queue.
			remove(waiter);
		}
		else if (waiter.inQueue) {
			end(waiter, outcome);
			this.tasks.context().events.notAcquired(waiter.key, waiter.mode, kind,
					this.tasks.context().now() - waiter.start);
		}
	}

	/*
	 * The waiter leaves the queue after its notification was handed over, so that a
	 * failure before that does not lose the waiter.
	 */
	private void end(Waiter waiter, Waiter.Outcome outcome) {
		waiter.decide(outcome, this.tasks.mailbox);
		remove(waiter);
	}

	void add(Waiter waiter) {
		waiter.inQueue = true;
		this.waiters.add(waiter);
	}

	private void remove(Waiter waiter) {
		waiter.inQueue = false;
		this.waiters.remove(waiter);
		if (isEmpty()) {
			this.due = Alarm.NEVER;
		}
	}

}
