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
 * What a store can do that is able to name its keys: tell which of them somebody has,
 * whichever instance that is. Thread-safe.
 * <p>
 * Not promised: a moment. A key that is taken or released meanwhile may be told of or
 * not, one that is held all the time is told of at least once from the first answer to
 * the one that has no cursor, unless the store moves keys between servers meanwhile.
 */
@FunctionalInterface
public interface LeaseSurvey {

	/**
	 * Look at so many keys as may be looked at at once. Blocks, and delays no command of
	 * a lock.
	 * @param cursor where the answer before ended; null to begin
	 * @param limit how many locks are told of before the answer ends; 0 to count them
	 * alone
	 * @return what was found
	 * @throws io.github.watchdoglock.LockStoreException if the store does not answer
	 */
	Answer look(@Nullable String cursor, int limit);

	/**
	 * Of a store that can't.
	 * @param reason why it can't, for people
	 * @return a survey that says so
	 */
	static LeaseSurvey off(String reason) {
		return (cursor, limit) -> new Answer.Off(reason);
	}

	/**
	 * What came of a look.
	 */
	sealed interface Answer {

		/**
		 * Some of what is held.
		 *
		 * @param locks the locks, in no order; long ids as the store has them
		 * @param count how many there were; more than are told of only where the limit is
		 * less than what can't be told apart by a cursor
		 * @param gaps what could not be looked at, for people
		 * @param cursor where to go on; null where all was looked at
		 */
		record Held(List<LockState> locks, int count, List<String> gaps, @Nullable String cursor) implements Answer {

		}

		/**
		 * This store can't, or may not.
		 *
		 * @param reason why, and what would help, for people
		 */
		record Off(String reason) implements Answer {

		}

		/**
		 * The cursor was of no answer, or is not valid any more.
		 *
		 * @param reason which of them, for people
		 */
		record UnknownCursor(String reason) implements Answer {

		}

	}

}
