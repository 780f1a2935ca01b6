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

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * The request of a holder for a stronger lease than the present one. It belongs to the
 * tasks of the key.
 */
final class Strengthening extends LeaseRenewal.Confirmation {

	private final Hold hold;

	private final CompletableFuture<Void> done;

	private Strengthening(Hold hold, LeaseTiming timing, CompletableFuture<Void> done) {
		super(hold.lease, timing, timing.timeout());
		this.hold = hold;
		this.done = done;
	}

	/*
	 * Complete the future when the store has confirmed the lease, at once if the present
	 * one is as strong.
	 */
	static void begin(Hold hold, LeaseTiming asked, CompletableFuture<Void> done) {
		GrantedLease lease = hold.lease;
		lease.expireIfOver(lease.context().nowNoticingSleep());
		if (!hold.isOpen() || lease.timing().covers(asked)) {
			end(hold, done, null);
			return;
		}
		// The command may take effect, regardless of its answer.
		lease.times.mayOutliveTiming();
		new Strengthening(hold, covering(lease, asked), done).send();
	}

	/*
	 * Combine the present lease and the requested one, so that nothing of the present one
	 * is given up.
	 */
	private static LeaseTiming covering(GrantedLease lease, LeaseTiming asked) {
		return lease.context().timing(lease.timing().with(asked));
	}

	@Override
	void confirmationEnded(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
		if (this.hold.isOpen() && answer == null) {
			// The present lease continues.
			Throwable cause = StoreCalls.cause(failure);
			this.context.events.renewalFailed(this.hold.key, this.hold.token, cause);
			end(this.hold, this.done, cause);
			return;
		}
		if (this.hold.isOpen()) {
			if (answer instanceof RenewAnswer.Renewed && this.lease.left(this.context.now()) > 0) {
				if (!covering(this.lease, this.timing).equals(this.timing)) {
					// Guard against another stronger lease that was confirmed meanwhile.
					begin(this.hold, this.timing, this.done);
					return;
				}
				this.lease.times.strengthen(this.timing);
			}
			applyAnswer(answer, null);
		}
		end(this.hold, this.done, null);
	}

	/*
	 * Complete the future: unless something has failed, the present lease is as strong as
	 * requested.
	 */
	private static void end(Hold hold, CompletableFuture<Void> done, @Nullable Throwable failure) {
		LockLoss loss = hold.loss(hold.lease.context().now());
		Throwable cause = (loss != null) ? new LockLostException(loss) : failure;
		if (cause == null && !hold.isOpen()) {
			cause = new IllegalStateException("Lock '" + hold.key + "' was closed meanwhile");
		}
		if (cause != null) {
			done.completeExceptionally(cause);
		}
		else {
			done.complete(null);
		}
	}

	/* Processing the answer has failed, or there is none. */
	@Override
	void abort(Throwable cause) {
		super.abort(cause);
		this.done.completeExceptionally(cause);
	}

}
