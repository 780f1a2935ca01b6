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
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Brings callers to the cohort of their key, and serves those who wait on their own
 * thread. Thread-safe.
 */
final class Callers {

	/* Deeper than steps go, and what they leave to be done. */
	static final int STACK = 128;

	private final Core core;

	private final Cohorts cohorts;

	private final Customizations customizations;

	Callers(Core core, Cohorts cohorts, Customizations customizations) {
		this.core = core;
		this.cohorts = cohorts;
		this.customizations = customizations;
	}

	LockHandle acquire(LockRequest request) throws InterruptedException {
		long start = this.core.nowNoticingSleep();
		return handle(ask(request), request, start);
	}

	/* With what is left of a wait that began at the start. */
	LockHandle acquire(LockRequest request, long start) throws InterruptedException {
		long wait = this.core.wait(request.waitTime());
		long left = Math.max(wait - (this.core.nowNoticingSleep() - start), 0);
		return handle(ask((wait > 0) ? request.withWaitTime(Duration.ofNanos(left)) : request), request, start);
	}

	private LockHandle handle(Waiter.Outcome outcome, LockRequest request, long start) {
		if (outcome instanceof Waiter.Outcome.Refused refused) {
			throw exception(refused, request, start);
		}
		return ((Waiter.Outcome.Granted) outcome).handle();
	}

	Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		Waiter.Outcome outcome = ask(request);
		if (!(outcome instanceof Waiter.Outcome.Granted granted)) {
			return Optional.empty();
		}
		try {
			return Optional.of(keepIfAsked(request, granted.handle()));
		}
		catch (Error ex) {
			granted.handle().close();
			throw ex;
		}
	}

	/* What was acquired may have to outlive the transaction that its thread is in. */
	LockHandle keepIfAsked(LockRequest request, LockHandle handle) {
		if (request.releaseAfterTransaction()) {
			KeptHandle.keep((Handle) handle, this.core.threads(), this.customizations.transactions());
		}
		return handle;
	}

	private Waiter.Outcome ask(LockRequest request) throws InterruptedException {
		ensureStack(STACK);
		Instrumentation.Call call = call(request.key());
		Waiter.Outcome outcome;
		try {
			outcome = await(request);
		}
		catch (InterruptedException ex) {
			call.notAcquired(LockListener.Outcome.INTERRUPTED, ex);
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			call.notAcquired(LockListener.Outcome.ERROR, ex);
			throw ex;
		}
		if (outcome instanceof Waiter.Outcome.Granted granted) {
			acquired(call, granted.handle());
		}
		else {
			call.notAcquired(LockListener.Outcome.TIMEOUT, null);
		}
		return outcome;
	}

	/*
	 * Fails where the stack is too small for a caller, before there is anything that it
	 * could leave behind: closing what it acquires needs less.
	 */
	static int ensureStack(int frames) {
		return (frames == 0) ? 0 : 1 + ensureStack(frames - 1);
	}

	/* A re-entry is the same hold: nobody is asked. */
	Instrumentation.Call call(LockKey key) {
		return (this.core.threads().find(key) != null) ? Instrumentation.Call.UNHEARD
				: this.customizations.instrumentation().calling(key);
	}

	/*
	 * An error, as of a stack that is too small, reaches the caller in place of the
	 * handle.
	 */
	private static void acquired(Instrumentation.Call call, LockHandle handle) {
		try {
			call.acquired(handle);
		}
		catch (Error ex) {
			handle.close();
			throw ex;
		}
	}

	/* Until it is granted or refused. */
	private Waiter.Outcome await(LockRequest request) throws InterruptedException {
		Terms terms = this.core.terms(request.lease());
		Reentry.failIfLost(this.core, request.key());
		if (Thread.interrupted()) {
			throw new InterruptedException("Interrupted before asking for lock '" + request.key() + "'");
		}
		Reentry again = Reentry.begin(this.core, request, terms);
		if (again != null) {
			return remembered(again.await());
		}
		Waiter waiter = waiter(request, terms, Thread.currentThread(), null);
		try {
			join(waiter);
			Waiter.Outcome outcome = waiter.await(this.core);
			if (outcome instanceof Waiter.Outcome.Granted granted) {
				this.core.threads().remember((Handle) granted.handle());
			}
			else if (outcome instanceof Waiter.Outcome.Failed failed) {
				throw here(failed.cause(), request.key());
			}
			return outcome;
		}
		catch (Error ex) {
			waiter.abandon(ex);
			throw ex;
		}
	}

	private Waiter.Outcome remembered(Handle handle) {
		try {
			this.core.threads().remember(handle);
			return new Waiter.Outcome.Granted(handle);
		}
		catch (Error ex) {
			handle.close();
			throw ex;
		}
	}

	/* An outcome that no thread waits for is told. */
	Waiter waiter(LockRequest request, Terms terms, @Nullable Thread thread,
			@Nullable Consumer<Waiter.Outcome> whenDone) {
		if (!this.core.isOpen()) {
			throw new LockServiceClosedException(request.key());
		}
		return new Waiter(request.key(), terms, this.core.rules().with(request), this.core.wait(request.waitTime()),
				this.core.nowNoticingSleep(), thread, whenDone);
	}

	/* Let it into its cohort. */
	void join(Waiter waiter) {
		this.core.events().waiting(waiter.key);
		this.cohorts.join(waiter);
	}

	LockNotAcquiredException exception(Waiter.Outcome.Refused refused, LockRequest request, long start) {
		boolean once = this.core.wait(request.waitTime()) == 0;
		Duration waited = once ? Duration.ZERO : Duration.ofNanos(this.core.now() - start);
		return new LockNotAcquiredException(request.key(), waited, refused.holder(), refused.remaining());
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
