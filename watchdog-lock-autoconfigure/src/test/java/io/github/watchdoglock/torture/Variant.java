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
 * The variant of an instance: the correct one, or one with a single seeded bug.
 */
enum Variant {

	/** The correct variant. */
	RIGHT,

	/**
	 * A hold is valid for as long as the store keeps its lease, by a clock that drifts.
	 */
	NO_MARGIN,

	/** A hold is held until a notification says that it is lost. */
	BOOLEAN,

	/** The first failed renewal is the last one. */
	RENEWAL_DIES,

	/** Elapsed time is the time of day. */
	WALL_CLOCK,

	/** An attempt that was given up is not undone. */
	NO_COMPENSATION,

	/** A lost lock is renewed again, and held again if that succeeds. */
	REVIVAL,

	/** An expired lease is granted to the first caller that asks, not to the queue. */
	NO_QUEUE_AFTER_EXPIRY,

	/** The remaining time of a lease is computed with the reader's retention. */
	OWN_RETENTION,

	/** Tokens start after the last known one, whatever the time. */
	NO_CLOCK,

	/** A writer at the head of the queue does not wait for readers. */
	WRITER_PASSES_READERS,

	/** The end of a permit's lease is ignored. */
	PERMIT_NEVER_FREED

}
