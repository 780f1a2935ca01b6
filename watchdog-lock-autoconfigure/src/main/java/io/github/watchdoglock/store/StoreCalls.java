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
 * How the engine calls its store, whatever that does: after a failure again in 50 ms,
 * doubled each time, up to a second, each with jitter so that instances do not come back
 * together.
 */
public final class StoreCalls {

	private static final long FIRST_BACKOFF = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int MAX_DOUBLINGS = 5;

	private static final long MAX_BACKOFF = TimeUnit.SECONDS.toNanos(1);

	private StoreCalls() {
	}

	/**
	 * The answer to a command, also where the store throws instead of answering.
	 * @param <T> the type of the answer
	 * @param command asks the store
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
	 * How long to leave the store alone after a failure.
	 * @param failures how many there were, one after the other; at least one
	 * @param chance at least zero and less than one
	 * @return nanoseconds
	 */
	public static long backoff(int failures, double chance) {
		long delay = Math.min(FIRST_BACKOFF << Math.min(failures - 1, MAX_DOUBLINGS), MAX_BACKOFF);
		long half = delay / 2;
		return half + (long) (chance * half);
	}

	/**
	 * What a stage of the store failed with.
	 * @param failure what it was completed with, null where it had no answer either
	 * @return the cause
	 */
	public static Throwable cause(@Nullable Throwable failure) {
		if (failure == null) {
			return new OutcomeUnknownException("The store gave no answer", null);
		}
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
