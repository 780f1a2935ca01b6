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

package io.github.watchdoglock.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;

/**
 * A record of the locks that the application acquires. Thread-safe.
 */
final class AcquiredLocks implements EngineObserver {

	private final List<LockKey> keys = new CopyOnWriteArrayList<>();

	/* Lock names that the application has requested, in any test. */
	private final Set<String> names = ConcurrentHashMap.newKeySet();

	/* The number of holds: a hold that was lost may end after the next one has begun. */
	private final Map<LockKey, Integer> held = new ConcurrentHashMap<>();

	@Override
	public void acquired(LockKey key, long token, Duration waited) {
		this.held.merge(key, 1, Integer::sum);
		this.keys.add(key);
		remember(key);
	}

	@Override
	public void notAcquired(LockKey key, Outcome outcome, Duration waited) {
		remember(key);
	}

	private void remember(LockKey key) {
		if (!key.isRole()) {
			this.names.add(key.name());
		}
	}

	@Override
	public void lost(LockLoss loss, Duration held) {
		end(loss.key());
	}

	@Override
	public void released(LockKey key, long token, Duration held) {
		end(key);
	}

	private void end(LockKey key) {
		this.held.computeIfPresent(key, (same, count) -> (count > 1) ? count - 1 : null);
	}

	List<LockKey> list() {
		return List.copyOf(this.keys);
	}

	Set<String> names() {
		return this.names;
	}

	boolean isHeld(LockKey key) {
		return this.held.containsKey(key);
	}

	void clear() {
		this.keys.clear();
	}

}
