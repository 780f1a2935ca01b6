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
 * Tells whether a locked method leaves the transaction of its caller: one that begins a
 * transaction of its own, or runs without one. Thread-safe.
 */
public final class TransactionScope {

	private static final ThreadLocal<@Nullable Boolean> leaving = new ThreadLocal<>();

	private TransactionScope() {
	}

	/**
	 * The calling thread acquires locks for such a method.
	 */
	public static void leave() {
		leaving.set(true);
	}

	/**
	 * It has acquired them, or failed to.
	 */
	public static void end() {
		leaving.remove();
	}

	/**
	 * Whether the calling thread acquires locks for such a method.
	 * @return whether what it does under them is not part of its transaction
	 */
	public static boolean isLeft() {
		return leaving.get() != null;
	}

}
