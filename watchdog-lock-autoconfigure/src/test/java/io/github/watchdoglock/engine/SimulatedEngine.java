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

import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.Ticker;
import org.jspecify.annotations.Nullable;

import org.springframework.test.util.ReflectionTestUtils;

/**
 * An engine all of whose threads, waits and chances come from elsewhere, and which can be
 * looked into.
 */
public final class SimulatedEngine {

	private final Core core;

	private final Ticker ticker;

	private final LockEngine engine;

	private final Map<LockKey, LocalLock> locks;

	/**
	 * Create; its threads are begun.
	 * @param settings what it is told
	 * @param instance its id
	 * @param threads where its threads come from
	 * @param ticker its elapsed time
	 * @param wallClock its time of day
	 * @param store where leases live
	 * @param inspector what operators ask the same store
	 * @param wakeUps hints from the same store
	 * @param observer hears everything inline
	 */
	public SimulatedEngine(EngineSettings settings, String instance, Threads threads, Ticker ticker,
			InstantSource wallClock, LeaseStore store, LeaseInspector inspector, WakeUps wakeUps,
			EngineObserver observer) {
		this.ticker = ticker;
		this.core = new Core(settings, instance, threads, ticker, wallClock, store, new Events(threads, observer),
				null);
		this.engine = new LockEngine(this.core, inspector, wakeUps);
		this.locks = locks(this.engine.registry);
		this.core.start();
		// Its watchdog begins with an alarm, for which there is a thread now.
		this.core.watchdog.setIn(new TestAlarm(() -> {
		}), 0);
	}

	@SuppressWarnings("unchecked")
	private static Map<LockKey, LocalLock> locks(LockRegistry registry) {
		return (Map<LockKey, LocalLock>) Objects.requireNonNull(ReflectionTestUtils.getField(registry, "locks"));
	}

	/**
	 * The engine.
	 * @return always the same
	 */
	public LockEngine engine() {
		return this.engine;
	}

	/**
	 * How much sleep of its machine it has noticed.
	 * @return nanoseconds
	 */
	public long noticedSleep() {
		return this.core.now() - this.ticker.read();
	}

	/**
	 * How much longer than its time-out an answer may take, until there was one.
	 * @return nanoseconds
	 */
	public long connecting() {
		return this.core.connecting();
	}

	/**
	 * What is not over; empty if all is.
	 * @param closed whether nobody looks at alarms any more
	 * @return the text
	 */
	public String remains(boolean closed) {
		StringBuilder remains = new StringBuilder();
		this.locks.values()
			.forEach((lock) -> remains.append(" key ")
				.append(lock.key)
				.append(" is in use: ")
				.append((lock.attempt() != null) ? "attempt" : "no attempt")
				.append(", " + lock.leases().size() + " leases")
				.append(lock.isUnused() ? ", unused" : "")
				.append(!lock.isAwaited() ? ";" : ", awaited;"));
		return remains.toString();
	}

	/**
	 * Look at all open holds.
	 * @param visitor is shown each
	 */
	public void holds(Consumer<SeenHold> visitor) {
		long now = this.core.now();
		this.locks.values()
			.forEach((lock) -> lock.forEachHold((hold) -> visitor.accept(new SeenHold(hold, lock.key, hold.token,
					hold.lease.firstToken, hold.kind(), hold.isHeld(now), hold.lease.left(now),
					hold.lease.timing().timeout().toNanos(), hold.lease.isContended(), hold.thread()))));
	}

	/**
	 * Look at all who wait.
	 * @param visitor is shown each, in their order in the queue of each key
	 */
	public void waiters(Consumer<SeenWaiter> visitor) {
		long now = this.core.now();
		this.locks.values()
			.forEach((lock) -> lock.waiters()
				.forEach((waiter) -> visitor.accept(new SeenWaiter(waiter, lock.key, waiter.answered, waiter.left(now),
						now - waiter.start, waiter.timing.timeout().toNanos()))));
	}

	/**
	 * Whether a caller has got a hold, rather than gone without or still waiting.
	 * @param waiter the caller
	 * @return the hold, or null
	 */
	public static @Nullable Object granted(Object waiter) {
		Handle handle = ((Waiter) waiter).granted();
		return (handle != null) ? handle.hold() : null;
	}

	/**
	 * What a renewal of what a handle has would compare.
	 * @param handle the handle
	 * @return the first token of its grant
	 */
	public static long firstToken(LockHandle handle) {
		return ((Handle) handle).hold().lease.firstToken;
	}

	/**
	 * What a handle is of.
	 * @param handle the handle
	 * @return the hold itself
	 */
	public static Object hold(LockHandle handle) {
		return ((Handle) handle).hold();
	}

	/**
	 * How its key is had.
	 * @param handle a handle
	 * @return the kind of its hold
	 */
	public static Kind kind(LockHandle handle) {
		return ((Handle) handle).hold().kind();
	}

	/**
	 * Whether what a handle has is not renewed.
	 * @param handle the handle
	 * @return whether its lease is fixed
	 */
	public static boolean isFixed(LockHandle handle) {
		return !((Handle) handle).hold().lease.timing().lease().renewed();
	}

	/**
	 * What a caller has lost because of an error, though it may still be working.
	 * @param handle the handle
	 * @return the attempt whose lease it had, or null if it was closed or lost otherwise
	 */
	public static @Nullable AttemptId failed(LockHandle handle) {
		Handle failed = (Handle) handle;
		GrantedLease lease = failed.hold().lease;
		LockLoss loss = failed.isClosed() ? null : failed.lossAt(lease.core().now());
		return (loss != null && loss.reason() == LockLoss.Reason.FAILED) ? lease.id() : null;
	}

	/**
	 * Whether a caller still waits.
	 * @param waiter the caller
	 * @return whether it is in a queue
	 */
	public static boolean waits(Object waiter) {
		return ((Waiter) waiter).queued;
	}

	/**
	 * A hold.
	 *
	 * @param hold the hold itself
	 * @param key its key
	 * @param token its token
	 * @param firstToken of its grant
	 * @param kind of its grant
	 * @param held whether its deadline is to come
	 * @param left until then, in nanoseconds
	 * @param timeout of a command for it, in nanoseconds
	 * @param contended whether its instance knows of others
	 * @param thread that it belongs to; null where it belongs to none
	 */
	public record SeenHold(Object hold, LockKey key, long token, long firstToken, Kind kind, boolean held, long left,
			long timeout, boolean contended, @Nullable Thread thread) {

	}

	/**
	 * A caller who waits.
	 *
	 * @param waiter the caller itself
	 * @param key what for
	 * @param answered whether it knows that somebody else has it
	 * @param left of its wait, in nanoseconds
	 * @param waited so far, in nanoseconds
	 * @param timeout of a command for it, in nanoseconds
	 */
	public record SeenWaiter(Object waiter, LockKey key, boolean answered, long left, long waited, long timeout) {

	}

}
