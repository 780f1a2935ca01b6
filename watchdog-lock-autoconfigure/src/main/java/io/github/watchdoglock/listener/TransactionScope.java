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

import org.jspecify.annotations.Nullable;

/**
 * The transaction scope of a locked method: whether it leaves the transaction of its
 * caller, because it begins its own transaction or runs without one, or would join that
 * transaction. Thread-safe.
 */
public final class TransactionScope {

	private static final ThreadLocal<@Nullable Boolean> scope = new ThreadLocal<>();

	private TransactionScope() {
	}

	/**
	 * Declare that the calling thread acquires locks for a transactional method.
	 * @param leaves whether the work under these locks is not part of the thread's
	 * transaction
	 */
	public static void begin(boolean leaves) {
		scope.set(leaves);
	}

	/** Declare that the calling thread has acquired these locks, or failed to. */
	public static void end() {
		scope.remove();
	}

	/**
	 * Return whether the calling thread acquires locks for a method that leaves its
	 * transaction.
	 * @return whether the work under these locks is not part of the thread's transaction
	 */
	public static boolean isLeft() {
		return Boolean.TRUE.equals(scope.get());
	}

	/**
	 * Return whether the calling thread acquires locks for a method that joins its
	 * transaction.
	 * @return whether the method joins the transaction, if there is one
	 */
	public static boolean isJoined() {
		return Boolean.FALSE.equals(scope.get());
	}

}
