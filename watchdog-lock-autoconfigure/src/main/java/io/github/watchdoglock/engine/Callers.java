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
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Brings callers to their cohort and waits with them: a blocked caller parks on its own
 * thread, an asynchronous one leaves its future behind.
 */
final class Callers {

	private final Core core;

	private final Cohorts cohorts;

	Callers(Core core, Cohorts cohorts) {
		this.core = core;
		this.cohorts = cohorts;
	}

	/* Wait for a lock on the calling thread, until it is granted or refused. */
	Waiter.Outcome acquire(LockRequest request) throws InterruptedException {
		Terms terms = this.core.terms(request.lease());
		Reentry.failIfLost(this.core, request.key());
		if (Thread.interrupted()) {
			throw new InterruptedException("Interrupted before asking for lock '" + request.key() + "'");
		}
		Reentry again = Reentry.begin(this.core, request, terms);
		if (again != null) {
			Handle handle = again.await();
			this.core.threads().remember(handle);
			return new Waiter.Outcome.Granted(handle);
		}
		Waiter waiter = enter(request, terms, Thread.currentThread(), null);
		Waiter.Outcome outcome = new BlockedCaller(this.core, waiter).await();
		if (outcome instanceof Waiter.Outcome.Granted granted) {
			this.core.threads().remember(granted.handle());
		}
		else if (outcome instanceof Waiter.Outcome.Failed failed) {
			throw here(failed.cause(), request.key());
		}
		return outcome;
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		CompletableFuture<LockHandle> future = new CompletableFuture<>();
		try {
			Terms terms = this.core.terms(request.lease());
			Reentry again = Reentry.begin(this.core, request, terms);
			if (again != null) {
				again.complete(future);
				return future;
			}
			long start = this.core.look();
			Waiter waiter = enter(request, terms, null,
					(outcome) -> this.core.completions().execute(() -> deliver(outcome, future, request, start)));
			var unused = future.whenComplete((handle, ex) -> {
				if (ex != null) {
					waiter.leave(ex);
				}
			});
		}
		catch (RuntimeException ex) {
			future.completeExceptionally(ex);
		}
		return future;
	}

	private void deliver(Waiter.Outcome outcome, CompletableFuture<LockHandle> future, LockRequest request,
			long start) {
		if (outcome instanceof Waiter.Outcome.Granted granted) {
			if (!future.complete(granted.handle())) {
				// Cancelled or timed out at the same moment.
				var unused = granted.handle().closeAsync();
			}
		}
		else if (outcome instanceof Waiter.Outcome.Refused refused) {
			future.completeExceptionally(exception(refused, request, start));
		}
		else if (outcome instanceof Waiter.Outcome.Failed failed) {
			future.completeExceptionally(failed.cause());
		}
	}

	LockNotAcquiredException exception(Waiter.Outcome.Refused refused, LockRequest request, long start) {
		boolean once = this.core.wait(request.waitTime()) == 0;
		Duration waited = once ? Duration.ZERO : Duration.ofNanos(this.core.now() - start);
		return new LockNotAcquiredException(request.key(), waited, refused.busy().holder(), refused.busy().remaining());
	}

	private Waiter enter(LockRequest request, Terms terms, @Nullable Thread thread,
			@Nullable Consumer<Waiter.Outcome> whenDone) {
		if (!this.core.isOpen()) {
			throw new LockServiceClosedException(request.key());
		}
		Waiter waiter = new Waiter(request.key(), terms, this.core.rules().with(request),
				this.core.wait(request.waitTime()), this.core.look(), thread, whenDone);
		this.core.events().waiting(request.key());
		this.cohorts.join(waiter);
		return waiter;
	}

	/* The cause was made on another thread, whose stack says nothing to this caller. */
	private static RuntimeException here(Throwable cause, LockKey key) throws InterruptedException {
		if (cause instanceof InterruptedException) {
			throw new InterruptedException(cause.getMessage());
		}
		if (cause instanceof LockServiceClosedException) {
			return new LockServiceClosedException(key);
		}
		return new LockStoreException("Lock '" + key + "' was not acquired: " + cause.getMessage(), cause);
	}

}
