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

package io.github.watchdoglock.store;

import java.util.List;

import io.github.watchdoglock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * The survey of a store that can list its keys: which of them are held, by any instance.
 * Thread-safe.
 * <p>
 * Not promised: a consistent snapshot. A key that is acquired or released during the
 * survey may be listed or not. A key that is held all the time is listed at least once
 * between the first answer and the one that has no cursor, unless the store moves keys
 * between servers during that time.
 */
@FunctionalInterface
public interface LeaseSurvey {

	/**
	 * Look at as many keys as are allowed in one step. Blocks, and delays no command of a
	 * lock.
	 * @param cursor the cursor of the previous answer; null to begin
	 * @param limit how many locks are listed before the answer ends; 0 to count them only
	 * @return the locks that were found
	 * @throws io.github.watchdoglock.LockStoreException if the store does not answer
	 */
	Answer look(@Nullable String cursor, int limit);

	/**
	 * The result of one step of a survey.
	 */
	sealed interface Answer {

		/**
		 * A part of the locks that are held.
		 *
		 * @param locks the locks, in no particular order; long ids as they are in the
		 * store
		 * @param count the number of locks found; greater than the number of listed locks
		 * only if the limit is less than the number of locks that a cursor cannot
		 * separate
		 * @param gaps which parts of the store could not be searched, for people
		 * @param cursor where to continue; null if all keys were searched
		 */
		record Held(List<LockState> locks, int count, List<String> gaps, @Nullable String cursor) implements Answer {

		}

		/**
		 * The store cannot list its keys, or is not permitted to.
		 *
		 * @param reason why not, and the remedy, for people
		 */
		record Off(String reason) implements Answer {

		}

		/**
		 * The cursor does not come from an answer, or is no longer valid.
		 *
		 * @param reason which of these, for people
		 */
		record UnknownCursor(String reason) implements Answer {

		}

	}

}
