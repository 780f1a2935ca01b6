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
import java.util.function.Consumer;

import io.github.watchdoglock.LockListener;

/**
 * The callers of a cohort who have no outcome yet. Everything is part of a step.
 */
final class WaitingRoom {

	private final Core core;

	private final Steps steps;

	private final WaitQueue queue = new WaitQueue();

	WaitingRoom(Core core, Steps steps) {
		this.core = core;
		this.steps = steps;
	}

	boolean isEmpty() {
		return this.queue.isEmpty();
	}

	int size() {
		return this.queue.size();
	}

	void add(Waiter waiter) {
		this.queue.add(waiter);
	}

	/* The caller whose turn comes next; there must be one. */
	Waiter first() {
		return this.queue.first();
	}

	/* Whether anybody waits, rather than trying once. */
	boolean anyPatient() {
		return this.queue.anyPatient();
	}

	/* Visit all; the visitor may end the wait of the one it is shown. */
	void forEach(Consumer<Waiter> visitor) {
		this.queue.forEach(visitor);
	}

	void grant(Waiter waiter, Handle handle) {
		end(waiter, new Waiter.Outcome.Granted(handle));
	}

	/* Everybody hears that somebody else has the key. */
	void allKnow(Busyness busy, long now) {
		this.queue.forEach((waiter) -> known(waiter, busy, now));
	}

	/* A caller hears that somebody else has the key. */
	void known(Waiter waiter, Busyness busy, long now) {
		waiter.answered = true;
		long left = waiter.left(now);
		if (left <= 0) {
			refuse(waiter, new Waiter.Outcome.Refused(busy), LockListener.Outcome.TIMEOUT);
		}
		else if (waiter.alarm == null && left != Long.MAX_VALUE) {
			waiter.alarm = waiter.newAlarm();
			this.core.watchdog().set(waiter.alarm, now + left);
		}
	}

	/* The store failed; who has had an answer before waits on. */
	void allUnansweredFail(Throwable cause) {
		this.queue.forEach((waiter) -> {
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
		if (!this.queue.remove(waiter)) {
			return false;
		}
		if (waiter.alarm != null) {
			this.core.watchdog().cancel(waiter.alarm);
		}
		this.steps.afterwards(waiter.end(outcome));
		return true;
	}

}
