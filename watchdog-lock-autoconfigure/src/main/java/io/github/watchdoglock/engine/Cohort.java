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
final class Cohort extends Steps {

	final LockKey key;

	private final Cohorts all;

	/** Gone while it is empty. */
	private @Nullable WaitingRoom room;

	private boolean retired;

	/** A hold also while its release must wait. */
	private @Nullable Standing standing;

	Cohort(LockKey key, Cohorts all) {
		super(all.lockOf(key));
		this.key = key;
		this.all = all;
	}

	Core core() {
		return this.all.core;
	}

	/* Who waits; to be asked for anew in each step. */
	WaitingRoom room() {
		WaitingRoom room = this.room;
		if (room == null) {
			room = new WaitingRoom(core(), this);
			this.room = room;
		}
		return room;
	}

	@Nullable Standing standing() {
		return this.standing;
	}

	boolean isAwaited() {
		return this.room != null && !this.room.isEmpty();
	}

	/* The hold of now; null when it has ended, even if the store is still to be told. */
	@Nullable Hold hold() {
		return (this.standing instanceof Hold hold && hold.isOpen()) ? hold : null;
	}

	/* The hold that a grant serves now. */
	@Nullable Hold hold(Grant grant) {
		Hold hold = hold();
		return (hold != null && hold.grant == grant) ? hold : null;
	}

	@Override
	void tidy() {
		if (isAwaited()) {
			return;
		}
		this.room = null;
		if (!this.retired && this.standing == null) {
			this.retired = true;
			this.all.remove(this);
		}
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
		if (this.standing instanceof Hold hold) {
			return new Busyness(core().label(hold.thread()), hold.remaining(now));
		}
		return (this.standing instanceof Attempt attempt) ? attempt.busy() : null;
	}

	/* Do what can be done to get the key. */
	void pursue() {
		if (this.standing == null) {
			this.standing = new Attempt(this, core().nextAttempt());
		}
		if (this.standing instanceof Attempt attempt) {
			attempt.urge();
		}
		else if (this.standing instanceof IdleGrant idle) {
			idle.take();
		}
	}

	boolean pursues(Attempt attempt) {
		return this.standing == attempt;
	}

	/*
	 * A caller has its turn, after another one of this instance or not. It is woken
	 * first: all others who wait do so for it.
	 */
	void occupy(Grant grant, Waiter waiter, long token, @Nullable Predecessor before) {
		long now = core().now();
		Hold hold = new Hold(grant, waiter, token, now);
		this.standing = hold;
		core().drain().begin();
		room().grant(waiter, hold.handle((waiter.thread != null) ? hold.rules.onLoss() : null));
		if (before != null) {
			before.handOn();
		}
		tell((listener, held) -> listener.acquired(held.key, held.token, Duration.ofNanos(now - waiter.start)));
	}

	/* Nothing is held, but kept for a while. */
	void rest(IdleGrant idle) {
		this.standing = idle;
	}

	/* What it had is over; the next attempt may have been begun with that. */
	void vacate(@Nullable Attempt next) {
		this.standing = next;
		if (isAwaited()) {
			pursue();
		}
	}

	/* End the attempt if nobody waits for it any more. */
	boolean endIfUnwanted() {
		if (!isAwaited() && this.standing instanceof Attempt attempt) {
			this.standing = null;
			attempt.end();
			return true;
		}
		return false;
	}

	/*
	 * End whatever an attempt of ours has in the store until some moment; nobody waits
	 * for the answer.
	 */
	void undo(AttemptId id, long lastToken, long until) {
		afterwards(Undo.of(this, id, lastToken, until)::send);
	}

}
