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

package io.github.watchdoglock.disabled;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * A handle without a lock: it is held until it is closed, and it is never lost.
 *
 * @param key the key that is not locked
 * @param fencingToken the token
 * @param detaching removes it from the open handles of its thread; called by any thread
 * @param closed whether it is closed
 */
record UnguardedHandle(LockKey key, long fencingToken, Consumer<UnguardedHandle> detaching,
		AtomicBoolean closed) implements LockHandle {

	@Override
	public boolean isHeld() {
		return !this.closed.get();
	}

	@Override
	public Duration remaining() {
		return this.closed.get() ? Duration.ZERO : Duration.ofNanos(Long.MAX_VALUE);
	}

	@Override
	public CompletionStage<LockLoss> whenLost() {
		return new CompletableFuture<>();
	}

	@Override
	public Optional<LockLoss> loss() {
		return Optional.empty();
	}

	@Override
	public CompletableFuture<Void> extend(@Nullable Lease lease) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public LockHandle detach() {
		this.detaching.accept(this);
		return this;
	}

	@Override
	public void close() {
		this.closed.set(true);
		detach();
	}

	@Override
	public CompletableFuture<Void> closeAsync() {
		close();
		return CompletableFuture.completedFuture(null);
	}

}
