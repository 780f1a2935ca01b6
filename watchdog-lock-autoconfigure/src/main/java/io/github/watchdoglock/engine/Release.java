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

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Tells the store that a hold has ended. Comes after its renewal has stopped; if it
 * fails, that is told at once, and it is repeated in the background.
 */
final class Release implements HandOff.Predecessor {

	private final Core core;

	private final Cohort cohort;

	private final Hold hold;

	private final Duration held;

	private final Duration keep;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	Release(Core core, Hold hold) {
		this.core = core;
		this.hold = hold;
		this.cohort = hold.grant.cohort;
		long now = core.now();
		this.held = Duration.ofNanos(now - hold.acquired);
		this.keep = hold.keep(now);
	}

	/*
	 * Of a hold that was closed: complete when the store knows what it needs to know, or
	 * has failed; dependents run on an I/O thread.
	 */
	static CompletableFuture<Void> begin(Hold hold) {
		boolean left = hold.grant.isLeft(hold, null);
		Release release = new Release(hold.grant.cohort.core(), hold);
		if (left) {
			HandOff.after(release);
		}
		else {
			// Others have what it had.
			release.tellReleased();
			release.end();
		}
		return release.done;
	}

	@Override
	public Grant grant() {
		return this.hold.grant;
	}

	@Override
	public boolean strengthened() {
		return this.hold.strengthened;
	}

	@Override
	public boolean keepsKey() {
		return !this.keep.isZero();
	}

	@Override
	public boolean mayHandOn(long now) {
		return this.hold.grant.budget().mayStay(now);
	}

	/* Send it after the step of now. */
	@Override
	public void release(@Nullable Attempt requeued) {
		ReleaseCommand command = HandOff.command(this.hold.grant, this.hold.token, this.keep, requeued);
		HandOff.tell(this.hold.grant, command, requeued, (answer, ex) -> {
			tell(answer, ex);
			end();
		});
	}

	@Override
	public boolean linger() {
		boolean kept = IdleGrant.keep(this.hold);
		if (kept) {
			tellReleased();
			end();
		}
		return kept;
	}

	/* The store need not know: nobody waits for that. */
	@Override
	public void handOn() {
		tellReleased();
		this.hold.tell((listener) -> listener.handedOff(this.hold.key, LockListener.Scope.LOCAL));
		end();
	}

	@Override
	public void foundGone() {
		tellGone();
		end();
	}

	private void end() {
		this.cohort.afterwards(this.core.lifecycle()::end);
		this.cohort.afterwards(() -> this.done.complete(null));
	}

	private void tell(@Nullable ReleaseAnswer answer, @Nullable Throwable ex) {
		if (answer != null && answer.ended() != ReleaseAnswer.Ended.LEASE) {
			tellGone();
			return;
		}
		tellReleased();
		if (answer != null && answer.next() == ReleaseAnswer.Next.OTHER) {
			this.hold.tell((listener) -> listener.handedOff(this.hold.key, LockListener.Scope.REMOTE));
		}
		else if (answer == null) {
			Throwable cause = StoreCalls.cause(ex);
			this.hold.tell((listener) -> listener.releaseFailed(this.hold.key, this.hold.token, cause));
			Undo undo = this.hold.toUndo(true);
			this.cohort.afterwards(() -> this.core.repeats().add(undo, cause));
		}
	}

	private void tellReleased() {
		this.hold.tell((events) -> events.released(this.hold, this.held));
	}

	/*
	 * It was gone before, and nobody had noticed and told the holder. One whose time is
	 * over by now may have lasted as long as it was held.
	 */
	private void tellGone() {
		if (this.hold.grant.left(this.core.now()) <= 0) {
			tellReleased();
			return;
		}
		this.cohort.keep(this.hold);
		LockLoss loss = this.hold.foundGone();
		this.hold.tell((events) -> events.lost(this.hold, loss, this.held));
	}

}
