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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one key inside this instance: at most one attempt, one queue, and one
 * hold, but for kinds that are shared. Everything happens in {@link Steps}; methods other
 * than {@link #change} and {@link #join} are parts of one.
 */
final class Cohort extends Steps implements Steps.Revertible {

	final LockKey key;

	private final Cohorts all;

	/** Gone while it is empty. */
	private @Nullable WaitQueue waiters;

	private boolean retired;

	/** A hold also while its release must wait. */
	private @Nullable State state;

	/** What it has of its key together with others; replaced, never changed. */
	private @Nullable List<State> shared;

	Cohort(LockKey key, Cohorts all) {
		super(all.guardOf(key));
		this.key = key;
		this.all = all;
	}

	Core core() {
		return this.all.core;
	}

	@Override
	Threads threads() {
		return core().system();
	}

	@Override
	Executor others() {
		return core().effects();
	}

	@Override
	void callWatchdog() {
		core().watchdog().attend(this);
	}

	/* Who waits; to be asked for anew in each step. */
	WaitQueue waiters() {
		WaitQueue waiters = this.waiters;
		if (waiters == null) {
			waiters = new WaitQueue(core(), this);
			this.waiters = waiters;
		}
		return waiters;
	}

	boolean isAwaited() {
		return this.waiters != null && !this.waiters.isEmpty();
	}

	/* What it has that came of an attempt. */
	@Nullable Grant grantOf(AttemptId id) {
		Grant grant = (this.state != null) ? this.state.grant() : null;
		if (grant != null && grant.is(id)) {
			return grant;
		}
		for (State shared : shared()) {
			Grant other = shared.grant();
			if (other != null && other.is(id)) {
				return other;
			}
		}
		return null;
	}

	void forEachGrant(Consumer<Grant> visitor) {
		Grant grant = (this.state != null) ? this.state.grant() : null;
		if (grant != null) {
			visitor.accept(grant);
		}
		for (State shared : shared()) {
			visitor.accept(Objects.requireNonNull(shared.grant()));
		}
	}

	/* Visit those who have something of it, each by itself. */
	void forEachUser(Consumer<Grant.User> visitor) {
		forEachGrant((grant) -> {
			Grant.User user = grant.user();
			if (user != null) {
				user.forEach(visitor);
			}
		});
	}

	/* What it has of its key at the moment, to itself. */
	@Nullable State state() {
		return this.state;
	}

	/* What it has together with others; each is to be kept before it is changed. */
	List<State> shared() {
		List<State> shared = this.shared;
		return (shared != null) ? shared : List.of();
	}

	@Override
	public void save(Guard guard) {
		guard.keep(this);
		if (this.waiters != null) {
			this.waiters.save(guard);
		}
		if (this.state != null) {
			this.state.save(guard);
		}
	}

	@Override
	void commit(int uses) {
		core().lifecycle().begin(uses);
		WaitQueue waiters = this.waiters;
		if (waiters != null) {
			// Without a call, which could fail.
			Waiter waiter = waiters.removed;
			waiters.removed = null;
			while (waiter != null) {
				Waiter before = waiter.removedBefore;
				waiter.removedBefore = null;
				waiter.previous = null;
				waiter.next = null;
				waiter = before;
			}
		}
	}

	@Override
	public Object copy() {
		try {
			return clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void revert(Object before) {
		Cohort cohort = (Cohort) before;
		WaitQueue waiters = this.waiters;
		if (waiters != null && waiters != cohort.waiters) {
			waiters.clear();
		}
		this.waiters = cohort.waiters;
		this.state = cohort.state;
		this.shared = cohort.shared;
		this.retired = cohort.retired;
	}

	@Override
	void tidy() {
		if (isAwaited()) {
			return;
		}
		this.waiters = null;
		if (!this.retired && this.state == null && this.shared == null) {
			this.all.remove(this);
			this.retired = true;
		}
	}

	@Override
	void lookAgain() {
		long now = core().now();
		if (this.state != null) {
			this.state.lookAgain(now);
		}
		shared().forEach((shared) -> shared.lookAgain(now));
		if (this.waiters != null) {
			this.waiters.lookAgain(now);
		}
		endIfUnwanted();
	}

	/* Let a caller in, unless this cohort has gone: there is a new one then. */
	boolean join(Waiter waiter) {
		change(() -> {
			if (!this.retired) {
				waiter.cohort = this;
				afterwards(() -> core().events().waiting(waiter.key, waiter.mode()));
				long now = core().now();
				waiters().add(waiter);
				welcome(waiter, now);
				if (waiter.queued && waiter.thread == null) {
					// A thread looks for itself.
					waiters().watch(waiter, now);
				}
			}
		});
		return waiter.cohort == this;
	}

	private void welcome(Waiter waiter, long now) {
		if (!core().isOpen()) {
			waiters().fail(waiter, new LockServiceClosedException(waiter.key));
			return;
		}
		if (this.state != null) {
			this.state.expireIfOver();
		}
		shared().forEach(State::expireIfOver);
		if (!waiter.queued) {
			// What was over has given way, and this caller had its turn with that.
			return;
		}
		if (isExcluded(waiter.kind)) {
			waiters().fail(waiter, Kinds.refusal(waiter.kind));
			return;
		}
		if (this.state != null && mayJoin(now) && joinsReaders()) {
			return;
		}
		Waiter.Outcome.Refused refusal = refusal(now);
		if (refusal != null) {
			waiters().known(waiter, refusal, now);
		}
		else {
			pursue();
		}
	}

	/* Whether somebody has the key, or waits for it, with whom nobody of a kind can. */
	private boolean isExcluded(Kind kind) {
		boolean excluded = waiters().first().kind.isPermit() != kind.isPermit()
				|| (this.state != null && this.state.excludes(kind));
		for (State other : shared()) {
			excluded |= other.excludes(kind);
		}
		return excluded;
	}

	/* The time of a caller is over; one who had no answer is still owed one. */
	void overdue(Waiter waiter, long now) {
		if (waiter.answered) {
			Waiter.Outcome.Refused refusal = refusal(now);
			waiters().known(waiter, (refusal != null) ? refusal : Waiter.Outcome.Refused.UNKNOWN, now);
			if (waiter.queued) {
				waiters().watch(waiter, now);
			}
			endIfUnwanted();
		}
		else if (waiter.patience(core(), now) <= 0) {
			fail(waiter, unanswered(waiter.key));
		}
		else {
			waiters().watch(waiter, now);
		}
	}

	static OutcomeUnknownException unanswered(LockKey key) {
		return new OutcomeUnknownException("The store did not answer for lock '" + key + "' within its time-out", null);
	}

	/*
	 * A caller has failed and is there no more, whatever it was granted meanwhile. Where
	 * not even this can be done, the watchdog does the rest.
	 */
	void abandon(Waiter waiter, Throwable cause) {
		try {
			change(() -> {
				Handle handle = (Handle) waiter.granted();
				if (handle != null) {
					handle.endIfOpen();
				}
				else {
					leave(waiter, cause);
				}
			});
		}
		catch (Throwable ex) {
			drop(waiter);
		}
	}

	private void drop(Waiter waiter) {
		Handle handle;
		this.guard.lock.lock();
		try {
			handle = (Handle) waiter.granted();
			if (waiter.queued && this.waiters != null) {
				this.waiters.remove(waiter);
				this.waiters.removed = null;
			}
		}
		finally {
			this.guard.lock.unlock();
		}
		if (handle != null) {
			handle.closeLater();
		}
		attend(false);
	}

	/* A caller gives up, unless it has its outcome already. */
	void leave(Waiter waiter, Throwable cause) {
		waiters().leave(waiter, cause);
		endIfUnwanted();
	}

	/* The store has failed a caller. */
	void fail(Waiter waiter, Throwable cause) {
		waiters().fail(waiter, cause);
		endIfUnwanted();
	}

	/* What a caller hears of who has the key; null while nothing is known. */
	private Waiter.Outcome.@Nullable Refused refusal(long now) {
		return (this.state != null) ? this.state.refusal(now) : null;
	}

	/* Somebody else has it now: who came while the store was asked has had no answer. */
	void tellWhoAwaits(long now) {
		Waiter.Outcome.Refused refusal = refusal(now);
		if (refusal != null && isAwaited()) {
			waiters().allKnow(refusal, now);
		}
	}

	/* Do what can be done to get the key. */
	private void pursue() {
		if (mayJoin(core().now()) && joinsReaders()) {
			return;
		}
		if (this.state == null) {
			// Behind a command of what it had before, which had no answer for long.
			Waiter first = waiters().firstUnanswered();
			if (first != null && Math.max(first.unanswered(core().now()), first.connecting(core().now())) <= 0) {
				waiters().unansweredFail(unanswered(first.key), core().now());
				if (!isAwaited() || joinsReaders()) {
					return;
				}
			}
			this.state = new Attempt(this, core().nextAttempt(waiters().first().kind));
		}
		this.state.pursue();
	}

	/* Whether who is first may have come to read with others. */
	private boolean mayJoin(long now) {
		return this.state == null || (isAwaited() && this.state.mayAdmit(waiters().first(), now));
	}

	/*
	 * Whether nobody waits any more, or who is first waits for no attempt: it reads with
	 * others.
	 */
	private boolean joinsReaders() {
		long now = core().now();
		while (isAwaited()) {
			State readers = readersFor(waiters().first(), now);
			if (readers == null) {
				return false;
			}
			if (!readers.admit(waiters().first(), now)) {
				return true;
			}
		}
		return true;
	}

	private @Nullable State readersFor(Waiter first, long now) {
		if (this.state != null && this.state.mayAdmit(first, now)) {
			return this.state;
		}
		for (State other : shared()) {
			if (other.mayAdmit(first, now)) {
				return other;
			}
		}
		return null;
	}

	/* An attempt has come to what others may have too; it goes on for the others. */
	void share(State grant) {
		List<State> shared = new ArrayList<>(shared());
		shared.add(grant);
		this.shared = shared;
		this.state = null;
	}

	/* That is over. */
	void unshare(State grant) {
		List<State> shared = new ArrayList<>(shared());
		shared.remove(grant);
		this.shared = shared.isEmpty() ? null : shared;
	}

	/* From now on it has this of its key. */
	void become(State state) {
		this.state = state;
	}

	/* What it had is over; the next attempt may have been begun with that. */
	void vacate(@Nullable State next) {
		this.state = next;
		if (isAwaited()) {
			pursue();
		}
	}

	/*
	 * End the attempt if nobody waits for it any more, or who is first asks in another
	 * way.
	 */
	boolean endIfUnwanted() {
		State state = this.state;
		boolean awaited = isAwaited();
		boolean ended = state != null && !(awaited && state.isFor(waiters().first())) && state.giveUp();
		if (ended) {
			this.state = null;
		}
		if (awaited && mayJoin(core().now())) {
			pursue();
		}
		return ended;
	}

	/*
	 * End whatever an attempt of ours has in the store until some moment; nobody waits
	 * for the answer.
	 */
	void undo(AttemptId id, long lastToken, long until) {
		ReleaseCommand command = new ReleaseCommand(this.key, id, lastToken, Duration.ZERO, null,
				core().defaults().timeout());
		afterwards(() -> core().repeats().begin(new Undo(this.key, ReleaseCommand.NONE, until, () -> command)));
	}

	/**
	 * What a cohort has of its key: an attempt to get it, a hold, or a grant that nobody
	 * holds. Methods are parts of a step.
	 */
	interface State extends Revertible {

		/* What a caller hears of who has the key; null while nothing is known. */
		Waiter.Outcome.@Nullable Refused refusal(long now);

		/* Set its alarm anew. */
		void lookAgain(long now);

		/* What has come of an attempt; null while nothing has. */
		default @Nullable Grant grant() {
			return null;
		}

		/* Whether nobody can have the key in another way as long as this lasts. */
		default boolean excludes(Kind kind) {
			return false;
		}

		/* Whether a caller may join those who have it, rather than wait. */
		default boolean mayAdmit(Waiter first, long now) {
			return false;
		}

		/* Let it; false where the store is asked before. */
		default boolean admit(Waiter first, long now) {
			return false;
		}

		/* Whether it is what a caller waits for. */
		default boolean isFor(Waiter waiter) {
			return true;
		}

		/* Somebody has come who has had no answer. */
		default void pursue() {
		}

		/* What only the clock has noticed yet is declared over. */
		default void expireIfOver() {
		}

		/* Nobody waits any more; answers whether it has ended with that. */
		default boolean giveUp() {
			return false;
		}

	}

}
