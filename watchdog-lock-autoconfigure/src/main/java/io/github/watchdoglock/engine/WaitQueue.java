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
import io.github.watchdoglock.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a cohort who have no outcome yet, in order of arrival; any of them can
 * leave in constant time. Everything is part of a step of the cohort.
 */
final class WaitQueue {

	private final Core core;

	private final Steps steps;

	private @Nullable Waiter head;

	private @Nullable Waiter tail;

	private int size;

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

	/* A caller hears that somebody else has the key. */
	void known(Waiter waiter, Waiter.Outcome.Refused refusal, long now) {
		waiter.answered = true;
		long left = waiter.left(now);
		if (left <= 0) {
			refuse(waiter, refusal, LockListener.Outcome.TIMEOUT);
		}
		else if (waiter.alarm == null && left != Long.MAX_VALUE) {
			waiter.alarm = waiter.newAlarm();
			this.core.watchdog().set(waiter.alarm, now + left);
		}
	}

	/* The store failed; who has had an answer before waits on. */
	void allUnansweredFail(Throwable cause) {
		forEach((waiter) -> {
			if (!waiter.answered) {
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
			this.steps.afterwards(() -> this.core.events().notAcquired(waiter.key, kind, waited));
		}
	}

	private boolean end(Waiter waiter, Waiter.Outcome outcome) {
		if (!remove(waiter)) {
			return false;
		}
		if (waiter.alarm != null) {
			this.core.watchdog().cancel(waiter.alarm);
		}
		this.steps.afterwards(waiter.end(outcome, this.core.system()));
		return true;
	}

	void add(Waiter waiter) {
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

	/* Take a caller out, unless it is not in the queue (any more): then false. */
	private boolean remove(Waiter waiter) {
		if (waiter.previous == null && this.head != waiter) {
			return false;
		}
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
		waiter.previous = null;
		waiter.next = null;
		this.size--;
		return true;
	}

}
