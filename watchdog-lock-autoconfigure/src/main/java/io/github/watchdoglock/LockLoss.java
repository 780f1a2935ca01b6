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

import java.io.Serializable;
import java.util.Locale;

/**
 * The end of a hold that its holder did not request. Immutable.
 *
 * @param key the lock
 * @param token the hold's fencing token
 * @param reason why it ended
 */
public record LockLoss(LockKey key, long token, Reason reason) implements Serializable {

	/**
	 * The reason why a hold ended.
	 */
	public enum Reason {

		/**
		 * Its lease has expired: it could not be renewed in time, or was a fixed one.
		 */
		EXPIRED("it was not renewed in time"),

		/**
		 * Redis no longer has it: it was deleted, evicted, or lost in a failover.
		 */
		GONE("Redis has lost it, by a deletion, an eviction or a failover"),

		/**
		 * An operator took it by force.
		 */
		FORCED("an operator took it"),

		/**
		 * Its thread has ended, or its detached handle was garbage collected, without
		 * closing it.
		 */
		ABANDONED("its handle was not closed"),

		/**
		 * It was held longer than its maximum hold time.
		 */
		MAX_HOLD("it was held for its maximum hold time"),

		/**
		 * The application stopped while it was held.
		 */
		SHUTDOWN("the application stopped"),

		/**
		 * A later holder has raised the fence in the database: see
		 * {@link LockRequest#withFenced(boolean)}.
		 */
		OVERTAKEN("a later holder has raised its fence"),

		/**
		 * An error of the JVM, such as an {@link OutOfMemoryError}, has ended the state
		 * of the lock in this instance. The lock is not renewed any more. It is not
		 * released either, because its work may continue.
		 */
		FAILED("an error ended its state in this instance"),

		/**
		 * The process was restored from a checkpoint after it had acquired the lock:
		 * another copy of the process may hold it, too.
		 */
		RESTORED("the process was restored from a checkpoint"),

		/**
		 * A leader has resigned. Only for terms: releasing a lock is not a loss.
		 */
		RESIGNED("the leader resigned");

		private final String words;

		Reason(String words) {
			this.words = words;
		}

		/**
		 * Return the reason as a clause, with its tag.
		 * @return for example {@code it was not renewed in time (expired)}
		 */
		public String description() {
			return this.words + " (" + tag() + ")";
		}

		/**
		 * Return the reason as a tag value of meters.
		 * @return lower case, words joined by hyphens
		 */
		public String tag() {
			return name().toLowerCase(Locale.ROOT).replace('_', '-');
		}

	}

}
