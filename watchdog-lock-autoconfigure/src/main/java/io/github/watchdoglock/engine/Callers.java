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
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Instrumentation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks for callers that wait on their own thread. Thread-safe.
 */
final class Callers {

	private static final Log logger = LogFactory.getLog(Callers.class);

	/* The number of frames that must be available: more than any task uses. */
	private static final int MIN_FRAMES = 128;

	private final EngineContext context;

	private final LocalKeys keys;

	private final Customizations customizations;

	/** The names of locks that were released before their transaction had ended. */
	private final Set<String> releasedEarly = ConcurrentHashMap.newKeySet();

	Callers(EngineContext context, LocalKeys keys, Customizations customizations) {
		this.context = context;
		this.keys = keys;
		this.customizations = customizations;
	}

	/* The lock is kept by the thread's transaction if the request says so. */
	LockHandle acquire(LockRequest request) throws InterruptedException {
		long start = this.context.now();
		RequestState state = new RequestState();
		Handle handle = acquireOrNull(request, state, request.releaseAfterTransaction());
		if (handle == null) {
			throw exception(state.refusal, request, start);
		}
		return handle;
	}

	/*
	 * Run work under a lock. It fails if the lock was lost and the rule for losses is
	 * FAIL.
	 */
	<T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E {
		LockHandle handle;
		try {
			handle = acquire(request);
		}
		catch (InterruptedException ex) {
			throw interrupted(request, ex);
		}
		try {
			return run(request, handle, callback);
		}
		catch (Error ex) {
			// The work may not have begun, and closing may have failed before it had
			// begun.
			handle.close();
			throw ex;
		}
	}

	/* Run work under a lock if it is granted within the wait time of the request. */
	<T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> callback) throws E {
		Optional<LockHandle> handle;
		try {
			handle = tryAcquire(request);
		}
		catch (InterruptedException ex) {
			throw interrupted(request, ex);
		}
		if (handle.isEmpty()) {
			return Optional.empty();
		}
		try {
			return Optional.of(Objects.requireNonNull(run(request, handle.get(), callback),
					"The work under a lock has returned null: call tryExecuteWithoutResult instead of tryExecute"));
		}
		catch (Error ex) {
			handle.get().close();
			throw ex;
		}
	}

	private static LockInterruptedException interrupted(LockRequest request, InterruptedException cause) {
		Thread.currentThread().interrupt();
		return new LockInterruptedException(request.key(), cause);
	}

	private <T extends @Nullable Object, E extends Exception> T run(LockRequest request, LockHandle handle,
			LockCallback<T, E> callback) throws E {
		T result;
		try (handle) {
			warnOfEarlyRelease(request, (Handle) handle);
			Runnable end = this.customizations.instrumentation().working(handle);
			try {
				result = callback.run(handle);
			}
			finally {
				end.run();
			}
		}
		if (this.context.rules.onLoss(request) == OnLoss.FAIL) {
			handle.loss().ifPresent((loss) -> {
				throw new LockLostException(loss);
			});
		}
		return result;
	}

	private void warnOfEarlyRelease(LockRequest request, Handle handle) {
		String name = request.key().name();
		if (!request.releaseAfterTransaction() && this.customizations.earlyReleases().test(name)
				&& !handle.isOutlasted() && this.releasedEarly.add(name)) {
			logger.warn("Lock '" + name + "' is executed inside a transaction, and released before that"
					+ " transaction is committed, so the next holder reads old data. Add withReleaseAfterTransaction()"
					+ " to the request, begin the transaction under the lock, or set watchdog-lock.locks.<name>.release"
					+ "=at-return if no data of the transaction depends on the lock");
		}
	}

	/*
	 * Acquire with the rest of a wait time that began at the start. The lock is not kept
	 * by a transaction yet.
	 */
	LockHandle acquire(LockRequest request, long start) throws InterruptedException {
		long wait = this.context.waitOfThread(request.waitTime());
		long left = Math.max(wait - (this.context.nowNoticingSleep() - start), 0);
		RequestState state = new RequestState();
		Handle handle = acquireOrNull((wait > 0) ? request.withWaitTime(Duration.ofNanos(left)) : request, state,
				false);
		if (handle == null) {
			throw exception(state.refusal, request, start);
		}
		return handle;
	}

	Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		RequestState state = new RequestState();
		try {
			return Optional.ofNullable(acquireOrNull(request, state, request.releaseAfterTransaction()));
		}
		catch (LockNotAcquiredException ex) {
			// A fenced lock: a transaction of an earlier holder is still open.
			return Optional.empty();
		}
		catch (Error ex) {
			state.undo(ex);
			throw ex;
		}
	}

	/* Let the lock outlive the transaction that its thread is in, if there is one. */
	void keep(LockHandle handle) {
		((Handle) handle).keep();
	}

	/*
	 * Return null if another caller has the lock. If this method throws, it leaves
	 * nothing behind: the caller receives an error (for example because its stack is too
	 * small) instead of the handle, so the lock is released.
	 */
	private @Nullable Handle acquireOrNull(LockRequest request, RequestState state, boolean kept)
			throws InterruptedException {
		Handle outer = this.context.handles.find(request.key());
		Instrumentation.Call call = call(request.key(), outer);
		try {
			Handle handle = await(request, outer, state, call);
			if (handle == null) {
				call.notAcquired(LockListener.Outcome.TIMEOUT, null);
				return null;
			}
			call.acquired(handle);
			if (kept) {
				keep(handle);
			}
			return handle;
		}
		catch (RuntimeException | Error ex) {
			state.undo(ex);
			throw ex;
		}
	}

	private @Nullable Handle await(LockRequest request, @Nullable Handle outer, RequestState state,
			Instrumentation.Call call) throws InterruptedException {
		try {
			return await(request, outer, state);
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			call.notAcquired(outcome(ex), (ex instanceof LockNotAcquiredException) ? null : ex);
			throw ex;
		}
	}

	static LockListener.Outcome outcome(Throwable failure) {
		if (failure instanceof LockNotAcquiredException) {
			return LockListener.Outcome.TIMEOUT;
		}
		boolean left = failure instanceof InterruptedException || failure instanceof CancellationException
				|| failure instanceof TimeoutException;
		return left ? LockListener.Outcome.INTERRUPTED : LockListener.Outcome.ERROR;
	}

	/*
	 * Fail if the stack is too small for a caller, before anything was begun that could
	 * be left behind. Closing a handle needs less stack than this checks for.
	 */
	static void ensureStack() {
		long used = ensureStack(MIN_FRAMES, 1, 2, 3, 4, 5, 6, 7, 8);
		assert used != 0;
	}

	/*
	 * The frames are large in compiled code, too, because all parameters are needed after
	 * the call.
	 */
	private static long ensureStack(int frames, long a, long b, long c, long d, long e, long f, long g, long h) {
		return (frames == 0) ? 1 : Math.max(ensureStack(frames - 1, h, a, b, c, d, e, f, g),
				Math.max(Math.max(Math.max(a, b), Math.max(c, d)), Math.max(Math.max(e, f), Math.max(g, h))));
	}

	/*
	 * Not observed are re-entries, which belong to the same hold, and candidates for a
	 * role, which wait for hours.
	 */
	Instrumentation.Call call(LockKey key, @Nullable Handle outer) {
		return (key.isRole() || outer != null) ? Instrumentation.Call.UNOBSERVED
				: this.customizations.instrumentation().calling(key);
	}

	/* Wait until the lock is granted or refused. Return null if it is refused. */
	private @Nullable Handle await(LockRequest request, @Nullable Handle outer, RequestState state)
			throws InterruptedException {
		LeaseTiming timing = this.context.timing(request.lease());
		if (Thread.currentThread().isInterrupted()) {
			if (outer != null) {
				// The loss of that hold may have interrupted the thread.
				Reentry.failIfLost(outer.hold(), this.context.nowNoticingSleep());
			}
			var unused = Thread.interrupted();
			throw new InterruptedException("Interrupted before requesting lock '" + request.key() + "'");
		}
		boolean fenced = Boolean.TRUE.equals(request.fenced()) && (outer == null || outer.hold().admission() == null);
		long start = fenced ? this.context.nowNoticingSleep() : 0;
		if (fenced) {
			this.customizations.guard().beforeAcquire(request);
		}
		Reentry reentry = (outer != null) ? Reentry.begin(this.context, outer, request, timing) : null;
		if (reentry != null) {
			state.handle = reentry.handle;
			reentry.await();
		}
		else {
			this.customizations.ensureMayBlock(request.key());
			Waiter waiter = waiter(request, timing, this.context.handles.owner(), null);
			state.waiter = waiter;
			join(waiter);
			Waiter.Outcome outcome = waiter.await(this.context);
			if (outcome instanceof Waiter.Outcome.Refused refused) {
				state.refusal = refused;
				return null;
			}
			if (outcome instanceof Waiter.Outcome.Failed failed) {
				if (failed.cause() instanceof InterruptedException) {
					throw new InterruptedException(failed.cause().getMessage());
				}
				throw exception(failed, request.key());
			}
			state.handle = ((Waiter.Outcome.Granted) outcome).handle();
		}
		this.context.handles.add(Objects.requireNonNull(state.handle));
		if (fenced) {
			admit(request, state.handle, start);
		}
		return state.handle;
	}

	/* The lock is granted, but its caller gets it only if the guard admits the hold. */
	private void admit(LockRequest request, Handle handle, long start) {
		long wait = this.context.waitOfThread(request.waitTime());
		long left = (wait < 0) ? Long.MAX_VALUE : Math.max(wait - (this.context.nowNoticingSleep() - start), 0);
		handle.hold().admit(this.customizations.guard().admit(request, handle, Duration.ofNanos(left)));
	}

	/* If no thread waits, whenDone receives the outcome. */
	Waiter waiter(LockRequest request, LeaseTiming timing, ThreadHandles.@Nullable HoldingThread owner,
			@Nullable Consumer<Waiter.Outcome> whenDone) {
		if (!this.context.isOpen()) {
			throw new LockServiceClosedException(request.key());
		}
		return new Waiter(request.key(), Kinds.of(request), timing, this.context.rules.with(request),
				(owner != null) ? this.context.waitOfThread(request.waitTime()) : this.context.wait(request.waitTime()),
				this.context.nowNoticingSleep(), owner, whenDone);
	}

	/* Let a waiter join its key. */
	void join(Waiter waiter) {
		this.context.events.waiting(waiter.key, waiter.mode);
		this.keys.join(waiter);
	}

	LockNotAcquiredException exception(Waiter.Outcome.Refused refused, LockRequest request, long start) {
		boolean once = this.context.wait(request.waitTime()) == 0;
		Duration waited = once ? Duration.ZERO : Duration.ofNanos(this.context.now() - start);
		List<LockKey> kept = once ? List.of() : this.context.handles.kept().toList();
		return new LockNotAcquiredException(request.key(), waited, refused.holder(), refused.remaining(), kept);
	}

	/*
	 * The cause was created on another thread, whose stack trace does not help this
	 * caller.
	 */
	private static RuntimeException exception(Waiter.Outcome.Failed failed, LockKey key) {
		return (failed.cause() instanceof LockServiceClosedException) ? new LockServiceClosedException(key)
				: new LockStoreException("Lock '" + key + "' was not acquired: " + failed.cause().getMessage(),
						failed.cause());
	}

	/**
	 * The state of a request so far.
	 */
	private static final class RequestState {

		private @Nullable Waiter waiter;

		private @Nullable Handle handle;

		private Waiter.Outcome.Refused refusal = Waiter.Outcome.Refused.UNKNOWN;

		/*
		 * Undo the request in whatever state it is, because no caller receives its
		 * outcome.
		 */
		private void undo(Throwable cause) {
			if (this.handle != null) {
				this.handle.close();
			}
			else if (this.waiter != null) {
				this.waiter.abandon(cause);
			}
		}

	}

}
