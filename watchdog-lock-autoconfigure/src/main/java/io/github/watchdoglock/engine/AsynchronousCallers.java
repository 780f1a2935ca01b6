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
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Callers who leave a future behind in place of a thread that waits. Thread-safe.
 */
final class AsynchronousCallers {

	private final Core core;

	private final Callers callers;

	private final Customizations customizations;

	AsynchronousCallers(Core core, Callers callers, Customizations customizations) {
		this.core = core;
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
					+ "' can't be released after a transaction: acquired asynchronously it belongs to no thread;"
					+ " use acquire, tryAcquire or execute"));
		}
		Instrumentation.Call call = this.callers.call(request.key());
		CompletableFuture<LockHandle> future = ask(request);
		return (call != Instrumentation.Call.UNHEARD) ? told(call, future) : future;
	}

	private CompletableFuture<LockHandle> ask(LockRequest request) {
		CompletableFuture<LockHandle> future = new CompletableFuture<>();
		try {
			Terms terms = this.core.terms(request.lease());
			Reentry again = Reentry.begin(this.core, request, terms);
			if (again != null) {
				try {
					again.complete(future);
				}
				catch (Error ex) {
					again.handle.closeLater();
					throw ex;
				}
				return future;
			}
			long start = this.core.nowNoticingSleep();
			Waiter waiter = this.callers.waiter(request, terms, null,
					(outcome) -> this.core.completions().execute(() -> deliver(outcome, future, request, start)));
			// First of all, so that nothing is granted to a future that nobody has.
			var unused = future.whenComplete((handle, ex) -> {
				if (ex != null) {
					waiter.leave(ex);
				}
			});
			join(waiter);
		}
		catch (RuntimeException ex) {
			future.completeExceptionally(ex);
		}
		return future;
	}

	private void join(Waiter waiter) {
		try {
			this.callers.join(waiter);
		}
		catch (Error ex) {
			waiter.abandon(ex);
			throw ex;
		}
	}

	private void deliver(Waiter.Outcome outcome, CompletableFuture<LockHandle> future, LockRequest request,
			long start) {
		if (outcome instanceof Waiter.Outcome.Granted granted) {
			give(granted.handle(), future);
		}
		else if (outcome instanceof Waiter.Outcome.Refused refused) {
			future.completeExceptionally(this.callers.exception(refused, request, start));
		}
		else if (outcome instanceof Waiter.Outcome.Failed failed) {
			future.completeExceptionally(failed.cause());
		}
	}

	/* Unless it was cancelled or timed out at the same moment. May be done again. */
	private static void give(LockHandle handle, CompletableFuture<LockHandle> future) {
		if (!future.complete(handle) && future.isCompletedExceptionally()) {
			var unused = handle.closeAsync();
		}
	}

	/*
	 * Complete when the instrumentation has heard of it. On the same future the caller's
	 * own dependents would come first, since the last one attached does.
	 */
	private static CompletableFuture<LockHandle> told(Instrumentation.Call call, CompletableFuture<LockHandle> future) {
		CompletableFuture<LockHandle> told = new CompletableFuture<>();
		var unused = future.whenComplete((handle, ex) -> {
			if (handle != null) {
				try {
					call.acquired(handle);
				}
				finally {
					give(handle, told);
				}
			}
			else {
				call.notAcquired(outcome(ex), ex);
				told.completeExceptionally(ex);
			}
		});
		var unusedEither = told.whenComplete((handle, ex) -> {
			if (ex != null) {
				future.completeExceptionally(ex);
			}
		});
		return told;
	}

	private static LockListener.Outcome outcome(@Nullable Throwable failure) {
		if (failure instanceof LockNotAcquiredException) {
			return LockListener.Outcome.TIMEOUT;
		}
		return (failure instanceof CancellationException || failure instanceof TimeoutException)
				? LockListener.Outcome.INTERRUPTED : LockListener.Outcome.ERROR;
	}

}
