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

import org.jspecify.annotations.Nullable;

/**
 * The lifecycle of an engine: open until it is stopped, open again when it is started,
 * and never after it was closed. It also counts the locks that are held or being
 * released, so that a shutdown can wait for their end. Thread-safe.
 */
final class Lifecycle {

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	private final AtomicInteger held = new AtomicInteger();

	/** Completed when no lock is counted any more; null if no shutdown waits for that. */
	private final AtomicReference<@Nullable CompletableFuture<Void>> empty = new AtomicReference<>();

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

	/* One more lock is held, or being released. */
	void begin() {
		this.held.incrementAndGet();
	}

	void end() {
		if (this.held.decrementAndGet() == 0) {
			CompletableFuture<Void> empty = this.empty.getAndSet(null);
			if (empty != null) {
				empty.complete(null);
			}
		}
	}

	/*
	 * Return a stage that is completed when no lock is held or being released any more.
	 */
	CompletionStage<Void> whenEmpty() {
		CompletableFuture<Void> mine = new CompletableFuture<>();
		CompletableFuture<Void> empty = Objects
			.requireNonNull(this.empty.updateAndGet((before) -> (before != null && !before.isDone()) ? before : mine));
		// Guard against a race with end(), which may have been called before.
		if (this.held.get() == 0) {
			empty.complete(null);
		}
		return empty;
	}

	private enum State {

		OPEN, STOPPED, CLOSED

	}

}
