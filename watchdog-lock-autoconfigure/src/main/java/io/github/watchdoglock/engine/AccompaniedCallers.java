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
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * Callers with the one who goes along with them.
 */
final class AccompaniedCallers {

	private final Core core;

	private final Callers callers;

	private final Surroundings surroundings;

	AccompaniedCallers(Core core, Callers callers, Surroundings surroundings) {
		this.core = core;
		this.callers = callers;
		this.surroundings = surroundings;
	}

	LockHandle acquire(LockRequest request) throws InterruptedException {
		long start = this.core.look();
		Waiter.Outcome outcome = ask(request);
		if (outcome instanceof Waiter.Outcome.Refused refused) {
			throw this.callers.exception(refused, request, start);
		}
		return handle(outcome);
	}

	/* With what is left of a wait that began at the start. */
	LockHandle acquire(LockRequest request, long start) throws InterruptedException {
		long wait = this.core.wait(request.waitTime());
		long left = Math.max(wait - (this.core.look() - start), 0);
		Waiter.Outcome outcome = ask((wait > 0) ? request.withWaitTime(Duration.ofNanos(left)) : request);
		if (outcome instanceof Waiter.Outcome.Refused refused) {
			throw this.callers.exception(refused, request, start);
		}
		return handle(outcome);
	}

	Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		Waiter.Outcome outcome = ask(request);
		return (outcome instanceof Waiter.Outcome.Refused) ? Optional.empty() : Optional.of(handle(outcome));
	}

	private static LockHandle handle(Waiter.Outcome outcome) {
		return ((Waiter.Outcome.Granted) outcome).handle();
	}

	private Waiter.Outcome ask(LockRequest request) throws InterruptedException {
		Companion.Asking asking = asking(request.key());
		Waiter.Outcome outcome;
		try {
			outcome = this.callers.acquire(request);
		}
		catch (InterruptedException ex) {
			asking.notAcquired(LockListener.Outcome.INTERRUPTED, ex);
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			asking.notAcquired(LockListener.Outcome.ERROR, ex);
			throw ex;
		}
		if (outcome instanceof Waiter.Outcome.Granted granted) {
			acquired(asking, granted.handle());
		}
		else {
			asking.notAcquired(LockListener.Outcome.TIMEOUT, null);
		}
		return outcome;
	}

	/*
	 * An error, as of a stack that is too small, reaches the caller in place of the
	 * handle.
	 */
	private static void acquired(Companion.Asking asking, LockHandle handle) {
		try {
			asking.acquired(handle);
		}
		catch (Error ex) {
			handle.close();
			throw ex;
		}
	}

	CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		Companion.Asking asking = asking(request.key());
		CompletableFuture<LockHandle> future = this.callers.acquireAsync(request);
		return (asking != Companion.Asking.UNHEARD) ? told(asking, future) : future;
	}

	/*
	 * Complete when who goes along has heard of it. On the same future the caller's own
	 * dependents would come first, since the last one attached does.
	 */
	private static CompletableFuture<LockHandle> told(Companion.Asking asking, CompletableFuture<LockHandle> future) {
		CompletableFuture<LockHandle> told = new CompletableFuture<>();
		var unused = future.whenComplete((handle, ex) -> {
			if (handle != null) {
				try {
					asking.acquired(handle);
				}
				finally {
					if (!told.complete(handle)) {
						// Cancelled or timed out at the same moment.
						var unusedToo = handle.closeAsync();
					}
				}
			}
			else {
				asking.notAcquired(outcome(ex), ex);
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

	/* A re-entry is the same hold: nobody is asked. */
	private Companion.Asking asking(LockKey key) {
		return (this.core.threads().find(key) != null) ? Companion.Asking.UNHEARD
				: this.surroundings.companion().asking(key);
	}

	private static LockListener.Outcome outcome(@Nullable Throwable failure) {
		if (failure instanceof LockNotAcquiredException) {
			return LockListener.Outcome.TIMEOUT;
		}
		return (failure instanceof CancellationException || failure instanceof TimeoutException)
				? LockListener.Outcome.INTERRUPTED : LockListener.Outcome.ERROR;
	}

	/* The callback, with the one who goes along. */
	<T extends @Nullable Object, E extends Exception> LockCallback<T, E> accompanied(LockCallback<T, E> callback) {
		return (handle) -> {
			Runnable end = this.surroundings.companion().working(handle);
			try {
				return callback.run(handle);
			}
			finally {
				end.run();
			}
		};
	}

}
