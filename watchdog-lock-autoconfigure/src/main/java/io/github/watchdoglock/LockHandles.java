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
 * What a caller has of several locks that it acquired together. Thread-safe.
 * <p>
 * Each is a lease of its own, and may be lost while the others are held.
 */
public interface LockHandles extends AutoCloseable {

	/**
	 * What the caller has of one of the locks: its fencing token, for instance.
	 * @param key the lock
	 * @return the handle; where its key was asked for more than once, the first one's
	 * @throws IllegalArgumentException if the lock is not among those that were asked for
	 */
	LockHandle get(LockKey key);

	/**
	 * Whether all locks are held, as {@link LockHandle#isHeld()} tells of each.
	 * @return whether none of them is lost or closed
	 */
	boolean isHeld();

	/**
	 * Give all locks back, the last one first, and wait until the store knows, at most
	 * for the time-out of a command. Any thread may call this, any number of times. Never
	 * throws: what fails is logged and counted, and repeated in the background.
	 */
	@Override
	void close();

	/**
	 * Put handles together.
	 * @param handles what the caller has of each lock, in the order in which they were
	 * taken
	 * @return what it has of all of them
	 */
	static LockHandles of(List<? extends LockHandle> handles) {
		return new SeveralHandles(List.copyOf(handles));
	}

}
