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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether leases can be renewed, and whether commands fail. Leases cannot be
 * renewed from the moment when a lock is lost because its renewals failed, until the
 * store answers any command. After a failed command, a thread sends commands to the
 * store, so that the end of an outage is noticed even if no lock is used. Thread-safe;
 * must be an observer of the engine.
 * <p>
 * Not noticed: a lock that is lost because the instance itself was paused. This does not
 * depend on the store.
 */
public final class RenewalHealth implements EngineObserver, AutoCloseable {

	/* No lock has this key. */
	private static final LockKey ASKED = LockKey.ofRole("health");

	private final Set<Held> failing = ConcurrentHashMap.newKeySet();

	private final LeaseInspector inspector;

	private final Duration lease;

	private final Duration timeout;

	/** Runs a task, which must not block, after the interval. */
	private final Executor later;

	private final InstantSource wallClock;

	private final AtomicReference<@Nullable Outage> outage = new AtomicReference<>();

	/** Null if the last command has succeeded. */
	private final AtomicReference<@Nullable Failures> failures = new AtomicReference<>();

	private final AtomicBoolean asking = new AtomicBoolean();

	private volatile boolean closed;

	/** By the wall clock; zero before the first one. */
	private volatile long lastRenewal;

	/**
	 * Create the health of renewals.
	 * @param inspector sends a command while leases cannot be renewed
	 * @param timeout the timeout of that command
	 * @param interval the time between commands
	 * @param lease how long commands may fail until locks are not reliable
	 * @param wallClock the clock for displayed times
	 */
	public RenewalHealth(LeaseInspector inspector, Duration timeout, Duration interval, Duration lease,
			InstantSource wallClock) {
		this.inspector = inspector;
		this.lease = lease;
		this.timeout = timeout;
		this.later = CompletableFuture.delayedExecutor(interval.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
		this.wallClock = wallClock;
	}

	/* The number of holds that cannot be renewed at the moment. */
	int atRisk() {
		return this.failing.size();
	}

	/* The outage, until the store answers again; null if there is none. */
	@Nullable Outage outage() {
		return this.outage.get();
	}

	/* The failed commands since the last success; null if there are none. */
	@Nullable Failures failures() {
		return this.failures.get();
	}

	/* Whether no command has succeeded for a lease, although some were sent. */
	boolean isFailing() {
		Failures failures = this.failures.get();
		return failures != null && failures.since().plus(this.lease).isBefore(this.wallClock.instant());
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
	public void commandEnded(Command command, long took, @Nullable Throwable failure) {
		if (failure == null) {
			succeeded(command != Command.FIND);
			return;
		}
		Failures before = this.failures.get();
		Throwable cause = StoreCalls.cause(failure);
		Instant now = this.wallClock.instant();
		this.failures.set(new Failures((before != null) ? before.since() : now, now,
				!(cause instanceof NotConnectedException || cause instanceof OutcomeUnknownException),
				String.valueOf(cause.getMessage())));
		askLater();
	}

	/*
	 * A store that refuses to write may answer questions. So a question ends failures of
	 * writing only if there has been none for a lease.
	 */
	private void succeeded(boolean written) {
		if (this.outage.get() != null) {
			this.outage.set(null);
		}
		Failures failures = this.failures.get();
		if (failures != null && (written || !failures.refused()
				|| failures.last().plus(this.lease).isBefore(this.wallClock.instant()))) {
			this.failures.compareAndSet(failures, null);
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
	public void released(Held hold, long held) {
		if (!this.failing.isEmpty()) {
			this.failing.remove(hold);
		}
	}

	@Override
	public void lost(Held hold, LockLoss loss, Duration held) {
		if (this.failing.remove(hold) && loss.reason() == LockLoss.Reason.EXPIRED) {
			this.outage.compareAndSet(null, new Outage(loss.key(), this.wallClock.instant()));
			askLater();
		}
	}

	private void askLater() {
		if (this.asking.compareAndSet(false, true)) {
			this.later.execute(this::ask);
		}
	}

	/* Needed because this instance may have no other command for the store. */
	private void ask() {
		this.asking.set(false);
		Outage outage = this.outage.get();
		if ((outage != null || this.failures.get() != null) && !this.closed) {
			var unused = CompletableFuture.completedFuture((outage != null) ? outage.lost : ASKED)
				.thenCompose((key) -> this.inspector.find(key, this.timeout))
				.whenComplete((holders, failure) -> {
					if (failure == null) {
						succeeded(false);
					}
					if (failure != null || this.failures.get() != null) {
						askLater();
					}
				});
		}
	}

	/**
	 * Send no more commands.
	 */
	@Override
	public void close() {
		this.closed = true;
	}

	/**
	 * The time from the loss of a lock to the store's next answer.
	 *
	 * @param lost the lock
	 * @param since when it was lost
	 */
	record Outage(LockKey lost, Instant since) {

	}

	/**
	 * Failed commands.
	 *
	 * @param since when the first of them failed
	 * @param last when the last of them failed
	 * @param refused whether the store has refused the last of them
	 * @param error the message of the last failure
	 */
	record Failures(Instant since, Instant last, boolean refused, String error) {

	}

}
