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
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * What follows a hold that was closed in time, or comes of a grant that nobody holds: the
 * next caller of this instance has it at once, or after the store was asked, or nobody
 * has it for a while, or the key goes back to the store. Methods are parts of a step of
 * the cohort, which keeps what had the grant until this is decided.
 */
final class HandOff {

	private final Grant grant;

	private final Cohort cohort;

	private final Core core;

	private final Predecessor before;

	/** Whether its deadline may be that of a lease which had another margin. */
	private final boolean strengthened;

	private HandOff(Predecessor before) {
		this.grant = before.grant();
		this.cohort = this.grant.cohort;
		this.core = this.cohort.core();
		this.before = before;
		this.strengthened = before.strengthened();
	}

	/* Decide it. */
	static void after(Predecessor before) {
		new HandOff(before).begin();
	}

	/* It goes back. */
	static void end(Predecessor before) {
		new HandOff(before).release();
	}

	private void begin() {
		long now = this.core.now();
		if (!isToBeHandedOn(now)) {
			return;
		}
		Waiter next = this.cohort.waiters().first();
		if (isFresh(next.terms, now)) {
			handOn(next);
		}
		else {
			confirm(next.terms);
		}
	}

	/* Otherwise that is settled. */
	private boolean isToBeHandedOn(long now) {
		boolean awaited = this.cohort.isAwaited();
		// A grant that may have been forced is released: the store's answer decides.
		boolean handedOn = awaited && !this.grant.isForced() && this.grant.suits(this.cohort.waiters().first())
				&& !this.before.keepsKey() && this.before.mayHandOn(now);
		if (!handedOn && (awaited || !this.before.linger())) {
			release();
		}
		return handedOn;
	}

	/* Whether the store has confirmed the grant just now, for as long as is needed. */
	private boolean isFresh(Terms next, long now) {
		long left = this.grant.left(now);
		return !this.strengthened && next.equals(this.grant.terms) && next.lease().renewed() && left > 0
				&& next.valid() - left <= next.confirmationAge() && this.grant.budget().hasToken();
	}

	private void handOn(Waiter next) {
		long token = this.grant.budget().pass();
		boolean shared = this.grant.kind().isShared();
		Readers readers = (next.kind.isShared() && !shared) ? new Readers(this.grant, token) : null;
		this.grant.beginHold();
		this.grant.budget().share(readers);
		Hold.begin(this.grant, next, token, this.before::handOn);
		this.grant.watchNext();
		if (shared) {
			// An attempt goes on for the others.
			this.cohort.endIfUnwanted();
			return;
		}
		if (readers != null) {
			// Nobody has it besides, and those behind who read may as well.
			readers.joinAll(this.core.now());
		}
		if (this.before.owesAnswers()) {
			this.cohort.tellWhoAwaits(this.core.now());
		}
	}

	/* Ask whether it is still there, and for as long as the next caller needs. */
	private void confirm(Terms terms) {
		Confirmation confirmation = new Confirmation(terms);
		this.cohort.leave(confirmation);
		this.grant.expectAnswer(terms, confirmation::giveUp);
	}

	private void answered(long sent, RenewCommand command, Terms terms, @Nullable RenewAnswer answer,
			@Nullable Throwable ex) {
		long now = this.core.nowNoticingSleep();
		if (answer instanceof RenewAnswer.Renewed renewed && now - sent - terms.valid() < 0) {
			this.grant.note(renewed, now);
			this.grant.adapt(terms, sent);
			renewed(command, terms);
		}
		else if (answer instanceof RenewAnswer.Gone) {
			this.grant.end();
			this.before.foundGone();
			this.grant.vacate(null);
		}
		else {
			// The lease may last, but nobody here can rely on it.
			Throwable cause = StoreCalls.cause(ex);
			if (answer == null && !this.grant.kind().isShared() && !(cause instanceof NotConnectedException)) {
				// If the grant is shared, or there is no connection, an attempt decides.
				this.cohort.waiters().allUnansweredFail(cause);
			}
			release();
		}
	}

	private void renewed(RenewCommand command, Terms terms) {
		boolean hasToken = this.grant.budget().hasToken();
		if (!isToBeHandedOn(this.core.now())) {
			return;
		}
		if (!hasToken && command.nextBlock()) {
			release();
			return;
		}
		Waiter next = this.cohort.waiters().first();
		if (hasToken && next.terms.equals(terms)) {
			handOn(next);
		}
		else {
			// Another caller's turn by now.
			confirm(next.terms);
		}
	}

	/*
	 * Back to the store. Where others wait elsewhere, the key is theirs, and callers of
	 * this instance come after them.
	 */
	private void release() {
		this.grant.end(() -> {
			Attempt requeued = null;
			if (this.grant.isToRequeue() && !this.before.keepsKey()) {
				requeued = new Attempt(this.cohort, this.core.nextAttempt(this.cohort.waiters().first().kind));
				requeued.expectPlace(this.grant.terms);
			}
			this.before.release(requeued);
			this.grant.vacate(requeued);
		});
	}

	static ReleaseCommand command(Grant grant, long lastToken, Duration keep, @Nullable Attempt requeued) {
		Terms terms = grant.terms;
		return new ReleaseCommand(grant.cohort.key, grant.id(), lastToken, keep,
				(requeued != null) ? new ReleaseCommand.Requeue(requeued.id, terms.poll()) : null, terms.timeout());
	}

	/* Tell the store after the step of now; what is to follow is part of another one. */
	static void tell(Grant grant, ReleaseCommand command, @Nullable Attempt requeued,
			BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> whenAnswered) {
		grant.cohort.leave(new ReleaseCall(grant, command, requeued, whenAnswered));
	}

	/**
	 * What had a grant before: a hold that was closed, or nobody for a while. Methods are
	 * parts of a step of the cohort.
	 */
	interface Predecessor {

		Grant grant();

		/* Whether its deadline may be that of a lease which had another margin. */
		boolean strengthened();

		/*
		 * Keep the grant, which nobody waits for here; false where it is not to be kept.
		 */
		boolean linger();

		/* Whether nobody is to have the key yet. */
		boolean keepsKey();

		/* Whether a caller of this instance may have it though others wait elsewhere. */
		boolean mayHandOn(long now);

		/* A caller of this instance has it. */
		void handOn();

		/* Whether those who wait have not heard yet that it is had. */
		default boolean owesAnswers() {
			return false;
		}

		/* The store does not know it any more. */
		void foundGone();

		/* Have the store told; an attempt may take the last place with that. */
		void release(@Nullable Attempt requeued);

	}

	/**
	 * The renewal that asks.
	 */
	private final class Confirmation extends Renewal {

		private final Terms terms;

		/** Whether its answer counts no more; guarded by the cohort's lock. */
		private boolean givenUp;

		private Confirmation(Terms terms) {
			super(HandOff.this.cohort);
			this.terms = terms;
			decide(HandOff.this.grant.beginRenewal(terms), core().now());
		}

		@Override
		Steps.Revertible subject() {
			return HandOff.this.grant;
		}

		/* Part of a step: the store does not answer, though it has promised to. */
		private void giveUp() {
			HandOff.this.answered(this.sent, command(), this.terms, null, null);
			this.givenUp = true;
		}

		@Override
		void answered(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			if (!this.givenUp) {
				HandOff.this.grant.endExpectation();
			}
			HandOff.this.grant.endRenewal(this.sent, this.terms);
			if (!this.givenUp) {
				HandOff.this.answered(this.sent, command(), this.terms, answer, failure);
			}
		}

	}

	/**
	 * Tells the store that a grant has ended. With that an attempt may take the last
	 * place.
	 */
	private static final class ReleaseCall extends StoreCall<ReleaseAnswer> {

		private final Grant grant;

		private final Terms terms;

		private final ReleaseCommand command;

		private final @Nullable Attempt requeued;

		private final BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> whenAnswered;

		private ReleaseCall(Grant grant, ReleaseCommand command, @Nullable Attempt requeued,
				BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> whenAnswered) {
			super(grant.cohort);
			this.grant = grant;
			this.terms = grant.terms;
			this.command = command;
			this.requeued = requeued;
			this.whenAnswered = whenAnswered;
		}

		@Override
		CompletionStage<ReleaseAnswer> send() {
			return core().store().release(this.command);
		}

		@Override
		long patience() {
			return this.terms.timeout().toNanos();
		}

		@Override
		Steps.@Nullable Revertible subject() {
			return this.requeued;
		}

		@Override
		void answered(@Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
			if (this.requeued != null) {
				this.requeued.placed(this.sent, this.terms, answer);
			}
			this.whenAnswered.accept(answer, failure);
			if (answer != null && core().repeats().keepsRecent()) {
				Undo again = Undo.ofDone(this.command, this.sent, this.grant.leaseEnd(), core()::now);
				this.cohort.afterwards(() -> core().repeats().done(again));
			}
		}

	}

}
