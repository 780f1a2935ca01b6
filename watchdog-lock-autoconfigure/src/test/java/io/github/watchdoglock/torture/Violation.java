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

package io.github.watchdoglock.torture;

/**
 * A violation of a promise.
 *
 * @param kind the kind
 * @param text where and when
 */
record Violation(Kind kind, String text) {

	enum Kind {

		/** Two holds of one key at one time. */
		OVERLAP,

		/** A later hold does not have a greater token. */
		ORDER,

		/** A lock was held again after its loss. */
		REVIVED,

		/**
		 * A lock was gone before its deadline, although no caller may have acquired it.
		 */
		GONE,

		/** A renewed lock was lost without a fault. */
		UNEXPLAINED_LOSS,

		/**
		 * Others acquired a key repeatedly while an instance waited for it in vain.
		 */
		PASSED,

		/** A key was free, and a waiting instance did not get it in time. */
		ORPHAN,

		/** Something failed without a notification. */
		ERROR

	}

}
