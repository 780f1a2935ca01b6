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
 * An observer that is called inline, on the thread on which an event happens; it must
 * neither block nor throw. In addition to the notifications of a listener, it receives
 * the mode of each request, the hold that an event belongs to, and events of the engine
 * that belong to no hold.
 */
public interface EngineObserver extends SelectiveListener {

	/**
	 * Receive {@link #waiting(LockKey)} with the mode of the request.
	 * @param key the lock
	 * @param mode the mode in which the caller requests the lock
	 */
	default void waiting(LockKey key, Mode mode) {
		waiting(key);
	}

	/**
	 * Receive {@link #acquired(LockKey, long, Duration)} with the hold.
	 * @param hold the caller's hold
	 * @param waited the time from the request until now, in nanoseconds
	 */
	default void acquired(Held hold, long waited) {
		acquired(hold.key(), hold.token(), Duration.ofNanos(waited));
	}

	/**
	 * Receive {@link #notAcquired(LockKey, Outcome, Duration)} with the mode of the
	 * request.
	 * @param key the lock
	 * @param mode the mode in which the caller requested the lock
	 * @param outcome why it was not acquired
	 * @param waited the time from the request until now, in nanoseconds
	 */
	default void notAcquired(LockKey key, Mode mode, Outcome outcome, long waited) {
		notAcquired(key, outcome, Duration.ofNanos(waited));
	}

	/**
	 * Receive {@link #atRisk(LockKey, long, Duration, Throwable)} with the hold.
	 * @param hold the hold that cannot be renewed
	 * @param remaining how long its lease lasts
	 * @param cause why the renewal failed
	 */
	default void atRisk(Held hold, Duration remaining, Throwable cause) {
		atRisk(hold.key(), hold.token(), remaining, cause);
	}

	/**
	 * Receive {@link #recovered(LockKey, long)} with the hold.
	 * @param hold the hold that is renewed again
	 */
	default void recovered(Held hold) {
		recovered(hold.key(), hold.token());
	}

	/**
	 * Receive {@link #lost(LockLoss, Duration)} with the hold.
	 * @param hold the hold that was lost
	 * @param loss the lock, and why it was lost
	 * @param held the time from acquiring until now
	 */
	default void lost(Held hold, LockLoss loss, Duration held) {
		lost(loss, held);
	}

	/**
	 * Receive {@link #released(LockKey, long, Duration)} with the hold.
	 * @param hold the hold that was closed
	 * @param held the time from acquiring until closing, in nanoseconds
	 */
	default void released(Held hold, long held) {
		released(hold.key(), hold.token(), Duration.ofNanos(held));
	}

	/**
	 * Receive that the store answered a renewal with "gone": it does not know the lease.
	 * Called before the loss is reported. Not called if a release or a hand-off finds
	 * this.
	 * @param key the lock
	 * @param token the fencing token of the hold
	 */
	default void renewalGone(LockKey key, long token) {
	}

	/**
	 * Receive that the store was asked for a lock before a commit, and did not confirm
	 * it.
	 * @param key the lock
	 */
	default void unconfirmed(LockKey key) {
	}

	/**
	 * Receive that another instance requests the holder of a role's lock to release it.
	 * @param key the role's key
	 * @param token the fencing token of the hold
	 */
	default void resignRequested(LockKey key, long token) {
	}

	/**
	 * Receive that a lock is kept idle for its next caller.
	 * @param key the lock
	 */
	default void idleBegun(LockKey key) {
	}

	/**
	 * Receive that an idle lock is held again, or was released.
	 * @param key the lock
	 */
	default void idleEnded(LockKey key) {
	}

	/**
	 * Receive that a renewal that was due is sent, or that its lock was lost before it
	 * could be sent.
	 * @param lateness the time since the renewal was due, in nanoseconds
	 */
	default void renewalSent(long lateness) {
	}

	/**
	 * Receive that a command to the store has ended.
	 * @param command the kind of command
	 * @param took the time from sending until the answer, in nanoseconds
	 * @param failure why there was no answer; null if there was one, whatever its content
	 */
	default void commandEnded(Command command, long took, @Nullable Throwable failure) {
	}

	/**
	 * The kinds of commands to a store.
	 */
	enum Command {

		/** Acquires a lease. */
		ACQUIRE,

		/** Renews a lease. */
		RENEW,

		/** Releases a lease, or ends an attempt. */
		RELEASE,

		/** Describes the holders of a lock, or sends a message to them. */
		FIND,

		/** Takes a lock from its holders by force. */
		FORCE

	}

	/**
	 * A hold, as observers see it: one object for each hold, regardless of the number of
	 * its handles. A token does not identify a hold, because readers that share a lease
	 * have the same token.
	 */
	interface Held {

		/**
		 * Return the hold that a handle belongs to.
		 * @param handle the handle
		 * @return the hold; null if the handle does not belong to an engine
		 */
		static @Nullable Held of(LockHandle handle) {
			return (handle instanceof Part part) ? part.hold() : null;
		}

		/**
		 * Return the key of the lock.
		 * @return the key as the caller named it
		 */
		LockKey key();

		/**
		 * Return the fencing token.
		 * @return the token, which several readers may have in common
		 */
		long token();

		/**
		 * Return the mode of the hold: which other holds the lock may have at the same
		 * time.
		 * @return the mode
		 */
		LockSnapshot.Mode mode();

		/**
		 * A handle that knows its hold.
		 */
		interface Part {

			/**
			 * Return the hold.
			 * @return the same object for all handles of the hold
			 */
			Held hold();

			/**
			 * Let the transaction of the calling thread keep the hold, if the thread is
			 * in a transaction.
			 */
			void keep();

			/**
			 * Return whether the hold lasts longer than this handle.
			 * @return whether it has another open handle
			 */
			boolean isOutlasted();

		}

	}

}
