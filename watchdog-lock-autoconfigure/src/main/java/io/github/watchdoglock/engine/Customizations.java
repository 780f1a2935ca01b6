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

import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.AcquisitionGuard;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.settings.KeyRules;

/**
 * What an application adds to an engine; what is said here counts from then on.
 * Thread-safe.
 */
public final class Customizations {

	private volatile Instrumentation instrumentation = Instrumentation.NONE;

	private volatile Predicate<LockHandle> transactions = (handle) -> false;

	private volatile UnaryOperator<LockRequest> completion = UnaryOperator.identity();

	private volatile AcquisitionGuard guard = AcquisitionGuard.rejecting(
			"spring-jdbc or Spring Boot's support for it is not on the class path. Add spring-boot-starter-jdbc and a"
					+ " database, or leave out 'fenced'");

	private final KeyRules keys;

	Customizations(KeyRules keys) {
		this.keys = keys;
	}

	/**
	 * Put something around what callers do.
	 * @param instrumentation what it is, in place of what was
	 */
	public void instrument(Instrumentation instrumentation) {
		this.instrumentation = instrumentation;
	}

	/**
	 * Have locks kept that outlive their transaction.
	 * @param transactions asked on the thread that has a handle: to close it when the
	 * thread's transaction is complete, committed or not, after everything else that
	 * waits for that. Answers whether that will be; false where the thread is in none
	 */
	public void closeAfterTransactions(Predicate<LockHandle> transactions) {
		this.transactions = transactions;
	}

	/**
	 * Guard fenced locks.
	 * @param guard the guard, which replaces one that rejects all
	 */
	public void guardFenced(AcquisitionGuard guard) {
		this.guard = guard;
	}

	/**
	 * Complete requests before they are answered.
	 * @param completion adds what a request does not say itself, where the settings are
	 * not to count; completes no request in two ways
	 */
	public void completeRequests(UnaryOperator<LockRequest> completion) {
		this.completion = completion;
	}

	AcquisitionGuard guard() {
		return this.guard;
	}

	Instrumentation instrumentation() {
		return this.instrumentation;
	}

	/* Has handles closed when transactions are complete. */
	Predicate<LockHandle> transactions() {
		return this.transactions;
	}

	/* The request as it counts, with a key that is let in. */
	LockRequest complete(LockRequest request) {
		return this.completion.apply(this.keys.admit(request));
	}

}
