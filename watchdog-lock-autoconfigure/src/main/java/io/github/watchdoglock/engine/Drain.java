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

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts what is held or being released, so that a shutdown can wait for the end of it.
 * Thread-safe.
 */
final class Drain {

	private final AtomicInteger count = new AtomicInteger();

	private final AtomicReference<CompletableFuture<Void>> waiting = new AtomicReference<>(new CompletableFuture<>());

	void begin() {
		this.count.incrementAndGet();
	}

	void end() {
		if (this.count.decrementAndGet() == 0) {
			this.waiting.getAndSet(new CompletableFuture<>()).complete(null);
		}
	}

	/* A stage that is complete when nothing is under way any more. */
	CompletionStage<Void> whenEmpty() {
		CompletableFuture<Void> empty = Objects.requireNonNull(this.waiting.get());
		// Guard against a race with end(): it may have come between the two lines.
		return (this.count.get() == 0) ? CompletableFuture.allOf() : empty;
	}

}
