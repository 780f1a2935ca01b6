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

package io.github.watchdoglock.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockSnapshot;

import org.springframework.context.SmartLifecycle;

/**
 * Rejects new locks when the context stops, and delays the rest of the shutdown until the
 * last lock is released. Locks work before it is started.
 * <p>
 * Not promised: that it waits indefinitely. Spring ends the phase after
 * {@code spring.lifecycle.timeout-per-shutdown-phase}, even if locks are still held.
 */
public final class LockLifecycle implements SmartLifecycle {

	/**
	 * Stopped immediately after the executors of the application (1073741823), which end
	 * after the web server, so that no more work of users begins. Stopped long before the
	 * connection factory of Redis (0), so that locks of running work are renewed and
	 * released.
	 */
	public static final int PHASE = DEFAULT_PHASE / 2 - 1;

	/*
	 * Stopped after the web server, and immediately before the executors of the
	 * application, which work may need in order to end.
	 */
	private static final int PHASE_OF_ELECTIONS = DEFAULT_PHASE / 2 + 1;

	private final int phase;

	private final Runnable open;

	private final Supplier<CompletionStage<Void>> close;

	private final BooleanSupplier pauseable;

	private volatile boolean running;

	/**
	 * Create a lifecycle.
	 * @param open allows new locks
	 * @param close rejects new locks; its stage is complete when no lock is held
	 * @param locks the held locks; a paused context renews them, but notifies no listener
	 * of losses
	 */
	public LockLifecycle(Runnable open, Supplier<CompletionStage<Void>> close, LocalLocks locks) {
		this(PHASE, open, close,
				() -> locks.list().stream().noneMatch((lock) -> lock.status() == LockSnapshot.Status.HELD));
	}

	private LockLifecycle(int phase, Runnable open, Supplier<CompletionStage<Void>> close, BooleanSupplier pauseable) {
		this.phase = phase;
		this.open = open;
		this.close = close;
		this.pauseable = pauseable;
	}

	/**
	 * Create the lifecycle that ends the instance's part in elections.
	 * @param close resigns its terms; its stage is complete when no work is left
	 * @return the lifecycle
	 */
	public static LockLifecycle ofElections(Supplier<CompletionStage<Void>> close) {
		return new LockLifecycle(PHASE_OF_ELECTIONS, () -> {
		}, close, () -> true);
	}

	/**
	 * Create the lifecycle that begins the instance's part in elections. It is the last
	 * one that starts, because leaders are named with the port of the web server.
	 * @param open makes the instance a candidate for its roles
	 * @return the lifecycle
	 */
	public static LockLifecycle ofCandidacies(Runnable open) {
		return new LockLifecycle(DEFAULT_PHASE, open, () -> CompletableFuture.completedFuture(null), () -> true);
	}

	@Override
	public void start() {
		this.open.run();
		this.running = true;
	}

	@Override
	public void stop() {
		stop(() -> {
		});
	}

	@Override
	public void stop(Runnable callback) {
		this.running = false;
		this.close.get().whenComplete((nothing, failure) -> callback.run());
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public boolean isPauseable() {
		return this.pauseable.getAsBoolean();
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

}
