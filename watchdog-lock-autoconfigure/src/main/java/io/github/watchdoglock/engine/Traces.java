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

import io.github.watchdoglock.LockStoreException;

/**
 * What an attempt may have in the store, as far as the answers to its commands tell.
 */
final class Traces {

	private boolean left;

	/** Whether a command since the last answer may have been granted. */
	private boolean unknown;

	/** Commands that failed since the last answer. */
	private int failures;

	/** Until when the store may keep the key for this attempt. */
	private long leaseEnd;

	Traces(long now) {
		this.leaseEnd = now;
	}

	boolean areLeft() {
		return this.left;
	}

	boolean isFailing() {
		return this.failures > 0;
	}

	/* Whether the last failure can't have been a grant. */
	boolean areKnown() {
		return !this.unknown;
	}

	/* A command for a lease until some moment was sent. */
	void sent(long end) {
		if (end - this.leaseEnd > 0) {
			this.leaseEnd = end;
		}
	}

	long leaseEnd() {
		return this.leaseEnd;
	}

	/* The store has answered, and may have something from now on. */
	void answered(boolean left) {
		this.left |= left;
		this.unknown = false;
		this.failures = 0;
	}

	/* How long to leave the store alone after a failure. */
	long failed(Throwable cause) {
		this.left |= !hadNoEffect(cause);
		this.failures++;
		this.unknown |= cause instanceof OutcomeUnknownException;
		return Backoff.after(this.failures);
	}

	private static boolean hadNoEffect(Throwable cause) {
		return cause instanceof LockStoreException && !(cause instanceof OutcomeUnknownException);
	}

}
