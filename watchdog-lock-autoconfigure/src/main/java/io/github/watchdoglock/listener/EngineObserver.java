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

import io.github.watchdoglock.LockKey;

/**
 * A listener that is called inline, on whichever thread something happens: must neither
 * block nor throw. Hears what concerns the engine and no hold.
 */
public interface EngineObserver extends SelectiveListener {

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
	 * The store answered a renewal, whatever it said. Not called where it failed.
	 * @param took from sending until the answer
	 */
	default void renewalAnswered(Duration took) {
	}

}
