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
import org.jspecify.annotations.Nullable;

/**
 * Tells the store that a hold has ended. Comes after its renewal has stopped; if it
 * fails, that is told at once, and it is repeated in the background.
 */
final class Release implements Predecessor {

	private final Core core;

	private final Hold hold;

	private final Duration held;

	private final Duration keep;

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	Release(Core core, Hold hold) {
		this.core = core;
		this.hold = hold;
		long now = core.now();
		this.held = Duration.ofNanos(now - hold.acquired);
		this.keep = keep(hold, now);
	}

	/* Whether the store may still keep the key of a hold that was lost. */
	static boolean isOwed(LockLoss.Reason reason) {
		return reason == LockLoss.Reason.EXPIRED || reason == LockLoss.Reason.MAX_HOLD
				|| reason == LockLoss.Reason.SHUTDOWN;
	}

	/* How long nobody is to have the key though the hold has ended. */
	static Duration keep(Hold hold, long now) {
		return Duration.ofNanos(Math.max(hold.rules.minHold() - (now - hold.acquired), 0));
	}

	/* Complete when the store knows, or has failed; dependents run on an I/O thread. */
	CompletableFuture<Void> done() {
		return this.done;
	}

	@Override
	public boolean keepsKey() {
		return !this.keep.isZero();
	}

	@Override
	public boolean mayHandOn(long now) {
		return HandOffs.of(this.hold.grant).mayStay(now);
	}

	static ReleaseCommand command(Grant grant, long lastToken, Duration keep, @Nullable Attempt requeued) {
		Terms terms = grant.terms;
		return new ReleaseCommand(grant.cohort.key, grant.id(), lastToken, keep,
				(requeued != null) ? new ReleaseCommand.Requeue(requeued.id, terms.poll()) : null, terms.timeout());
	}

	/* Send it after the step of now. */
	@Override
	public void release(@Nullable Attempt requeued) {
		Grant grant = this.hold.grant;
		Terms terms = grant.terms;
		ReleaseCommand command = command(grant, this.hold.token, this.keep, requeued);
		grant.cohort.afterwards(() -> {
			long sent = this.core.look();
			var unused = StoreCalls.ask(() -> this.core.store().release(command)).whenComplete((answer, ex) -> {
				if (requeued != null) {
					grant.cohort.change(() -> requeued.placed(sent, terms, answer));
				}
				tell(answer, ex);
				end();
			});
		});
	}

	@Override
	public boolean linger() {
		boolean kept = this.core.idleGrants().keep(this.hold);
		if (kept) {
			this.done.complete(null);
			this.hold.grant.cohort.afterwards(() -> {
				this.core.events().released(this.hold.key, this.hold.token, this.held);
				this.core.drain().end();
			});
		}
		return kept;
	}

	/* The store need not know: nobody waits for that. */
	@Override
	public void handOn() {
		this.done.complete(null);
		this.hold.grant.cohort.afterwards(() -> {
			this.core.events().released(this.hold.key, this.hold.token, this.held);
			this.core.events().handedOff(this.hold.key, LockListener.Scope.LOCAL);
			this.core.drain().end();
		});
	}

	@Override
	public void foundGone() {
		this.hold.grant.cohort.afterwards(() -> {
			tellGone();
			end();
		});
	}

	private void end() {
		this.core.drain().end();
		this.done.complete(null);
	}

	private void tell(@Nullable ReleaseAnswer answer, @Nullable Throwable ex) {
		LockListener listener = this.core.events();
		if (answer != null && answer.ended() != ReleaseAnswer.Ended.LEASE) {
			tellGone();
			return;
		}
		listener.released(this.hold.key, this.hold.token, this.held);
		if (answer != null && answer.next() == ReleaseAnswer.Next.OTHER) {
			listener.handedOff(this.hold.key, LockListener.Scope.REMOTE);
		}
		else if (answer == null) {
			Throwable cause = StoreCalls.cause(ex);
			listener.releaseFailed(this.hold.key, this.hold.token, cause);
			this.core.repeats().add(Undo.of(this.hold, true), cause);
		}
	}

	/*
	 * It was gone before, and nobody had noticed and told the holder. One whose time is
	 * over by now may have lasted as long as it was held.
	 */
	private void tellGone() {
		if (this.hold.grant.left(this.core.now()) <= 0) {
			this.core.events().released(this.hold.key, this.hold.token, this.held);
			return;
		}
		this.hold.grant.cohort.change(() -> {
			LockLoss loss = this.hold.foundGone();
			this.hold.grant.cohort.afterwards(() -> this.core.events().lost(loss, this.held));
		});
	}

}
