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

package io.github.watchdoglock.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Calls to a store, with any kind of failure. The pause after a failure is 50 ms and
 * doubles with each further failure, up to a second, with jitter so that instances do not
 * return at the same time.
 */
public final class StoreCalls {

	private static final long FIRST_BACKOFF = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int MAX_DOUBLINGS = 5;

	private static final long MAX_BACKOFF = TimeUnit.SECONDS.toNanos(1);

	private StoreCalls() {
	}

	/**
	 * Call the store, and return a failed stage if the store throws instead of answering.
	 * @param <T> the type of the answer
	 * @param command calls the store
	 * @return the stage of the answer
	 */
	public static <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> command) {
		try {
			return command.get();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Return how long to wait before calling the store again after failures.
	 * @param failures the number of consecutive failures, at least one
	 * @param chance a random number, at least zero and less than one
	 * @return nanoseconds
	 */
	public static long backoff(int failures, double chance) {
		long delay = Math.min(FIRST_BACKOFF << Math.min(failures - 1, MAX_DOUBLINGS), MAX_BACKOFF);
		long half = delay / 2;
		return half + (long) (chance * half);
	}

	/**
	 * Return why a stage of the store has failed.
	 * @param failure the failure of the stage, null if the stage had no answer either
	 * @return the cause
	 */
	public static Throwable cause(@Nullable Throwable failure) {
		if (failure == null) {
			return new OutcomeUnknownException("The store gave no answer", null);
		}
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
