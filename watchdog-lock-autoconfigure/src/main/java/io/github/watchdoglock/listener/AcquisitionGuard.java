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

package io.github.watchdoglock.listener;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import org.jspecify.annotations.Nullable;

/**
 * A guard of fenced locks: a second condition that a caller must meet before it holds the
 * lock. Called on the caller's thread, and may block. Thread-safe.
 */
public interface AcquisitionGuard {

	/**
	 * Check whether the calling thread may request a fenced lock. Not called if its hold
	 * is already guarded.
	 * @param request a request whose {@link LockRequest#fenced()} is true
	 * @throws RuntimeException if it may not; nothing was acquired
	 */
	void beforeAcquire(LockRequest request);

	/**
	 * Admit a hold, once, before its caller gets it.
	 * @param request the request for the lock
	 * @param handle a handle of the hold
	 * @param left the rest of the caller's wait time
	 * @return the admission, which belongs to the hold from now on
	 * @throws RuntimeException if the caller must not hold the lock, which is then
	 * released
	 */
	Admission admit(LockRequest request, LockHandle handle, Duration left);

	/**
	 * Act as a later holder of a lock would, for tests: the present holder is overtaken.
	 * @param key the lock
	 * @throws IllegalStateException if the lock was never fenced
	 */
	void overtake(LockKey key);

	/**
	 * Return the problem that prevents holds from being admitted.
	 * @return the problem, null if there is none
	 */
	default @Nullable String problem() {
		return null;
	}

	/**
	 * Return a guard for applications in which no lock can be fenced.
	 * @param reason why not, and what to do
	 * @return a guard that rejects each request
	 */
	static AcquisitionGuard rejecting(String reason) {
		return new AcquisitionGuard() {

			@Override
			public void beforeAcquire(LockRequest request) {
				throw new IllegalStateException("Lock '" + request.key() + "' cannot be fenced: " + reason);
			}

			@Override
			public Admission admit(LockRequest request, LockHandle handle, Duration left) {
				throw new IllegalStateException("Lock '" + request.key() + "' cannot be fenced: " + reason);
			}

			@Override
			public void overtake(LockKey key) {
				throw new IllegalStateException("Lock '" + key + "' cannot be fenced: " + reason);
			}

		};
	}

	/**
	 * The admission of a hold.
	 */
	interface Admission {

		/**
		 * Return what has to be reported about the hold after its release. Read inline.
		 * @return the report, which may block; none if there is nothing to report
		 */
		AtomicReference<@Nullable Runnable> unchecked();

	}

}
