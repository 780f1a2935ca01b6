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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.store.LeaseInspector;
import org.jspecify.annotations.Nullable;

/**
 * Whether leases can be renewed: from the moment a lock is lost because that failed until
 * the store answers any command, they can't. Thread-safe; must be an observer of the
 * engine.
 * <p>
 * Not noticed: a lock that is lost since the instance itself stood still. The store has
 * nothing to do with that.
 */
public final class RenewalHealth implements EngineObserver, AutoCloseable {

	private final Set<Held> failing = ConcurrentHashMap.newKeySet();

	private final InstantSource wallClock;

	private final StoreOutage outage;

	private final LeaseInspector inspector;

	/** By the wall clock; zero before the first one. */
	private volatile long lastRenewal;

	/**
	 * Create it.
	 * @param inspector asked while leases cannot be renewed
	 * @param timeout how long the answer to that may take
	 * @param interval how often to ask
	 * @param wallClock for display
	 */
	public RenewalHealth(LeaseInspector inspector, Duration timeout, Duration interval, InstantSource wallClock) {
		this.wallClock = wallClock;
		this.outage = new StoreOutage((key) -> ask(key, timeout), interval, wallClock, RenewalHealth::thread);
		this.inspector = inspector;
	}

	private static Thread thread(Runnable work) {
		Thread thread = new Thread(work, "watchdog-lock-health");
		thread.setDaemon(true);
		return thread;
	}

	private void ask(LockKey key, Duration timeout) {
		this.inspector.find(key, timeout).toCompletableFuture().join();
		this.outage.end();
	}

	/* How many holds can't be renewed at the moment. */
	int atRisk() {
		return this.failing.size();
	}

	/* What was lost and when, until the store answers again. */
	StoreOutage.@Nullable Episode outage() {
		this.outage.ensureAsked();
		return this.outage.current();
	}

	@Nullable Instant lastRenewal() {
		long last = this.lastRenewal;
		return (last != 0) ? Instant.ofEpochMilli(last) : null;
	}

	@Override
	public void renewed(LockKey key, long token) {
		this.lastRenewal = this.wallClock.millis();
	}

	@Override
	public void commandEnded(Command command, Duration took, @Nullable Throwable failure) {
		if (failure == null && this.outage.current() != null) {
			this.outage.end();
		}
	}

	@Override
	public void atRisk(Held hold, Duration remaining, Throwable cause) {
		this.failing.add(hold);
	}

	@Override
	public void recovered(Held hold) {
		this.failing.remove(hold);
	}

	@Override
	public void released(Held hold, Duration held) {
		if (!this.failing.isEmpty()) {
			this.failing.remove(hold);
		}
	}

	@Override
	public void lost(Held hold, LockLoss loss, Duration held) {
		if (this.failing.remove(hold) && loss.reason() == LockLoss.Reason.EXPIRED) {
			this.outage.begin(loss.key());
		}
	}

	/**
	 * Ask nobody any more.
	 */
	@Override
	public void close() {
		this.outage.close();
	}

}
