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
import java.util.function.IntSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The lifecycle of an engine: open until it is stopped, open again when it is started,
 * and never after it was closed. It also counts the locks that are held or being
 * released, so that a shutdown can wait for their end. Thread-safe.
 */
final class Lifecycle {

	private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

	private final AtomicInteger held = new AtomicInteger();

	/** Null if no shutdown waits. */
	private final AtomicReference<@Nullable Drain> drain = new AtomicReference<>();

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
		this.held.decrementAndGet();
		Drain drain = this.drain.get();
		if (drain != null) {
			endIfDrained(drain);
		}
	}

	/*
	 * Return a stage that is completed when no lock is held or being released any more,
	 * except for this number of locks.
	 */
	CompletionStage<Void> whenEmpty(IntSupplier exempt) {
		Drain mine = new Drain(new CompletableFuture<>(), exempt);
		Drain drain = Objects.requireNonNull(
				this.drain.updateAndGet((before) -> (before != null && !before.done.isDone()) ? before : mine));
		// Guard against a race with end(), which may have been called before.
		endIfDrained(drain);
		return drain.done;
	}

	private void endIfDrained(Drain drain) {
		if (this.held.get() <= drain.exempt.getAsInt()) {
			this.drain.compareAndSet(drain, null);
			drain.done.complete(null);
		}
	}

	/**
	 * A shutdown that waits.
	 *
	 * @param done completed when only exempt locks are left
	 * @param exempt returns how many locks are not waited for
	 */
	private record Drain(CompletableFuture<Void> done, IntSupplier exempt) {

	}

	private enum State {

		OPEN, STOPPED, CLOSED

	}

}
