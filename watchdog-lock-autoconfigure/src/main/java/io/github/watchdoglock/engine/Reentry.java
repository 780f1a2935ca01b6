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
import java.util.concurrent.CompletionException;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * A re-entry: one more handle to a hold of the calling thread. The store is asked only if
 * the hold's lease is too weak for the request.
 */
final class Reentry {

	private final EngineContext context;

	/**
	 * Available to the caller before it waits, so that the caller can close it after a
	 * failure.
	 */
	final Handle handle;

	private final long timeout;

	/** Null if the hold's lease is strong enough. */
	private final @Nullable CompletableFuture<Void> strengthened;

	/** Applies when the handle has its lease; until then there is no re-entry. */
	private final long minHold;

	private Reentry(EngineContext context, Handle handle, LeaseTiming timing, long minHold) {
		this.context = context;
		this.handle = handle;
		this.minHold = minHold;
		Hold hold = handle.hold();
		LeaseTiming had = hold.lease.timing();
		// The timeout of the longer lease, for which the command is sent.
		this.timeout = Math.max(timing.timeout().toNanos(), had.timeout().toNanos());
		handle.limitHold();
		if (had.covers(timing)) {
			this.strengthened = null;
		}
		else {
			CompletableFuture<Void> strengthened = new CompletableFuture<>();
			hold.lease.lock.tasks().run(() -> Strengthening.begin(hold, timing, strengthened), strengthened);
			this.strengthened = strengthened;
		}
	}

	/*
	 * Begin with a handle of the calling thread. Return null if its hold has ended
	 * meanwhile.
	 */
	static @Nullable Reentry begin(EngineContext context, Handle outer, LockRequest request, LeaseTiming timing) {
		Hold hold = outer.hold();
		Kinds.ensureEnough(hold.kind(), request);
		HoldRules rules = context.rules.ofReentry(request);
		outer.expireIfOver();
		// Checked by the clock alone, because the task that declares it lost may be late.
		failIfLost(hold, context.now());
		Handle again = outer.reenter(request.mode() == LockMode.READ, rules);
		if (again == null) {
			failIfLost(hold, context.now());
			return null;
		}
		try {
			return new Reentry(context, again, timing, rules.minHold());
		}
		catch (Throwable ex) {
			again.close();
			throw ex;
		}
	}

	/*
	 * The thread has to close a handle that has lost its lock before it acquires the lock
	 * again.
	 */
	static void failIfLost(Hold hold, long now) {
		LockLoss loss = hold.loss(now);
		if (loss != null) {
			throw new LockLostException(loss,
					"This thread still has a handle of it. Close that handle, then acquire the lock again");
		}
	}

	private void keep() {
		if (this.minHold > 0) {
			Hold hold = this.handle.hold();
			hold.lease.lock.tasks().runAndWait(() -> hold.lockFor(this.minHold));
		}
	}

	/* Wait until the handle has its lease. If this fails, the handle is closed. */
	void await() throws InterruptedException {
		CompletableFuture<Void> strengthened = this.strengthened;
		if (strengthened != null) {
			boolean granted = false;
			try {
				// The same time again for a store that breaks its promise.
				if (!this.context.await(strengthened, 2 * this.timeout)) {
					throw failure(new OutcomeUnknownException("The store did not answer within its timeout", null));
				}
				strengthened.join();
				granted = true;
			}
			catch (CompletionException ex) {
				throw failure(StoreCalls.cause(ex.getCause()));
			}
			finally {
				if (!granted) {
					this.handle.close();
				}
			}
		}
		keep();
	}

	/* Detach the handle from its thread, and complete the caller's future with it. */
	void complete(CompletableFuture<LockHandle> future) {
		LockHandle detached = this.handle.detach();
		CompletableFuture<Void> strengthened = this.strengthened;
		if (strengthened == null) {
			keep();
			future.complete(detached);
			return;
		}
		var unused = this.context.forUsers(strengthened).whenComplete((done, ex) -> end(future, detached, ex));
	}

	private void end(CompletableFuture<LockHandle> future, LockHandle detached, @Nullable Throwable failure) {
		if (failure == null) {
			keep();
			future.complete(detached);
		}
		else {
			future.completeExceptionally(failed(StoreCalls.cause(failure)));
		}
		if (!isDelivered(future, detached)) {
			var unused = detached.closeAsync();
		}
	}

	/* Whether a future was completed with this handle, and not by other code. */
	static boolean isDelivered(CompletableFuture<LockHandle> future, LockHandle handle) {
		return future.isDone() && !future.isCompletedExceptionally() && future.join() == handle;
	}

	private RuntimeException failure(Throwable cause) {
		failIfLost(this.handle.hold(), this.context.now());
		return failed(cause);
	}

	private RuntimeException failed(Throwable cause) {
		return (cause instanceof LockLostException lost) ? lost
				: new LockStoreException("Lock '" + this.handle.key()
						+ "' was not acquired again, since its holder's lease could not be extended: "
						+ cause.getMessage(), cause);
	}

}
