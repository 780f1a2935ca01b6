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

package io.github.watchdoglock.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;

/**
 * An observer of the watchdog's lateness and of lost locks.
 */
final class LoadProbe implements EngineObserver {

	private final AtomicLong latest = new AtomicLong();

	private final AtomicInteger losses = new AtomicInteger();

	@Override
	public void renewalSent(long lateness) {
		this.latest.accumulateAndGet(lateness, Math::max);
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		this.losses.incrementAndGet();
	}

	@Override
	public boolean receivesRoutine() {
		return false;
	}

	/* Clear all values. */
	void clear() {
		this.latest.set(0);
		this.losses.set(0);
	}

	/* The greatest delay of a renewal, in nanoseconds. */
	long latest() {
		return this.latest.get();
	}

	int losses() {
		return this.losses.get();
	}

}
