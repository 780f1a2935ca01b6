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

/**
 * What the store says to {@link ReleaseCommand}.
 *
 * @param ended what the attempt had
 * @param next for whom the key is reserved now
 */
public record ReleaseAnswer(Ended ended, Next next) {

	/**
	 * What an attempt had.
	 */
	public enum Ended {

		/**
		 * The lease.
		 */
		LEASE,

		/**
		 * A reservation.
		 */
		RESERVATION,

		/**
		 * A place in the queue.
		 */
		PLACE,

		/**
		 * None of these: nothing was changed.
		 */
		NOTHING

	}

	/**
	 * Who is handed a key.
	 */
	public enum Next {

		/**
		 * Nobody waits, or the key stays as it was.
		 */
		NOBODY,

		/**
		 * The requeued attempt, which is to acquire now.
		 */
		REQUEUED,

		/**
		 * Another attempt.
		 */
		OTHER

	}

}
