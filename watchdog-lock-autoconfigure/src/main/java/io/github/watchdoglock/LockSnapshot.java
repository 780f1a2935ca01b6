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

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A hold or a wait of this instance at one moment. Immutable; snapshots that say the same
 * are equal.
 */
public sealed interface LockSnapshot permits LockSnapshotValue {

	/**
	 * A snapshot of an asynchronous caller, as for {@link LocalLocks} of one's own in a
	 * test.
	 * @param key the lock
	 * @param status whether it is held or waited for
	 * @param lease what was asked for
	 * @return the snapshot, whose numbers and times are zero, and which is not at risk
	 */
	static LockSnapshot of(LockKey key, Status status, Lease lease) {
		return new LockSnapshotValue(key, status, null, Instant.EPOCH, Duration.ZERO, 0, Duration.ZERO, lease, 0, false,
				0, Mode.EXCLUSIVE, false);
	}

	/**
	 * The lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * Whether it is held or waited for.
	 * @return the status
	 */
	Status status();

	/**
	 * Name of the thread that acquired it or waits.
	 * @return the name; null for an asynchronous caller
	 */
	@Nullable String thread();

	/**
	 * When it was acquired, or when the wait began, by the wall clock.
	 * @return the moment
	 */
	Instant since();

	/**
	 * How long ago that was, by the monotonic clock.
	 * @return the time
	 */
	Duration elapsed();

	/**
	 * The hold's token.
	 * @return the token; zero while waiting
	 */
	long fencingToken();

	/**
	 * How long it stays held unless renewed.
	 * @return what is left; zero while waiting
	 */
	Duration remaining();

	/**
	 * What was asked for; of a hold, the strongest of what its callers asked for.
	 * @return the lease
	 */
	Lease lease();

	/**
	 * How often its lease was renewed, also under holders of this instance who handed it
	 * on.
	 * @return their number; zero while waiting
	 */
	long renewals();

	/**
	 * Whether renewing it fails at the moment.
	 * @return whether it does
	 */
	boolean atRisk();

	/**
	 * How many callers of this instance wait for the same key.
	 * @return their number
	 */
	int waiting();

	/**
	 * What others may have of the lock at the same time.
	 * @return the mode
	 */
	Mode mode();

	/**
	 * Whether a hold is fenced, see {@link LockRequest#withFenced(boolean)}.
	 * @return whether it is; false while waiting
	 */
	boolean fenced();

	/**
	 * This snapshot with a thread.
	 * @param thread its name; null for an asynchronous caller
	 * @return a new snapshot
	 */
	LockSnapshot withThread(@Nullable String thread);

	/**
	 * This snapshot with a beginning.
	 * @param since when that was, by the wall clock
	 * @param elapsed how long ago, by the monotonic clock
	 * @return a new snapshot
	 */
	LockSnapshot withSince(Instant since, Duration elapsed);

	/**
	 * This snapshot with what a hold has.
	 * @param fencingToken its token
	 * @param remaining how long it stays held unless renewed
	 * @return a new snapshot
	 */
	LockSnapshot withHold(long fencingToken, Duration remaining);

	/**
	 * This snapshot with what became of the renewals.
	 * @param renewals how many succeeded
	 * @param atRisk whether they fail at the moment
	 * @return a new snapshot
	 */
	LockSnapshot withRenewals(long renewals, boolean atRisk);

	/**
	 * This snapshot with callers of this instance who wait for the same key.
	 * @param waiting how many
	 * @return a new snapshot
	 */
	LockSnapshot withWaiting(int waiting);

	/**
	 * This snapshot in another mode.
	 * @param mode the mode
	 * @return a new snapshot
	 */
	LockSnapshot withMode(Mode mode);

	/**
	 * This snapshot with or without a fence.
	 * @param fenced whether the hold is fenced
	 * @return a new snapshot
	 */
	LockSnapshot withFenced(boolean fenced);

	/**
	 * How a caller asks for a lock, or has it. The same request is always of the same
	 * mode; what {@link LockMode#WRITE} and an exclusive lock let in is the same.
	 */
	enum Mode {

		/**
		 * Alone, where the request says nothing of readers.
		 */
		EXCLUSIVE,

		/**
		 * Together with others who read: {@link LockMode#READ}.
		 */
		READ,

		/**
		 * Alone, where {@link LockRequest#withMode(LockMode)} has said
		 * {@link LockMode#WRITE}, as a write lock of
		 * {@link LockService#asReadWriteLock(LockRequest)} does.
		 */
		WRITE,

		/**
		 * One of some permits.
		 */
		PERMIT;

		private final String tag = name().toLowerCase(Locale.ROOT);

		/**
		 * The mode as a value of tags.
		 * @return in lower case
		 */
		public String tag() {
			return this.tag;
		}

	}

	/**
	 * What a caller is to a lock.
	 */
	enum Status {

		/**
		 * It holds the lock.
		 */
		HELD,

		/**
		 * It waits for the lock.
		 */
		WAITING

	}

}
