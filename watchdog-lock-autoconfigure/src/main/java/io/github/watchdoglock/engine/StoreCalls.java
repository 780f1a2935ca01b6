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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * How the engine calls its store, whatever that does.
 */
final class StoreCalls {

	private StoreCalls() {
	}

	/* The answer to a command, also where the store throws instead of answering. */
	static <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> command) {
		try {
			return command.get();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/* What a stage of the store failed with. */
	static Throwable cause(@Nullable Throwable failure) {
		if (failure == null) {
			return new OutcomeUnknownException("The store gave no answer", null);
		}
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
