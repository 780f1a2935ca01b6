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

package io.github.watchdoglock;

import org.jspecify.annotations.Nullable;

/**
 * Exception thrown if there is no valid key: the name or the id is null, blank, too long
 * or cannot be computed, or the condition is neither true nor false.
 */
public class LockKeyException extends LockException {

	/**
	 * Create an exception.
	 * @param message what is missing and how to set it
	 */
	public LockKeyException(String message) {
		super(message, null);
	}

	/**
	 * Create an exception.
	 * @param message what is missing and how to set it
	 * @param cause the failure of the computation, or null if there is none
	 */
	public LockKeyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
