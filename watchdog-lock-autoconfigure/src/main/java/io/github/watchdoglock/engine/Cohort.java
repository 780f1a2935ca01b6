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
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockServiceClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one key inside this instance: at most one hold, one attempt, one queue.
 * Everything happens in {@link Steps}; methods other than {@link #change} and
 * {@link #join} are parts of one.
 */
final class Cohort {

	final LockKey key;

	final Core core;

	private final Consumer<Cohort> whenIdle;

	private final Steps steps = new Steps();

	final WaitingRoom room;

	private boolean retired;

	private @Nullable Attempt attempt;

	/** The hold of now, and through it the grant; null unless HELD. */
	private @Nullable Hold hold;

	Cohort(LockKey key, Core core, Consumer<Cohort> whenIdle) {
		this.key = key;
		this.core = core;
		this.whenIdle = whenIdle;
		this.room = new WaitingRoom(core, this.steps);
	}

	@Nullable Hold hold() {
		return this.hold;
	}

	/* The hold that a grant serves now; null when it has ended. */
	@Nullable Hold hold(Grant grant) {
		return (this.hold != null && this.hold.grant == grant) ? this.hold : null;
	}

	/* Take a step, then run what it has left to do afterwards. */
	void change(Runnable step) {
		this.steps.take(step, this::retireIfIdle);
	}

	private void retireIfIdle() {
		if (!this.retired && this.hold == null && this.attempt == null && this.room.isEmpty()) {
			this.retired = true;
			this.whenIdle.accept(this);
		}
	}

	void afterwards(Runnable action) {
		this.steps.afterwards(action);
	}

	/* Tell listeners of the hold of now. */
	void tell(BiConsumer<LockListener, Hold> news) {
		Hold hold = this.hold;
		if (hold != null) {
			afterwards(() -> news.accept(this.core.events(), hold));
		}
	}

	/* Let a caller in, unless this cohort has gone: there is a new one then. */
	boolean join(Waiter waiter) {
		change(() -> {
			if (!this.retired) {
				waiter.cohort = this;
				this.room.add(waiter);
				welcome(waiter, this.core.now());
			}
		});
		return waiter.cohort == this;
	}

	private void welcome(Waiter waiter, long now) {
		if (!this.core.isOpen()) {
			this.room.fail(waiter, new LockServiceClosedException(waiter.key));
			return;
		}
		if (this.hold != null && this.hold.grant.left(now) <= 0) {
			this.hold.lose(LockLoss.Reason.EXPIRED);
		}
		Busyness busy = busy(now);
		if (busy != null) {
			this.room.known(waiter, busy, now);
		}
		else {
			pursue();
		}
	}

	private @Nullable Busyness busy(long now) {
		Attempt attempt = this.attempt;
		return (this.hold != null) ? this.hold.busy(now) : (attempt != null) ? attempt.busy() : null;
	}

	private void pursue() {
		Attempt attempt = this.attempt;
		if (attempt == null) {
			attempt = new Attempt(this, this.core);
			this.attempt = attempt;
		}
		attempt.urge();
	}

	boolean pursues(Attempt attempt) {
		return this.attempt == attempt;
	}

	/* The attempt has become a grant, and a caller has its turn. */
	void granted(Grant grant, Waiter waiter) {
		long now = this.core.now();
		Hold hold = new Hold(grant, waiter.key, grant.firstToken(), now, waiter.thread);
		this.attempt = null;
		this.hold = hold;
		this.core.drain().begin();
		grant.watch();
		tell((listener, held) -> listener.acquired(held.key, held.token, Duration.ofNanos(now - waiter.start)));
		this.room.grant(waiter, new Handle(hold, waiter.thread != null));
	}

	/* The hold has ended. */
	void vacate() {
		this.hold = null;
		if (!this.room.isEmpty()) {
			pursue();
		}
	}

	/* The time of a caller is over; one who had no answer is still owed one. */
	void overdue(Waiter waiter, long now) {
		if (waiter.answered) {
			Busyness busy = busy(now);
			this.room.known(waiter, (busy != null) ? busy : Busyness.UNKNOWN, now);
			endIfUnwanted();
		}
	}

	/* End the attempt if nobody waits for it any more. */
	boolean endIfUnwanted() {
		Attempt attempt = this.attempt;
		if (attempt == null || !this.room.isEmpty()) {
			return false;
		}
		this.attempt = null;
		attempt.end();
		return true;
	}

	/* The store hints that the key is reserved for one of our attempts. */
	void granted(AttemptId id) {
		if (this.attempt != null && this.attempt.id.equals(id)) {
			this.attempt.hint();
		}
		else if (this.hold == null || !this.hold.grant.id.equals(id)) {
			// Not on the I/O thread, whose writes overtake those that wait for it: a
			// release of this attempt may be among them, and would find nothing.
			afterwards(() -> this.core.completions().execute(() -> change(() -> undo(id, ReleaseCommand.UNKNOWN))));
		}
	}

	/* End whatever an attempt of ours has in the store; nobody waits for the answer. */
	void undo(AttemptId id, long lastToken) {
		ReleaseCommand command = new ReleaseCommand(this.key, id, lastToken, Duration.ZERO, null,
				this.core.defaults().timeout());
		afterwards(() -> this.core.store().release(command));
	}

}
