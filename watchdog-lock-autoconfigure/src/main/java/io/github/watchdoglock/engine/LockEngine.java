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

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * The lock service over a store of leases.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class LockEngine implements LockService, LocalLocks, AutoCloseable {

	/**
	 * Create an engine; it works at once.
	 * @param settings what it is told
	 * @param store where leases live
	 * @param inspector what operators ask the same store
	 * @param wakeUps hints from the same store
	 * @param observer hears everything inline, on any thread: must neither block nor
	 * throw
	 * @param listeners hear everything some time later, on a thread of their own
	 * @param executor runs users' completions; null for up to eight daemon threads of the
	 * engine
	 */
	public LockEngine(EngineSettings settings, LeaseStore store, LeaseInspector inspector, WakeUps wakeUps,
			LockListener observer, List<LockListener> listeners, @Nullable Executor executor) {
		throw new UnsupportedOperationException();
	}

	@Override
	public LockHandle acquire(LockRequest request) throws InterruptedException {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<LockState> find(LockKey key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean forceRelease(LockKey key) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Lock asLock(LockRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LockSnapshot> list() {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<LockHandle> current() {
		throw new UnsupportedOperationException();
	}

	@Override
	public void ensureHeld() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Take locks again after {@link #stop()}.
	 */
	public void start() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Take no new locks and send away who waits; what is held goes on and is renewed.
	 * @return complete when nothing is held any more
	 */
	public CompletionStage<Void> stop() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Stop, and declare lost what is still held; its keys are left to their leases, since
	 * its work may go on.
	 */
	@Override
	public void close() {
		throw new UnsupportedOperationException();
	}

}
