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

package io.github.watchdoglock.listener;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.time.Pool;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Notifies each observer inline, and each listener on a thread of a pool. Neither can
 * break or delay a lock. Events of roles' keys are reported to the leader election only.
 */
public final class Events implements EngineObserver {

	private final EngineObserver[] observers;

	private final Threads threads;

	private final Pool pool;

	private volatile Runnable threadNeeded = () -> {
	};

	/** The observers of the locks by which leaders are elected. */
	private volatile EngineObserver[] roles = {};

	private final List<ListenerQueue> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Create with observers.
	 * @param observers are notified inline
	 */
	public Events(EngineObserver... observers) {
		this(Threads.system(), observers);
	}

	/**
	 * Create with observers and a source of threads.
	 * @param threads the source of the threads that call listeners
	 * @param observers are notified inline
	 */
	public Events(Threads threads, EngineObserver... observers) {
		this.threads = threads;
		this.observers = observers;
		this.pool = threads.pool("watchdog-lock-listener",
				"All {0} threads that call lock listeners are blocked by listeners. There are {1} threads now, and"
						+ " more are started while all of them are blocked. Run blocking code on an executor of the"
						+ " application",
				() -> this.threadNeeded.run());
	}

	/**
	 * Notify a listener of all events from now on, one call at a time, through the
	 * methods of {@link LockListener}.
	 * @param listener the listener
	 * @return removes the listener when it is run
	 */
	public Runnable add(LockListener listener) {
		ListenerQueue queue = new ListenerQueue(listener, this.threads, this.pool);
		this.listeners.add(queue);
		return () -> this.listeners.remove(queue);
	}

	/**
	 * Set the only observer of the locks by which leaders are elected.
	 * @param observer is notified of these locks inline
	 */
	public void setRoleObserver(EngineObserver observer) {
		this.roles = new EngineObserver[] { observer };
	}

	/**
	 * Set the action for the case that listeners wait for a thread.
	 * @param threadNeeded causes a call of {@link #proceed()} shortly after; must be
	 * quick
	 */
	public void onThreadNeeded(Runnable threadNeeded) {
		this.threadNeeded = threadNeeded;
	}

	/** Add threads if listeners still wait for one. */
	public void proceed() {
		this.pool.check();
		this.listeners.forEach(ListenerQueue::proceed);
	}

	/** End all threads when they are idle. */
	public void close() {
		this.pool.close();
	}

	@Override
	public void waiting(LockKey key, Mode mode) {
		observe(observers(key), (observer) -> observer.waiting(key, mode));
		if (hasRoutine(key)) {
			addRoutine((listener) -> listener.waiting(key));
		}
	}

	@Override
	public void acquired(Held hold, long waited) {
		LockKey key = hold.key();
		observe(observers(key), (observer) -> observer.acquired(hold, waited));
		if (hasRoutine(key)) {
			addRoutine((listener) -> listener.acquired(key, hold.token(), Duration.ofNanos(waited)));
		}
	}

	@Override
	public void notAcquired(LockKey key, Mode mode, Outcome outcome, long waited) {
		dispatch(key, ListenerQueue::addRoutine, (observer) -> observer.notAcquired(key, mode, outcome, waited),
				(listener) -> listener.notAcquired(key, outcome, Duration.ofNanos(waited)));
	}

	@Override
	public void renewed(LockKey key, long token) {
		observe(observers(key), (observer) -> observer.renewed(key, token));
		if (hasRoutine(key)) {
			addRoutine((listener) -> listener.renewed(key, token));
		}
	}

	@Override
	public void renewalFailed(LockKey key, long token, Throwable cause) {
		dispatch(key, ListenerQueue::add, (listener) -> listener.renewalFailed(key, token, cause));
	}

	@Override
	public void atRisk(Held hold, Duration remaining, Throwable cause) {
		LockKey key = hold.key();
		dispatch(key, ListenerQueue::add, (observer) -> observer.atRisk(hold, remaining, cause),
				(listener) -> listener.atRisk(key, hold.token(), remaining, cause));
	}

	@Override
	public void recovered(Held hold) {
		LockKey key = hold.key();
		dispatch(key, ListenerQueue::add, (observer) -> observer.recovered(hold),
				(listener) -> listener.recovered(key, hold.token()));
	}

	@Override
	public void longHold(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		dispatch(key, ListenerQueue::add, (listener) -> listener.longHold(key, token, held, stack));
	}

	@Override
	public void maxHoldExceeded(LockKey key, long token, Duration held, List<StackTraceElement> stack) {
		dispatch(key, ListenerQueue::add, (listener) -> listener.maxHoldExceeded(key, token, held, stack));
	}

	@Override
	public void abandoned(LockKey key, long token, @Nullable String thread) {
		dispatch(key, ListenerQueue::add, (listener) -> listener.abandoned(key, token, thread));
	}

	@Override
	public void lost(Held hold, LockLoss loss, Duration held) {
		dispatch(loss.key(), ListenerQueue::addLoss, (observer) -> observer.lost(hold, loss, held),
				(listener) -> listener.lost(loss, held));
	}

	@Override
	public void released(Held hold, long held) {
		LockKey key = hold.key();
		observe(observers(key), (observer) -> observer.released(hold, held));
		if (hasRoutine(key)) {
			addRoutine((listener) -> listener.released(key, hold.token(), Duration.ofNanos(held)));
		}
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		dispatch(key, ListenerQueue::add, (listener) -> listener.releaseFailed(key, token, cause));
	}

	@Override
	public void handedOff(LockKey key, Scope scope) {
		dispatch(key, ListenerQueue::addRoutine, (observer) -> observer.handedOff(key, scope),
				(listener) -> listener.handedOff(key, scope));
	}

	@Override
	public void resignRequested(LockKey key, long token) {
		observe(observers(key), (observer) -> observer.resignRequested(key, token));
	}

	@Override
	public void idleBegun(LockKey key) {
		observe(observers(key), (observer) -> observer.idleBegun(key));
	}

	@Override
	public void idleEnded(LockKey key) {
		observe(observers(key), (observer) -> observer.idleEnded(key));
	}

	@Override
	public void unconfirmed(LockKey key) {
		observe(observers(key), (observer) -> observer.unconfirmed(key));
	}

	@Override
	public void renewalGone(LockKey key, long token) {
		observe(observers(key), (observer) -> observer.renewalGone(key, token));
	}

	@Override
	public void renewalSent(long lateness) {
		observe(this.observers, (observer) -> observer.renewalSent(lateness));
	}

	@Override
	public void commandEnded(Command command, long took, @Nullable Throwable failure) {
		observe(this.observers, (observer) -> observer.commandEnded(command, took, failure));
	}

	/*
	 * Listeners are notified only if there was a hold, because only then were they
	 * notified of the failure.
	 */
	@Override
	public void releaseRepeated(LockKey key, long token, End end) {
		Consumer<SelectiveListener> notification = (listener) -> listener.releaseRepeated(key, token, end);
		observe(observers(key), notification);
		if (token != NO_HOLD) {
			listeners(key).forEach((queue) -> queue.addSelective(notification));
		}
	}

	@Override
	public void permitsDiffer(LockKey key, int permits, int others) {
		notifySelective(key, (listener) -> listener.permitsDiffer(key, permits, others));
	}

	@Override
	public void readersFull(LockKey key, int readers) {
		notifySelective(key, (listener) -> listener.readersFull(key, readers));
	}

	private void notifySelective(LockKey key, Consumer<SelectiveListener> notification) {
		observe(observers(key), notification);
		listeners(key).forEach((queue) -> queue.addSelective(notification));
	}

	/*
	 * Each acquisition causes some of these notifications, so no queue gets one if no
	 * listener receives them.
	 */
	private boolean hasRoutine(LockKey key) {
		for (ListenerQueue queue : listeners(key)) {
			if (queue.receivesRoutine()) {
				return true;
			}
		}
		return false;
	}

	private void addRoutine(Consumer<LockListener> notification) {
		this.listeners.forEach((queue) -> queue.addRoutine(notification));
	}

	private void dispatch(LockKey key, BiConsumer<ListenerQueue, Consumer<LockListener>> adding,
			Consumer<LockListener> notification) {
		dispatch(key, adding, notification, notification);
	}

	private void dispatch(LockKey key, BiConsumer<ListenerQueue, Consumer<LockListener>> adding,
			Consumer<? super EngineObserver> inline, Consumer<LockListener> notification) {
		observe(observers(key), inline);
		listeners(key).forEach((queue) -> adding.accept(queue, notification));
	}

	private static void observe(EngineObserver[] observers, Consumer<? super EngineObserver> notification) {
		for (EngineObserver observer : observers) {
			ListenerQueue.dispatch(notification, observer);
		}
	}

	private EngineObserver[] observers(LockKey key) {
		return key.isRole() ? this.roles : this.observers;
	}

	private List<ListenerQueue> listeners(LockKey key) {
		return key.isRole() ? List.of() : this.listeners;
	}

}
