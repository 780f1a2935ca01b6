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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.engine.IdleLock;
import io.github.watchdoglock.engine.LockEngine;
import org.jspecify.annotations.Nullable;

/**
 * The engine, from the moment when somebody needs it. What it is told before then counts
 * as soon as it is there. Thread-safe.
 */
final class LateEngine {

	private final ReentrantLock lock = new ReentrantLock();

	/* Written under the lock. */
	private volatile @Nullable LockEngine engine;

	/* Guarded by the lock: those that wait for the engine. */
	private final List<LockListener> listeners = new ArrayList<>();

	/* Guarded by the lock. */
	private boolean stopped;

	void become(LockEngine engine) {
		this.lock.lock();
		try {
			this.engine = engine;
			this.listeners.forEach(engine::addListener);
			if (this.stopped) {
				var unused = engine.stop();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Nullable LockEngine find() {
		return this.engine;
	}

	List<IdleLock> idle() {
		LockEngine present = this.engine;
		return (present != null) ? present.idle() : List.of();
	}

	Duration watchdogSilence() {
		LockEngine present = this.engine;
		return (present != null) ? present.watchdogSilence() : Duration.ZERO;
	}

	void addListener(LockListener listener) {
		this.lock.lock();
		try {
			LockEngine present = this.engine;
			if (present != null) {
				present.addListener(listener);
			}
			else {
				this.listeners.add(listener);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void start() {
		this.lock.lock();
		try {
			this.stopped = false;
			LockEngine present = this.engine;
			if (present != null) {
				present.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	CompletionStage<Void> stop() {
		this.lock.lock();
		try {
			this.stopped = true;
			LockEngine present = this.engine;
			return (present != null) ? present.stop() : CompletableFuture.completedStage(null);
		}
		finally {
			this.lock.unlock();
		}
	}

}
