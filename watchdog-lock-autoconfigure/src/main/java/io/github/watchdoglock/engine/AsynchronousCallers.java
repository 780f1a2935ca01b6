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

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks for callers that receive a future instead of waiting on a thread.
 * Thread-safe.
 */
final class AsynchronousCallers {

	private final EngineContext context;

	private final Callers callers;

	private final Customizations customizations;

	AsynchronousCallers(EngineContext context, Callers callers, Customizations customizations) {
		this.context = context;
		this.callers = callers;
		this.customizations = customizations;
	}

	CompletableFuture<LockHandle> acquire(LockRequest wanted) {
		LockRequest request;
		try {
			request = this.customizations.complete(wanted);
		}
		catch (LockKeyException | IllegalArgumentException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		if (request.releaseAfterTransaction()) {
			return CompletableFuture.failedFuture(new IllegalArgumentException("Lock '" + request.key()
					+ "' cannot be released after a transaction, because an asynchronously acquired lock belongs to no"
					+ " thread. Use acquire, tryAcquire or execute"));
		}
		if (Boolean.TRUE.equals(request.fenced())) {
			return CompletableFuture.failedFuture(new IllegalArgumentException("Lock '" + request.key()
					+ "' is fenced, and cannot be acquired asynchronously: the transactions of its thread are fenced."
					+ " Use acquire, tryAcquire or execute, or withFenced(false)"));
		}
		Handle outer = this.context.handles.find(request.key());
		PendingRequest pending = new PendingRequest(request, this.callers.call(request.key(), outer));
		try {
			ask(request, outer, pending);
		}
		catch (RuntimeException ex) {
			pending.fail(ex);
		}
		catch (Error ex) {
			pending.fail(ex);
			throw ex;
		}
		return pending.future;
	}

	private void ask(LockRequest request, @Nullable Handle outer, PendingRequest pending) {
		LeaseTiming timing = this.context.timing(request.lease());
		Reentry reentry = (outer != null) ? Reentry.begin(this.context, outer, request, timing) : null;
		if (reentry != null) {
			reentry.complete(pending.future);
			return;
		}
		Waiter waiter = this.callers.waiter(request, timing, null, pending);
		// Before joining: if this failed afterwards, a lock could be granted to a future
		// that no caller has received.
		var unused = pending.future.whenComplete((handle, ex) -> {
			try {
				leave(waiter, pending, ex);
			}
			catch (Error error) {
				// The future would hide the error, and no other code would release a lock
				// that was granted.
				leave(waiter, pending, ex);
				throw error;
			}
		});
		this.callers.join(waiter);
	}

	/* Give up if other code has completed the future, for example by canceling it. */
	private static void leave(Waiter waiter, PendingRequest pending, @Nullable Throwable ex) {
		if (!pending.isDelivered()) {
			waiter.leave((ex != null) ? ex : new CancellationException("The future was completed by another party"));
			pending.closeUnwanted();
		}
	}

	/**
	 * Completes the future of an asynchronous caller. The instrumentation is notified
	 * before, because dependents of the future run as soon as it is completed.
	 */
	private final class PendingRequest implements Consumer<Waiter.Outcome>, Runnable {

		private final CompletableFuture<LockHandle> future = new CompletableFuture<>();

		private final LockRequest request;

		private final Instrumentation.Call call;

		private final long start;

		private volatile Waiter.@Nullable Outcome outcome;

		private PendingRequest(LockRequest request, Instrumentation.Call call) {
			this.request = request;
			this.call = call;
			this.start = AsynchronousCallers.this.context.nowNoticingSleep();
		}

		/* Called within a task of the key. */
		@Override
		public void accept(Waiter.Outcome outcome) {
			this.outcome = outcome;
			AsynchronousCallers.this.context.completions.execute(this);
			closeUnwanted();
		}

		@Override
		public void run() {
			if (this.outcome instanceof Waiter.Outcome.Granted granted) {
				deliver(granted.handle());
			}
			else if (this.outcome instanceof Waiter.Outcome.Refused refused) {
				fail(AsynchronousCallers.this.callers.exception(refused, this.request, this.start));
			}
			else if (this.outcome instanceof Waiter.Outcome.Failed failed) {
				fail(failed.cause());
			}
		}

		/* Whether the future was completed with the handle that was granted. */
		private boolean isDelivered() {
			return this.outcome instanceof Waiter.Outcome.Granted granted
					&& Reentry.isDelivered(this.future, granted.handle());
		}

		/*
		 * If other code has completed the future, release the lock at once: other callers
		 * need not wait for the thread that would have completed the future.
		 */
		private void closeUnwanted() {
			if (this.outcome instanceof Waiter.Outcome.Granted granted && this.future.isDone() && !isDelivered()) {
				var unused = granted.handle().closeAsync();
			}
		}

		/*
		 * Other code may complete the future at the same moment; then the handle is
		 * closed.
		 */
		private void deliver(LockHandle handle) {
			try {
				this.call.acquired(handle);
			}
			finally {
				this.future.complete(handle);
				closeUnwanted();
			}
		}

		private void fail(Throwable cause) {
			try {
				this.call.notAcquired(Callers.outcome(cause), cause);
			}
			finally {
				this.future.completeExceptionally(cause);
			}
		}

	}

}
