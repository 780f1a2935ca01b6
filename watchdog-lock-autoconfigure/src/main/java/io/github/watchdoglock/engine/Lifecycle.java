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
 * Whether an engine takes locks: until it is stopped, again when it is started, and never
 * once it is closed; and how much is held or being released, so that a shutdown can wait
 * for the end of it. Thread-safe.
 */
final class Lifecycle {

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	private final AtomicInteger held = new AtomicInteger();

	private final AtomicReference<CompletableFuture<Void>> empty = new AtomicReference<>(new CompletableFuture<>());

	boolean isOpen() {
		return this.state.get() == State.OPEN;
	}

	void start() {
		this.state.compareAndSet(State.STOPPED, State.OPEN);
	}

	void stop() {
		this.state.compareAndSet(State.OPEN, State.STOPPED);
	}

	void close() {
		this.state.set(State.CLOSED);
	}

	/* So much more is held, or being released. */
	void begin(int uses) {
		if (uses > 0) {
			this.held.addAndGet(uses);
		}
	}

	void end() {
		if (this.held.decrementAndGet() == 0) {
			this.empty.getAndSet(new CompletableFuture<>()).complete(null);
		}
	}

	/* A stage that is complete when nothing is under way any more. */
	CompletionStage<Void> whenEmpty() {
		CompletableFuture<Void> empty = Objects.requireNonNull(this.empty.get());
		// Guard against a race with end(): it may have come between the two lines.
		return (this.held.get() == 0) ? CompletableFuture.allOf() : empty;
	}

	private enum State {

		OPEN, STOPPED, CLOSED

	}

}
