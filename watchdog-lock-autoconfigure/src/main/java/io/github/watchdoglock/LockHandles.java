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

/**
 * The handles to several locks that were acquired together. Thread-safe.
 * <p>
 * Each lock has its own lease, and may be lost while the others are held.
 */
public interface LockHandles extends AutoCloseable {

	/**
	 * Return the handle to one of the locks, for example for its fencing token.
	 * @param key the lock
	 * @return the handle; if its key was requested more than once, the handle of the
	 * first request
	 * @throws IllegalArgumentException if the lock is not one of the requested locks
	 */
	LockHandle get(LockKey key);

	/**
	 * Return whether all locks are held, as {@link LockHandle#isHeld()} returns it for
	 * each.
	 * @return whether none of them is lost or closed
	 */
	boolean isHeld();

	/**
	 * Release all locks, the last one first, and wait until Redis has confirmed the
	 * releases, at most for the timeout of a command. May be called by any thread, any
	 * number of times. Never throws: a failure is logged and counted, and the release is
	 * repeated in the background.
	 */
	@Override
	void close();

	/**
	 * Combine handles.
	 * @param handles the handles, in the order in which their locks were acquired
	 * @return one object for all of them
	 */
	static LockHandles of(List<? extends LockHandle> handles) {
		return new SeveralHandles(List.copyOf(handles));
	}

}
