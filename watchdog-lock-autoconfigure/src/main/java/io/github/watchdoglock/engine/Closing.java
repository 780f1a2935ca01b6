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
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * The end of a hold that was closed in time, and the future of the handle that closed it.
 * If the release fails, that is reported at once, and it is repeated in the background.
 */
final class Closing implements Predecessor {

	private final Hold hold;

	private final EngineContext context;

	/** How long the lock was held, in nanoseconds. */
	private final long held;

	/** How long the key must not be handed on yet. */
	private final Duration lockedFor;

	private final CompletableFuture<Void> done;

	/** Whether observers were notified of the end. */
	private boolean reported;

	/** Whether the end was reported, and the hold is not counted as open any more. */
	private boolean completed;

	Closing(Hold hold, long held, Duration lockedFor, CompletableFuture<Void> done) {
		this.hold = hold;
		this.context = hold.lease.context();
		this.held = held;
		this.lockedFor = lockedFor;
		this.done = done;
	}

	/* The last handle of a hold was closed. */
	static void begin(Hold hold, CompletableFuture<Void> done) {
		GrantedLease lease = hold.lease;
		long now = lease.context().nowNoticingSleep();
		lease.expireIfOver(now);
		Closing closing = new Closing(hold, now - hold.acquired, lease.lockedFor(hold, now), done);
		if (!lease.leave(hold, closing)) {
			lease.closeLost(hold, now);
			done.complete(null);
			return;
		}
		Readers readers = lease.readers();
		if (readers != null) {
			readers.endReader(hold, null);
		}
		if (lease.holds().isEmpty()) {
			HandOff.after(lease, closing, now);
		}
		else {
			// Other readers still have the lease.
			closing.reportReleased();
			closing.end();
			lease.predecessorDone();
		}
	}

	@Override
	public long token() {
		return this.hold.token;
	}

	@Override
	public Duration lockedFor() {
		return this.lockedFor;
	}

	@Override
	public boolean mayHandOn(long now) {
		return this.hold.lease.mayStay(now);
	}

	@Override
	public Supplier<Waiter.Outcome.Refused> refusal() {
		return () -> new Waiter.Outcome.Refused(this.context.label(this.hold.thread()), Duration.ZERO);
	}

	@Override
	public boolean keepIdle() {
		IdleLease idle = IdleLease.after(this.hold);
		if (idle == null) {
			return false;
		}
		reportReleased();
		countOut();
		try {
			// From now on an error aborts the idle state instead of this.
			idle.begin();
		}
		finally {
			this.done.complete(null);
		}
		return true;
	}

	/* The store need not know of this, so the closing caller does not wait for it. */
	@Override
	public void handedOn() {
		reportReleased();
		this.context.events.handedOff(this.hold.key, LockListener.Scope.LOCAL);
		end();
	}

	@Override
	public void released(@Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
		if (this.completed) {
			// An error has ended it before.
			this.done.complete(null);
			return;
		}
		if (answer != null && answer.ended() != ReleaseAnswer.Ended.LEASE) {
			gone();
			return;
		}
		reportReleased();
		if (answer != null && answer.next() == ReleaseAnswer.Next.OTHER) {
			this.context.events.handedOff(this.hold.key, LockListener.Scope.REMOTE);
		}
		else if (answer == null) {
			Throwable cause = StoreCalls.cause(failure);
			this.context.events.releaseFailed(this.hold.key, this.hold.token, cause);
			this.context.repeats.add(this.hold.lease.toUndo(this.hold, true), cause);
		}
		end();
	}

	/*
	 * The lease was gone before, and its holder was not notified. If its time has ended
	 * by now, it may have lasted as long as the lock was held, so this is not a loss.
	 */
	@Override
	public void gone() {
		if (this.hold.lease.left(this.context.now()) <= 0) {
			reportReleased();
		}
		else {
			LockLoss loss = this.hold.foundGone(this.hold.lease.goneReason());
			this.context.events.lost(this.hold, loss, Duration.ofNanos(this.held));
			this.reported = true;
		}
		end();
	}

	@Override
	public void abort() {
		if (!this.completed) {
			reportReleased();
		}
		end();
	}

	private void reportReleased() {
		if (!this.reported) {
			this.context.events.released(this.hold, this.held);
			this.reported = true;
			AcquisitionGuard.Admission admission = this.hold.admission();
			Runnable report = (admission != null) ? admission.unchecked().get() : null;
			if (report != null) {
				this.context.completions.execute(report);
			}
		}
	}

	private void end() {
		countOut();
		this.done.complete(null);
	}

	private void countOut() {
		if (!this.completed) {
			this.context.lifecycle.end();
			this.completed = true;
		}
	}

}
