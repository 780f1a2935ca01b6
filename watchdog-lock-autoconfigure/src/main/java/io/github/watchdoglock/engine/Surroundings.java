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

import java.util.List;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.LockRequest;

/**
 * What an application adds to an engine; what is said here counts from then on.
 * Thread-safe.
 */
public final class Surroundings {

	private volatile Companion companion = new Company(List.of());

	private volatile Transactions transactions = Transactions.NONE;

	private volatile UnaryOperator<LockRequest> completion = UnaryOperator.identity();

	private final KeyRules keys;

	Surroundings(KeyRules keys) {
		this.keys = keys;
	}

	/**
	 * Go along with callers.
	 * @param companion who goes along, in place of who did
	 */
	public void accompany(Companion companion) {
		this.companion = companion;
	}

	/**
	 * Have locks that outlive their transaction kept.
	 * @param transactions knows when transactions are complete
	 */
	public void join(Transactions transactions) {
		this.transactions = transactions;
	}

	/**
	 * Complete requests before they are answered.
	 * @param completion adds what a request does not say itself, where the settings are
	 * not to count; completes no request in two ways
	 */
	public void completeRequests(UnaryOperator<LockRequest> completion) {
		this.completion = completion;
	}

	Companion companion() {
		return this.companion;
	}

	Transactions transactions() {
		return this.transactions;
	}

	/* The request as it counts, with a key that is let in. */
	LockRequest complete(LockRequest request) {
		return this.completion.apply(this.keys.admit(request));
	}

}
