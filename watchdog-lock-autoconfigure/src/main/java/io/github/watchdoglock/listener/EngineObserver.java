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

import java.time.Duration;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockSnapshot.Mode;
import org.jspecify.annotations.Nullable;

/**
 * A listener that is called inline, on whichever thread something happens: must neither
 * block nor throw. Hears how locks are asked for, of which hold the news is, and what
 * concerns the engine and no hold.
 */
public interface EngineObserver extends SelectiveListener {

	/**
	 * As {@link #waiting(LockKey)}.
	 * @param key the lock
	 * @param mode how the caller asks for it
	 */
	default void waiting(LockKey key, Mode mode) {
		waiting(key);
	}

	/**
	 * As {@link #acquired(LockKey, long, Duration)}.
	 * @param hold what the caller has
	 * @param waited from asking until now
	 */
	default void acquired(Held hold, Duration waited) {
		acquired(hold.key(), hold.token(), waited);
	}

	/**
	 * As {@link #notAcquired(LockKey, Outcome, Duration)}.
	 * @param key the lock
	 * @param mode how the caller has asked for it
	 * @param outcome why not
	 * @param waited from asking until now
	 */
	default void notAcquired(LockKey key, Mode mode, Outcome outcome, Duration waited) {
		notAcquired(key, outcome, waited);
	}

	/**
	 * As {@link #atRisk(LockKey, long, Duration, Throwable)}.
	 * @param hold what can't be renewed
	 * @param remaining how long its lease lasts
	 * @param cause why the renewal failed
	 */
	default void atRisk(Held hold, Duration remaining, Throwable cause) {
		atRisk(hold.key(), hold.token(), remaining, cause);
	}

	/**
	 * As {@link #recovered(LockKey, long)}.
	 * @param hold what is renewed again
	 */
	default void recovered(Held hold) {
		recovered(hold.key(), hold.token());
	}

	/**
	 * As {@link #lost(LockLoss, Duration)}.
	 * @param hold what was lost
	 * @param loss which, and why
	 * @param held from acquiring until now
	 */
	default void lost(Held hold, LockLoss loss, Duration held) {
		lost(loss, held);
	}

	/**
	 * As {@link #released(LockKey, long, Duration)}.
	 * @param hold what was closed
	 * @param held from acquiring until closing
	 */
	default void released(Held hold, Duration held) {
		released(hold.key(), hold.token(), held);
	}

	/**
	 * The store answered a renewal that it does not know the lease; told before the loss.
	 * Not called where that is found by a release or a hand-off.
	 * @param key the lock
	 * @param token the fencing token of the hold
	 */
	default void renewalGone(LockKey key, long token) {
	}

	/**
	 * A lock is kept for its next caller, though nobody holds it.
	 * @param key the lock
	 */
	default void idleBegun(LockKey key) {
	}

	/**
	 * It is held again, or was given back.
	 * @param key the lock
	 */
	default void idleEnded(LockKey key) {
	}

	/**
	 * A renewal was due and is sent, or its lock is lost before it could be.
	 * @param lateness from when it was due until then
	 */
	default void renewalSent(Duration lateness) {
	}

	/**
	 * A command to the store has ended.
	 * @param command what the store was asked to do
	 * @param took from sending until the answer
	 * @param failure why there was no answer; null if there was one, whatever it said
	 */
	default void commandEnded(Command command, Duration took, @Nullable Throwable failure) {
	}

	/**
	 * What a store is asked to do.
	 */
	enum Command {

		/** To grant a lease. */
		ACQUIRE,

		/** To renew one. */
		RENEW,

		/** To end one, or an attempt. */
		RELEASE,

		/** To describe who has a lock, or to send a message to them. */
		FIND,

		/** To take a lock away. */
		FORCE

	}

	/**
	 * What a caller has of a lock, as those see it who hear of it inline: one object for
	 * each hold, whatever handles there are on it. Tokens do not tell holds apart:
	 * readers who share a lease have one.
	 */
	interface Held {

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

}
