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

package io.github.watchdoglock;

import java.util.List;
import java.util.Optional;

/**
 * The locks that this instance holds or waits for. Thread-safe; only {@link #ensureHeld}
 * sends commands to Redis.
 */
public interface LocalLocks {

	/**
	 * Return all locks that this instance holds or waits for, in no particular order.
	 * Each entry shows its own moment, and the list as a whole does not show one common
	 * moment.
	 * @return a new list
	 */
	List<LockSnapshot> list();

	/**
	 * Return the open handles of the calling thread, outermost first, including lost
	 * ones. An annotated method finds its own handle last, and through it its fencing
	 * token.
	 * <p>
	 * Locks that belong to no thread are not included: those of asynchronous callers, of
	 * reactive methods, and of stages once their method has returned. A lock that is kept
	 * until the end of a transaction has an additional handle for that purpose. It
	 * precedes the handle that was acquired with it, and must not be closed by other
	 * code.
	 * @return a new list
	 */
	List<LockHandle> current();

	/**
	 * Return the innermost open handle of the calling thread to a lock, lost or not; one
	 * of {@link #current()}.
	 * @param key the lock
	 * @return the handle, empty if the thread has none
	 */
	default Optional<LockHandle> current(LockKey key) {
		return current().stream().filter((handle) -> handle.key().equals(key)).reduce((outer, inner) -> inner);
	}

	/**
	 * Check that the calling thread still holds every lock that it has acquired and not
	 * closed: those of {@link #current()}. Passes if there is none.
	 * <p>
	 * Asks Redis about locks that it has not confirmed for longer than
	 * {@code watchdog-lock.commit-check} (1 s), or since the last loss of a connection,
	 * and waits for one command timeout at most. An interrupt does not end the wait.
	 * @throws LockLostException if one of them is lost
	 * @throws LockStoreException if Redis did not confirm one of them, which is still
	 * held
	 */
	void ensureHeld();

	/**
	 * Check that the calling thread holds a lock. The first line of a method that must be
	 * called under a lock: a call within the same object bypasses the proxy, and with it
	 * the annotation. <pre>{@code
	 * void reduceStock(String item) {
	 *     this.localLocks.ensureHeld(LockKey.of("stock", item));
	 *     ...
	 * }}</pre> Any hold of the thread passes, also as a reader or with a permit, and asks
	 * Redis as {@link #ensureHeld()} does. Detached and asynchronous holds belong to no
	 * thread and do not pass. With {@code watchdog-lock.enabled=false}, each call passes.
	 * @param key the lock
	 * @throws IllegalStateException if the thread does not hold it
	 * @throws LockLostException if it is lost
	 * @throws LockStoreException if Redis did not confirm it, and it is still held
	 */
	void ensureHeld(LockKey key);

}
