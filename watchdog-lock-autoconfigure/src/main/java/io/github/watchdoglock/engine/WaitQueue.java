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
import java.util.function.Predicate;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a cohort who have no outcome yet, in order of arrival; any of them can
 * leave in constant time. Everything is part of a step of the cohort.
 */
final class WaitQueue implements Steps.Revertible {

	private final Core core;

	private final Steps steps;

	private @Nullable Waiter head;

	private @Nullable Waiter tail;

	private int size;

	/** Those who have left in the step of now, the last one first. */
	@Nullable Waiter removed;

	WaitQueue(Core core, Steps steps) {
		this.core = core;
		this.steps = steps;
	}

	boolean isEmpty() {
		return this.head == null;
	}

	int size() {
		return this.size;
	}

	/* The caller whose turn comes next; there must be one. */
	Waiter first() {
		return Objects.requireNonNull(this.head);
	}

	/* Whether anybody waits, rather than trying once. */
	boolean anyPatient() {
		Waiter waiter = this.head;
		while (waiter != null && waiter.once()) {
			waiter = waiter.next;
		}
		return waiter != null;
	}

	/* Who has waited the longest for an answer; null if all have had one. */
	@Nullable Waiter firstUnanswered() {
		Waiter waiter = this.head;
		while (waiter != null && waiter.answered) {
			waiter = waiter.next;
		}
		return waiter;
	}

	/*
	 * How long the store may take: less where somebody has waited for its answer before.
	 */
	Duration mayTake(Terms terms, long now) {
		Waiter first = firstUnanswered();
		Duration timeout = terms.timeout();
		long left = (first != null) ? first.mayTake(now) : 0;
		return (left > 0 && left < timeout.toNanos()) ? Duration.ofNanos(left) : timeout;
	}

	/* Visit all; the visitor may end the wait of the one it is shown. */
	void forEach(Consumer<Waiter> visitor) {
		Waiter waiter = this.head;
		while (waiter != null) {
			Waiter next = waiter.next;
			visitor.accept(waiter);
			waiter = next;
		}
	}

	void grant(Waiter waiter, LockHandle handle) {
		end(waiter, new Waiter.Outcome.Granted(handle));
	}

	/* Everybody hears that somebody else has the key. */
	void allKnow(Waiter.Outcome.Refused refusal, long now) {
		forEach((waiter) -> known(waiter, refusal, now));
	}

	/*
	 * The store answers, though others first: for whom it is too late to ask waits for
	 * its turn.
	 */
	void lateKnow(long now) {
		forEach((waiter) -> {
			if (!waiter.answered && waiter.isTooLate(now)) {
				known(waiter, Waiter.Outcome.Refused.UNKNOWN, now);
			}
		});
	}

	/* A caller hears that somebody else has the key. */
	void known(Waiter waiter, Waiter.Outcome.Refused refusal, long now) {
		boolean news = !waiter.answered;
		waiter.answered = true;
		if (waiter.left(now) <= 0) {
			refuse(waiter, refusal, LockListener.Outcome.TIMEOUT);
		}
		else if (news) {
			watch(waiter, now);
		}
	}

	/* Ring when it is over with its patience. */
	void watch(Waiter waiter, long now) {
		long patience = waiter.patience(this.core, now);
		if (patience == Long.MAX_VALUE) {
			cancel(waiter);
		}
		else {
			TimerWheel.Alarm alarm = waiter.alarm;
			if (alarm == null) {
				alarm = waiter.newAlarm();
				waiter.alarm = alarm;
			}
			this.core.watchdog().set(alarm, now + patience);
		}
	}

	private void cancel(Waiter waiter) {
		TimerWheel.Alarm alarm = waiter.alarm;
		if (alarm != null) {
			this.core.watchdog().cancel(alarm);
		}
	}

	/* Set all alarms anew. */
	void lookAgain(long now) {
		forEach((waiter) -> watch(waiter, now));
	}

	/* The store failed; who has had an answer before waits on. */
	void allUnansweredFail(Throwable cause) {
		unansweredFail(cause, (waiter) -> true);
	}

	/* The same, of those for whom it is too late to ask again then. */
	void unansweredFail(Throwable cause, long then) {
		unansweredFail(cause, (waiter) -> waiter.isTooLate(then));
	}

	/*
	 * There is no connection to the store. A caller with wait time left waits until one
	 * is opened; the others fail, unless it is not too late to ask again then. Return how
	 * long to leave the store alone, which no caller waits for in vain.
	 */
	long disconnected(Throwable cause, long now, long pause, boolean known) {
		unansweredFail(cause, (waiter) -> waiter.connecting(now) <= 0 && (known || waiter.isTooLate(now + pause)));
		long shortest = pause;
		for (Waiter waiter = this.head; waiter != null; waiter = waiter.next) {
			long left = waiter.connecting(now);
			if (!waiter.answered && left > 0 && left < shortest) {
				shortest = left;
			}
		}
		return shortest;
	}

	private void unansweredFail(Throwable cause, Predicate<Waiter> failing) {
		forEach((waiter) -> {
			if (!waiter.answered && failing.test(waiter)) {
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
		if (end(waiter, outcome)) {
			Duration waited = Duration.ofNanos(this.core.now() - waiter.start);
			this.steps.afterwards(() -> this.core.events().notAcquired(waiter.key, waiter.mode(), kind, waited));
		}
	}

	private boolean end(Waiter waiter, Waiter.Outcome outcome) {
		if (!waiter.queued) {
			return false;
		}
		cancel(waiter);
		remove(waiter);
		waiter.decided = outcome;
		this.steps.leave(waiter);
		return true;
	}

	/* Calls nothing, so that it can't fail half-way; the next two neither. */
	void add(Waiter waiter) {
		waiter.queued = true;
		waiter.previous = this.tail;
		if (this.tail != null) {
			this.tail.next = waiter;
		}
		else {
			this.head = waiter;
		}
		this.tail = waiter;
		this.size++;
	}

	/* It keeps its neighbours until the step has happened. */
	void remove(Waiter waiter) {
		waiter.queued = false;
		if (waiter.previous != null) {
			waiter.previous.next = waiter.next;
		}
		else {
			this.head = waiter.next;
		}
		if (waiter.next != null) {
			waiter.next.previous = waiter.previous;
		}
		else {
			this.tail = waiter.previous;
		}
		waiter.removedBefore = this.removed;
		this.removed = waiter;
		this.size--;
	}

	/* Nobody is in it, or ever was. */
	void clear() {
		for (Waiter waiter = this.removed; waiter != null; waiter = waiter.removedBefore) {
			waiter.decided = null;
		}
		for (Waiter waiter = this.head; waiter != null; waiter = waiter.next) {
			waiter.queued = false;
		}
	}

	@Override
	public void save(Steps.Guard guard) {
		guard.keep(this);
	}

	@Override
	public Object copy() {
		WaitQueue copy = new WaitQueue(this.core, this.steps);
		copy.head = this.head;
		copy.tail = this.tail;
		copy.size = this.size;
		return copy;
	}

	/*
	 * Who has left is back between its neighbours, the last one first; who came is not.
	 */
	@Override
	public void revert(Object before) {
		WaitQueue queue = (WaitQueue) before;
		while (this.removed != null) {
			Waiter waiter = this.removed;
			this.removed = waiter.removedBefore;
			waiter.removedBefore = null;
			waiter.decided = null;
			waiter.queued = true;
			if (waiter.previous != null) {
				waiter.previous.next = waiter;
			}
			else {
				this.head = waiter;
			}
			if (waiter.next != null) {
				waiter.next.previous = waiter;
			}
		}
		Waiter come = (queue.tail != null) ? queue.tail.next : this.head;
		for (; come != null; come = come.next) {
			come.queued = false;
		}
		if (queue.tail != null) {
			queue.tail.next = null;
		}
		this.head = queue.head;
		this.tail = queue.tail;
		this.size = queue.size;
	}

}
