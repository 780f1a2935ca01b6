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

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.settings.KeyRules;
import org.jspecify.annotations.Nullable;

/**
 * The keys in use. A key that is not used any more leaves, so no eviction is necessary.
 * Thread-safe.
 */
final class LocalKeys implements KeyTasks.Keys {

	private final EngineContext context;

	private final ConcurrentMap<LockKey, LocalLock> locks = new ConcurrentHashMap<>();

	/** Keys in which something has failed, the last one first. */
	private final AtomicReference<@Nullable KeyTasks> stalled = new AtomicReference<>();

	LocalKeys(EngineContext context) {
		this.context = context;
	}

	@Override
	public EngineContext context() {
		return this.context;
	}

	@Override
	public void join(Waiter waiter) {
		LocalLock lock = find(KeyRules.bounded(waiter.key));
		try {
			waiter.join(lock);
		}
		catch (Throwable ex) {
			// The key may be new; it retires if it is not used.
			lock.mailbox.requestCheck();
			throw ex;
		}
	}

	/*
	 * The key is looked up first, because computeIfAbsent takes a lock even if the key
	 * exists.
	 */
	private LocalLock find(LockKey key) {
		LocalLock lock = this.locks.get(key);
		if (lock != null) {
			return lock;
		}
		this.context.startIfUnstarted();
		return this.locks.computeIfAbsent(key, (bounded) -> new LocalLock(bounded, this));
	}

	@Override
	public void remove(KeyTasks retired) {
		this.locks.remove(retired.key, retired);
	}

	int size() {
		return this.locks.size();
	}

	/*
	 * Let the watchdog continue a key, which may have retired, and is in the list at most
	 * once. Allocates nothing.
	 */
	@Override
	public void callWatchdog(KeyTasks stalled) {
		KeyTasks before;
		do {
			before = this.stalled.get();
			stalled.nextStalled = before;
		}
		while (!this.stalled.compareAndSet(before, stalled));
		this.context.watchdog.call();
	}

	/* Called by the watchdog: continue the keys in which something has failed. */
	void resumeStalled() {
		KeyTasks stalled = this.stalled.getAndSet(null);
		while (stalled != null) {
			KeyTasks next = stalled.nextStalled;
			stalled.nextStalled = null;
			try {
				stalled.mailbox.resume();
			}
			catch (Throwable ex) {
				// The other keys continue.
				callWatchdog(stalled);
			}
			stalled = next;
		}
	}

	/* Run a task of a key and return its result; null if the key is not in use. */
	<T> @Nullable T look(LockKey key, Function<LocalLock, @Nullable T> task) {
		LocalLock lock = this.locks.get(key);
		AtomicReference<@Nullable T> found = new AtomicReference<>();
		if (lock != null) {
			lock.runAndWait(() -> found.set(task.apply(lock)));
		}
		return found.get();
	}

	/* Run a task of a key on an I/O thread, if the key is in use. */
	void with(LockKey key, Consumer<LocalLock> task) {
		LocalLock lock = this.locks.get(key);
		if (lock != null) {
			lock.runBriefly(() -> task.accept(lock));
		}
	}

	/* Return the keys at this moment. */
	Collection<LocalLock> all() {
		return this.locks.values();
	}

	/* Fail waiting callers, and release idle leases. */
	void stop() {
		this.locks.values().forEach((lock) -> lock.run(lock::stop));
	}

	/* Declare all open holds lost; only the key of a dead thread is released. */
	void abandon() {
		this.locks.values().forEach((lock) -> lock.run(() -> lock.forEachHold((hold) -> {
			if (hold.isOpen() && !hold.endIfAbandoned()) {
				hold.lease.lose(hold, LockLoss.Reason.SHUTDOWN, null);
			}
		})));
	}

	/* The work continues, so the key stays locked until its lease expires. */
	void lose(LockKey key, long token, LockLoss.Reason reason) {
		LocalLock lock = this.locks.get(KeyRules.bounded(key));
		if (lock != null) {
			lock.runAndWait(() -> lock.forEachHold((hold) -> {
				if (hold.isOpen() && hold.token == token) {
					hold.lease.lose(hold, reason, null);
				}
			}));
		}
	}

}
