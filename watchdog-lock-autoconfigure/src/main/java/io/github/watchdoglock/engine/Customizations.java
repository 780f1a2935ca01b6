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

import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.text.PrintableText;

/**
 * The extensions that an application adds to an engine. Each applies from the moment when
 * it is set. Thread-safe.
 */
public final class Customizations {

	private volatile Instrumentation instrumentation = Instrumentation.NONE;

	private volatile Predicate<LockHandle> transactions = (handle) -> false;

	private volatile Predicate<String> earlyReleases = (name) -> false;

	private volatile UnaryOperator<LockRequest> completion = UnaryOperator.identity();

	private volatile AcquisitionGuard guard = AcquisitionGuard.rejecting(
			"spring-jdbc or Spring Boot's support for it is not on the class path. Add spring-boot-starter-jdbc and a"
					+ " database, or leave out 'fenced'");

	private volatile BooleanSupplier nonBlocking = () -> false;

	private final KeyRules keys;

	Customizations(KeyRules keys) {
		this.keys = keys;
	}

	/**
	 * Wrap the calls and the work of callers.
	 * @param instrumentation the wrapper, which replaces the former one
	 */
	public void instrument(Instrumentation instrumentation) {
		this.instrumentation = instrumentation;
	}

	/**
	 * Keep locks that have to outlive their transaction.
	 * @param transactions called on the thread of a handle: registers the handle to be
	 * closed when the thread's transaction has completed, committed or not, after all
	 * other callbacks of that transaction. Returns whether it will be closed; false if
	 * the thread is in no transaction
	 */
	public void closeAfterTransactions(Predicate<LockHandle> transactions) {
		this.transactions = transactions;
	}

	/**
	 * Warn of locks that are released before their transaction has ended.
	 * @param earlyReleases called on the thread that executes work under a lock, with the
	 * name of the lock: returns whether the thread is in a transaction, and the
	 * application has not decided to release the lock before it ends
	 */
	public void warnOfEarlyReleases(Predicate<String> earlyReleases) {
		this.earlyReleases = earlyReleases;
	}

	/**
	 * Guard fenced locks.
	 * @param guard the guard, which replaces one that rejects all requests
	 */
	public void guardFenced(AcquisitionGuard guard) {
		this.guard = guard;
	}

	/**
	 * Complete requests before they are processed.
	 * @param completion adds values that a request does not set itself and that take
	 * precedence over the settings; must always complete the same request in the same way
	 */
	public void completeRequests(UnaryOperator<LockRequest> completion) {
		this.completion = completion;
	}

	/**
	 * Reject requests for which a thread would wait that must not wait, unless the thread
	 * holds the lock already.
	 * @param nonBlocking called on the thread of a request: returns whether this thread
	 * must not wait
	 */
	public void rejectBlocking(BooleanSupplier nonBlocking) {
		this.nonBlocking = nonBlocking;
	}

	/* Called before the calling thread waits for a lock. */
	void ensureMayBlock(LockKey key) {
		if (this.nonBlocking.getAsBoolean()) {
			throw new IllegalStateException(
					"Lock '" + key + "' was requested on thread '" + PrintableText.of(Thread.currentThread().getName())
							+ "', which must not block. Use ReactiveLockService, return a Mono or Flux from the locked"
							+ " method, or make the call on Schedulers.boundedElastic()");
		}
	}

	AcquisitionGuard guard() {
		return this.guard;
	}

	Instrumentation instrumentation() {
		return this.instrumentation;
	}

	/* Closes handles when transactions have completed. */
	Predicate<LockHandle> transactions() {
		return this.transactions;
	}

	/* Whether to warn that a lock is released while its transaction is open. */
	Predicate<String> earlyReleases() {
		return this.earlyReleases;
	}

	/* Return the request with the values that apply, and with a checked key. */
	LockRequest complete(LockRequest request) {
		return this.completion.apply(this.keys.admit(request));
	}

}
