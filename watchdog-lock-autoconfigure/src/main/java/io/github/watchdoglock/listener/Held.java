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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * What a caller has of a lock, as those see it who hear of it inline: one object for each
 * hold, whatever handles there are on it. Tokens do not tell holds apart: readers who
 * share a lease have one.
 */
public interface Held {

	/**
	 * The hold that a handle belongs to.
	 * @param handle the handle
	 * @return the hold; null of a handle that is none of an engine
	 */
	static @Nullable Held of(LockHandle handle) {
		return (handle instanceof Part part) ? part.hold() : null;
	}

	/**
	 * The lock.
	 * @return the key as the caller named it
	 */
	LockKey key();

	/**
	 * The fencing token.
	 * @return the token, which readers may have in common
	 */
	long token();

	/**
	 * What others may have of the lock at the same time.
	 * @return the mode
	 */
	LockSnapshot.Mode mode();

	/**
	 * A handle that knows its hold.
	 */
	interface Part {

		/**
		 * The hold.
		 * @return the same for all handles on it
		 */
		Held hold();

	}

}
