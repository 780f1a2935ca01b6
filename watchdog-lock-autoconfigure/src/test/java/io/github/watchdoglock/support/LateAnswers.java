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

package io.github.watchdoglock.support;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;

/**
 * Answers of the store that arrive after the command timeout: on a busy machine they
 * prove nothing about the tested code.
 */
public final class LateAnswers {

	private static final int TRIES = 100;

	private LateAnswers() {
	}

	/**
	 * Acquire a lock, and repeat the request whenever the answer is late.
	 * @param locks the lock service
	 * @param request the request
	 * @return the lock, which no thread owns
	 */
	public static CompletableFuture<LockHandle> acquire(LockService locks, LockRequest request) {
		return acquire(locks, request, TRIES);
	}

	private static CompletableFuture<LockHandle> acquire(LockService locks, LockRequest request, int tries) {
		return locks.acquireAsync(request)
			.exceptionallyCompose((failure) -> (tries > 1 && isLate(failure)) ? acquire(locks, request, tries - 1)
					: CompletableFuture.failedFuture(failure));
	}

	/**
	 * Return whether a failure was caused by a late answer.
	 * @param failure the failure
	 * @return false if there was an answer, or the connection was lost
	 */
	public static boolean isLate(Throwable failure) {
		Throwable cause = failure;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return cause instanceof TimeoutException;
	}

}
