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
 * What this instance holds and waits for. Thread-safe; asks nobody.
 */
public interface LocalLocks {

	/**
	 * All that this instance holds and waits for, in no order. Each entry is true for its
	 * own moment, the list as a whole for none.
	 * @return a new list
	 */
	List<LockSnapshot> list();

	/**
	 * The handles that the running thread has open, outermost first, lost ones included.
	 * An annotated method finds its own last, and with it its fencing token. Locks that
	 * belong to no thread are not among them: of asynchronous callers, of reactive
	 * methods, and of stages once their method has returned. One that is kept until the
	 * end of a transaction has a handle for that, outside of the one that was acquired
	 * with it, which is not for others to close.
	 * @return a new list
	 */
	List<LockHandle> current();

	/**
	 * The innermost handle that the running thread has open on a lock, lost or not; one
	 * of {@link #current()}.
	 * @param key the lock
	 * @return the handle, empty where the thread has none
	 */
	default Optional<LockHandle> current(LockKey key) {
		return current().stream().filter((handle) -> handle.key().equals(key)).reduce((outer, inner) -> inner);
	}

	/**
	 * Make sure that the running thread still has every lock that it has acquired and not
	 * closed, which are those of {@link #current()}. Passes where there is none.
	 * @throws LockLostException if one of them is lost
	 */
	void ensureHeld();

}
