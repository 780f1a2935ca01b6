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
import java.util.function.BiConsumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one key inside this instance: at most one hold, one attempt, one queue.
 * Everything happens in {@link Steps}; methods other than {@link #change} and
 * {@link #join} are parts of one.
 */
final class Cohort {

	final LockKey key;

	private final Cohorts all;

	private final Steps steps;

	/** Gone while it is empty. */
	private @Nullable WaitingRoom room;

	private boolean retired;

	private @Nullable Attempt attempt;

	/** The hold of now, and through it the grant; also while its release must wait. */
	private @Nullable Hold hold;

	Cohort(LockKey key, Cohorts all) {
		this.key = key;
		this.all = all;
		this.steps = new Steps(all.lockOf(key));
	}

	Core core() {
		return this.all.core;
	}

	/* Who waits; to be asked for anew in each step. */
	WaitingRoom room() {
		WaitingRoom room = this.room;
		if (room == null) {
			room = new WaitingRoom(core(), this.steps);
			this.room = room;
		}
		return room;
	}

	boolean isAwaited() {
		return this.room != null && !this.room.isEmpty();
	}

	/* The hold of now; null when it has ended, even if the store is still to be told. */
	@Nullable Hold hold() {
		return (this.hold != null && this.hold.isOpen()) ? this.hold : null;
	}

	/* The hold that a grant serves now. */
	@Nullable Hold hold(Grant grant) {
		Hold hold = hold();
		return (hold != null && hold.grant == grant) ? hold : null;
	}

	/* Take a step, then run what it has left to do afterwards. */
	void change(Runnable step) {
		this.steps.take(step, this::tidy);
	}

	private void tidy() {
		if (isAwaited()) {
			return;
		}
		this.room = null;
		if (!this.retired && this.hold == null && this.attempt == null) {
			this.retired = true;
			this.all.remove(this);
		}
	}

	void afterwards(Runnable action) {
		this.steps.afterwards(action);
	}

	/* Tell listeners of the hold of now. */
	void tell(BiConsumer<LockListener, Hold> news) {
		Hold hold = hold();
		if (hold != null) {
			afterwards(() -> news.accept(core().events(), hold));
		}
	}

	/* Let a caller in, unless this cohort has gone: there is a new one then. */
	boolean join(Waiter waiter) {
		change(() -> {
			if (!this.retired) {
				waiter.cohort = this;
				room().add(waiter);
				Reception.welcome(this, waiter, core().now());
			}
		});
		return waiter.cohort == this;
	}

	/* Who has the key as far as is known; null while nothing is. */
	@Nullable Busyness busy(long now) {
		Hold hold = this.hold;
		if (hold != null) {
			return new Busyness(core().label(hold.holders.thread()), hold.remaining(now));
		}
		return (this.attempt != null) ? this.attempt.busy() : null;
	}

	/* Do what can be done to get the key. */
	void pursue() {
		Attempt attempt = this.attempt;
		if (attempt == null) {
			attempt = new Attempt(this, core().nextAttempt());
			this.attempt = attempt;
		}
		attempt.urge();
	}

	/* What an attempt had is over, unnoticed: who waits does so with another one. */
	void beginAnew(Attempt ended) {
		if (this.attempt == ended) {
			vacate(null);
		}
	}

	boolean pursues(Attempt attempt) {
		return this.attempt == attempt;
	}

	/*
	 * A caller has its turn, after another one of this instance or not. It is woken
	 * first: all others who wait do so for it.
	 */
	void occupy(Grant grant, Waiter waiter, long token, @Nullable Release before) {
		long now = core().now();
		Hold hold = new Hold(grant, waiter, token, now);
		this.attempt = null;
		this.hold = hold;
		core().drain().begin();
		room().grant(waiter, hold.handle((waiter.thread != null) ? hold.rules.onLoss() : null));
		if (before != null) {
			before.handOn();
		}
		tell((listener, held) -> listener.acquired(held.key, held.token, Duration.ofNanos(now - waiter.start)));
	}

	/* The hold has ended; the next attempt may have been begun with that. */
	void vacate(@Nullable Attempt next) {
		this.hold = null;
		this.attempt = next;
		if (isAwaited()) {
			pursue();
		}
	}

	/* End the attempt if nobody waits for it any more. */
	boolean endIfUnwanted() {
		Attempt attempt = this.attempt;
		if (attempt == null || isAwaited()) {
			return false;
		}
		this.attempt = null;
		attempt.end();
		return true;
	}

	/* The attempt of now if it has this id. */
	@Nullable Attempt attempt(AttemptId id) {
		return (this.attempt != null && this.attempt.id.equals(id)) ? this.attempt : null;
	}

	/* The grant of now, or the one that is being given back, if it has this id. */
	@Nullable Grant grant(AttemptId id) {
		return (this.hold != null && this.hold.grant.is(id)) ? this.hold.grant : null;
	}

	/*
	 * End whatever an attempt of ours has in the store until some moment; nobody waits
	 * for the answer.
	 */
	void undo(AttemptId id, long lastToken, long until) {
		afterwards(Undo.of(this, id, lastToken, until)::send);
	}

}
