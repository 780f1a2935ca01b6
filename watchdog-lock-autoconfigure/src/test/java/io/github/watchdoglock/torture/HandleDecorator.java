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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * A handle that delegates to another one, and may report another state.
 */
class HandleDecorator implements LockHandle {

	private final LockHandle handle;

	HandleDecorator(LockHandle handle) {
		this.handle = handle;
	}

	@Override
	public LockKey key() {
		return this.handle.key();
	}

	@Override
	public long fencingToken() {
		return this.handle.fencingToken();
	}

	@Override
	public boolean isHeld() {
		return this.handle.isHeld();
	}

	@Override
	public Duration remaining() {
		return this.handle.remaining();
	}

	@Override
	public CompletionStage<LockLoss> whenLost() {
		return this.handle.whenLost();
	}

	@Override
	public Optional<LockLoss> loss() {
		return this.handle.loss();
	}

	@Override
	public CompletableFuture<Void> extend(@Nullable Lease lease) {
		return this.handle.extend(lease);
	}

	@Override
	public LockHandle detach() {
		this.handle.detach();
		return this;
	}

	@Override
	public void close() {
		this.handle.close();
	}

	@Override
	public CompletableFuture<Void> closeAsync() {
		return this.handle.closeAsync();
	}

}
