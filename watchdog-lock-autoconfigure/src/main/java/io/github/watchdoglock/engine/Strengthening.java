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

import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * A renewal by which a hold gets a stronger lease while it lasts. Methods are parts of a
 * step of the cohort.
 */
final class Strengthening {

	private final Hold hold;

	private final Grant grant;

	private final Cohort cohort;

	private final Core core;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	private Strengthening(Hold hold) {
		this.hold = hold;
		this.grant = hold.grant;
		this.cohort = hold.grant.cohort;
		this.core = this.cohort.core();
	}

	/*
	 * Complete when the store has confirmed that an open hold has what is asked for, at
	 * once where it has as much; dependents run on an I/O thread.
	 */
	static CompletableFuture<Void> begin(Hold hold, Terms asked) {
		if (hold.grant.terms.covers(asked)) {
			return CompletableFuture.completedFuture(null);
		}
		Strengthening strengthening = new Strengthening(hold);
		strengthening.confirm(strengthening.covering(asked));
		return strengthening.done;
	}

	/* The same, of one that may have ended. */
	static CompletableFuture<Void> beginIfHeld(Hold hold, Terms asked) {
		hold.expireIfOver();
		LockLoss loss = hold.isOpen() ? null : hold.loss(hold.grant.cohort.core().now());
		return (loss != null) ? CompletableFuture.failedFuture(new LockLostException(loss)) : begin(hold, asked);
	}

	/* What is there already is not given up for what is asked for. */
	private Terms covering(Terms asked) {
		Lease lease = this.grant.terms.with(asked);
		return this.core.terms(lease);
	}

	private void confirm(Terms terms) {
		// Whatever becomes of the answer, the command may have taken effect.
		this.grant.outlivesTerms = true;
		this.cohort.leave(new Confirmation(terms));
	}

	private void answered(long sent, Terms terms, @Nullable RenewAnswer answer, @Nullable Throwable ex) {
		this.grant.endRenewal(sent, terms);
		if (!this.hold.isOpen()) {
			end(null);
			return;
		}
		if (answer == null) {
			// The lease that it had goes on.
			Throwable cause = StoreCalls.cause(ex);
			this.hold.tell((listener) -> listener.renewalFailed(this.hold.key, this.hold.token, cause));
			end(cause);
			return;
		}
		if (answer instanceof RenewAnswer.Renewed && this.grant.left(this.core.now()) > 0) {
			Terms covering = covering(terms);
			if (!covering.equals(terms)) {
				// Guard against another one that was confirmed meanwhile.
				confirm(covering);
				return;
			}
			this.grant.terms = terms;
			this.hold.strengthened = true;
		}
		this.grant.answered(sent, answer, null);
		end(null);
	}

	/* What it has by now is what was asked for, unless something failed. */
	private void end(@Nullable Throwable failure) {
		LockLoss loss = this.hold.loss(this.core.now());
		Throwable cause = (loss != null) ? new LockLostException(loss) : failure;
		if (cause == null && !this.hold.isOpen()) {
			cause = new IllegalStateException("Lock '" + this.hold.key + "' was closed meanwhile");
		}
		Throwable ended = cause;
		this.cohort.afterwards(() -> {
			if (ended != null) {
				this.done.completeExceptionally(ended);
			}
			else {
				this.done.complete(null);
			}
		});
	}

	/**
	 * The renewal by which it is had.
	 */
	private final class Confirmation extends Renewal {

		private final Terms terms;

		private Confirmation(Terms terms) {
			super(Strengthening.this.cohort);
			this.terms = terms;
			decide(Strengthening.this.grant.beginRenewal(terms), core().now());
		}

		@Override
		long patience() {
			return this.terms.timeout().toNanos();
		}

		@Override
		Steps.Revertible subject() {
			return Strengthening.this.hold;
		}

		@Override
		void answered(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			Strengthening.this.answered(this.sent, this.terms, answer, failure);
		}

	}

}
