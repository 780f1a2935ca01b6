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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
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
 * An engine whose threads, waits and random numbers are provided from outside, and whose
 * state tests can inspect.
 */
public final class SimulatedEngine {

	private final EngineContext context;

	private final Ticker ticker;

	private final LockEngine engine;

	private final Map<LockKey, LocalLock> locks;

	/**
	 * Create an engine; its threads are started.
	 * @param settings its settings
	 * @param instance its id
	 * @param threads the source of its threads
	 * @param ticker its elapsed time
	 * @param wallClock its time of day
	 * @param store the store of its leases
	 * @param inspector the operations of operators on the same store
	 * @param wakeUps hints from the same store
	 * @param observer is notified of everything inline
	 */
	public SimulatedEngine(EngineSettings settings, String instance, Threads threads, Ticker ticker,
			InstantSource wallClock, LeaseStore store, LeaseInspector inspector, WakeUps wakeUps,
			EngineObserver observer) {
		this.ticker = ticker;
		this.context = new EngineContext(settings, instance, threads, ticker, wallClock, store,
				new Events(threads, observer), null);
		this.engine = new LockEngine(this.context, inspector, wakeUps);
		this.locks = locks(this.engine.keys);
		this.context.start();
		// The watchdog's thread starts with the first alarm, and a thread is available
		// now.
		this.context.watchdog.setIn(new TestAlarm(() -> {
		}), 0);
	}

	@SuppressWarnings("unchecked")
	private static Map<LockKey, LocalLock> locks(LocalKeys keys) {
		return (Map<LockKey, LocalLock>) Objects.requireNonNull(ReflectionTestUtils.getField(keys, "locks"));
	}

	/**
	 * Return the engine.
	 * @return always the same
	 */
	public LockEngine engine() {
		return this.engine;
	}

	/**
	 * Return the id of its instance.
	 * @return the present id
	 */
	public String id() {
		return this.context.ids.instance();
	}

	/**
	 * Continue with the state of another engine's ids, as in a copy of its process.
	 * @param other the other engine
	 */
	public void useIdsOf(SimulatedEngine other) {
		for (String field : List.of("instance", "numbers")) {
			Object value = ReflectionTestUtils.getField(other.context.ids, field);
			ReflectionTestUtils.setField(this.context.ids, field,
					(value instanceof AtomicLong numbers) ? new AtomicLong(numbers.get()) : value);
		}
	}

	/**
	 * Return whether it has no caller and no lease.
	 * @return whether no key is in use
	 */
	public boolean isUnused() {
		return this.locks.isEmpty();
	}

	/**
	 * Return how much sleep of its machine the engine has noticed.
	 * @return nanoseconds
	 */
	public long noticedSleep() {
		return this.context.now() - this.ticker.read();
	}

	/**
	 * Return how much longer than its timeout an answer may take until the first answer.
	 * @return nanoseconds
	 */
	public long connecting() {
		return this.context.connecting();
	}

	/**
	 * Describe what has not ended.
	 * @param closed whether alarms are no longer processed
	 * @return the description; empty if all has ended
	 */
	public String remains(boolean closed) {
		StringBuilder remains = new StringBuilder();
		this.locks.values()
			.forEach((lock) -> remains.append(" key ")
				.append(lock.key)
				.append(" is in use: ")
				.append((lock.attempt() != null) ? "attempt" : "no attempt")
				.append(", " + lock.leases().size() + " leases")
				.append(lock.hasState() ? "" : ", unused")
				.append(!lock.isAwaited() ? ";" : ", awaited;"));
		return remains.toString();
	}

	/**
	 * Visit all open holds.
	 * @param visitor receives each hold
	 */
	public void holds(Consumer<SeenHold> visitor) {
		long now = this.context.now();
		this.locks.values()
			.forEach((lock) -> lock.forEachHold((hold) -> visitor.accept(new SeenHold(hold, lock.key, hold.token,
					hold.lease.firstToken, hold.kind(), hold.isHeld(now), hold.lease.left(now),
					hold.lease.timing().timeout().toNanos(), hold.lease.isContended(), hold.thread()))));
	}

	/**
	 * Visit all waiting callers.
	 * @param visitor receives each caller, in the order of the queue of its key
	 */
	public void waiters(Consumer<SeenWaiter> visitor) {
		long now = this.context.now();
		this.locks.values()
			.forEach((lock) -> lock.waiters()
				.forEach((waiter) -> visitor.accept(new SeenWaiter(waiter, lock.key, waiter.toldBusy, waiter.left(now),
						now - waiter.start, waiter.timing.timeout().toNanos()))));
	}

	/**
	 * Return the hold that a caller was granted.
	 * @param waiter the caller
	 * @return the hold, or null if the caller still waits or failed
	 */
	public static @Nullable Object granted(Object waiter) {
		Handle handle = ((Waiter) waiter).granted();
		return (handle != null) ? handle.hold() : null;
	}

	/**
	 * Return the token that a renewal of a handle's lease would compare.
	 * @param handle the handle
	 * @return the first token of its lease
	 */
	public static long firstToken(LockHandle handle) {
		return ((Handle) handle).hold().lease.firstToken;
	}

	/**
	 * Return the hold of a handle.
	 * @param handle the handle
	 * @return the hold itself
	 */
	public static Object hold(LockHandle handle) {
		return ((Handle) handle).hold();
	}

	/**
	 * Return the kind of a handle's hold.
	 * @param handle a handle
	 * @return the kind of its hold
	 */
	public static Kind kind(LockHandle handle) {
		return ((Handle) handle).hold().kind();
	}

	/**
	 * Return whether the lease of a handle is not renewed.
	 * @param handle the handle
	 * @return whether its lease is fixed
	 */
	public static boolean isFixed(LockHandle handle) {
		return !((Handle) handle).hold().lease.timing().lease().renewed();
	}

	/**
	 * Return the attempt of a lease that a caller has lost because of an error, though
	 * the caller may still be working.
	 * @param handle the handle
	 * @return the attempt, or null if the handle was closed or lost otherwise
	 */
	public static @Nullable AttemptId failed(LockHandle handle) {
		Handle failed = (Handle) handle;
		GrantedLease lease = failed.hold().lease;
		LockLoss loss = failed.isClosed() ? null : failed.lossAt(lease.context().now());
		return (loss != null && loss.reason() == LockLoss.Reason.FAILED) ? lease.id() : null;
	}

	/**
	 * Return whether a caller still waits.
	 * @param waiter the caller
	 * @return whether it is in a queue
	 */
	public static boolean waits(Object waiter) {
		return ((Waiter) waiter).inQueue;
	}

	/**
	 * A hold.
	 *
	 * @param hold the hold itself
	 * @param key its key
	 * @param token its token
	 * @param firstToken the first token of its lease
	 * @param kind the kind of its lease
	 * @param held whether its deadline has not passed
	 * @param left until then, in nanoseconds
	 * @param timeout of a command for it, in nanoseconds
	 * @param contended whether its instance knows of waiting instances
	 * @param thread the thread that owns it; null if none does
	 */
	public record SeenHold(Object hold, LockKey key, long token, long firstToken, Kind kind, boolean held, long left,
			long timeout, boolean contended, @Nullable Thread thread) {

	}

	/**
	 * A waiting caller.
	 *
	 * @param waiter the caller itself
	 * @param key the key that it waits for
	 * @param answered whether it knows that another caller holds the key
	 * @param left of its wait, in nanoseconds
	 * @param waited so far, in nanoseconds
	 * @param timeout of a command for it, in nanoseconds
	 */
	public record SeenWaiter(Object waiter, LockKey key, boolean answered, long left, long waited, long timeout) {

	}

}
