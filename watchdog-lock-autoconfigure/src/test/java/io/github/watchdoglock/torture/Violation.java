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
 * Something that must not happen, and did.
 *
 * @param kind what
 * @param text where and when
 */
record Violation(Kind kind, String text) {

	enum Kind {

		/** Two holds of one key at one time. */
		OVERLAP,

		/** A later hold has no greater token. */
		ORDER,

		/** A lock was held again after it was not. */
		REVIVED,

		/** A lock was gone before its deadline, though nobody may take it. */
		GONE,

		/** A renewed lock was lost though nothing was wrong. */
		UNEXPLAINED_LOSS,

		/**
		 * Others took a key again and again, and one who waited for it did not get it.
		 */
		PASSED,

		/** Nobody had a key, and one who waited for it did not get it in time. */
		ORPHAN,

		/** Something failed in a way that nobody is told of. */
		ERROR

	}

}
