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
 * What an instance is built like: right, or wrong on purpose in one way.
 */
enum Variant {

	/** As it should be. */
	RIGHT,

	/** A deadline counts from the answer, not from before the command was sent. */
	DEADLINE_FROM_ANSWER,

	/**
	 * A hold is valid for as long as the store keeps its lease, by a clock that drifts.
	 */
	NO_MARGIN,

	/** A release ends the lease, whosever it is. */
	NO_OWNER_CHECK,

	/** Held is what nobody has said is lost. */
	BOOLEAN,

	/** The first renewal that fails is the last one. */
	RENEWAL_DIES,

	/** Elapsed time is the time of day. */
	WALL_CLOCK,

	/** An attempt that was given up is not undone. */
	NO_COMPENSATION,

	/** A lost lock is renewed again, and held again if that succeeds. */
	REVIVAL,

	/** An attempt that is over is granted what it asks for late. */
	NEVER_ENDED,

	/** A lease that is asked for again lasts no longer than it did. */
	NOT_LENGTHENED,

	/** A renewal that comes late makes a released lease last. */
	LATE_RENEWAL,

	/** A lease that is over is had by whoever asks first. */
	NO_QUEUE_AFTER_EXPIRY,

	/** The rest of a lease is counted with the reader's retention. */
	OWN_RETENTION,

	/** Tokens start behind the last one that is known, whatever the time. */
	NO_CLOCK,

	/** Tokens that were used go back, and no time hides that. */
	USED_TOKENS_RETURNED,

	/** A reader who asks again is there twice. */
	READER_COUNTED_TWICE,

	/** A writer whose turn it is does not wait for those who read. */
	WRITER_PASSES_READERS,

	/** The end of a permit's lease does not count. */
	PERMIT_NEVER_FREED,

	/** Whoever renews sets the ends of all who have the key. */
	ENDS_OF_ALL_RENEWED,

	/** A token that was not used goes back though others were given since. */
	TOKEN_BELOW_ANOTHERS_RETURNED

}
