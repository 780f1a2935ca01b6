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

package io.github.watchdoglock.topology.failover;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;

/**
 * Checks each millisecond which holders believe that they hold a key, and records how
 * long two did. Thread-safe.
 */
final class HolderWatch implements AutoCloseable {

	private final Map<LockKey, List<LockHandle>> holders = new ConcurrentHashMap<>();

	private final Map<LockKey, Long> tokens = new ConcurrentHashMap<>();

	private final Map<LockKey, Long> together = new ConcurrentHashMap<>();

	private final AtomicInteger disordered = new AtomicInteger();

	/**
	 * When a lock was last granted, and the longest time without a granted lock since the
	 * first.
	 */
	private volatile long had = Long.MAX_VALUE;

	private volatile long pause;

	private volatile boolean closed;

	HolderWatch() {
		Thread thread = new Thread(this::run, "holder-watch");
		thread.setDaemon(true);
		thread.start();
	}

	private void run() {
		long before = System.nanoTime();
		while (!this.closed) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			long now = System.nanoTime();
			long since = now - before;
			before = now;
			this.holders.forEach((key, handles) -> {
				if (handles.stream().filter(LockHandle::isHeld).count() > 1) {
					this.together.merge(key, since, Long::sum);
				}
			});
		}
	}

	/* A holder on a side that is cut off does not serve. */
	void hold(LockHandle handle, boolean serves) {
		this.tokens.merge(handle.key(), handle.fencingToken(), (last, token) -> {
			if (token <= last) {
				this.disordered.incrementAndGet();
			}
			return Math.max(last, token);
		});
		this.holders.computeIfAbsent(handle.key(), (key) -> new CopyOnWriteArrayList<>()).add(handle);
		if (serves) {
			long now = System.nanoTime();
			synchronized (this) {
				this.pause = pause(now);
				this.had = now;
			}
		}
	}

	/* Called before the handle is closed. */
	void end(LockHandle handle) {
		this.holders.getOrDefault(handle.key(), new ArrayList<>()).remove(handle);
	}

	/* How many milliseconds two holders had a key at once, for each such key. */
	Map<LockKey, Long> together() {
		Map<LockKey, Long> millis = new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
		this.together.forEach((key, nanos) -> millis.put(key, TimeUnit.NANOSECONDS.toMillis(nanos)));
		return millis;
	}

	/* The longest time without a granted lock, in milliseconds. */
	long pause() {
		return TimeUnit.NANOSECONDS.toMillis(pause(System.nanoTime()));
	}

	private long pause(long now) {
		return (this.had == Long.MAX_VALUE) ? 0 : Math.max(this.pause, now - this.had);
	}

	/* The number of tokens that were not greater than all earlier ones. */
	int disordered() {
		return this.disordered.get();
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
