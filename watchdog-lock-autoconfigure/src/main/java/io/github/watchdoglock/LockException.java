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
 * Root of the exceptions of locks.
 */
public abstract class LockException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message what happened, to which lock, and what to do
	 * @param cause the cause, or null if there is none
	 */
	protected LockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

	/*
	 * Without a stack trace, because creating one is expensive, and these exceptions are
	 * expected.
	 */
	LockException(String message) {
		super(message, null, true, false);
	}

}
