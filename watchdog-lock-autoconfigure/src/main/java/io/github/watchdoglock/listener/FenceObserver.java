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
 * Observes fences. Called inline; must neither block nor throw.
 */
@FunctionalInterface
public interface FenceObserver {

	/**
	 * A fence was raised, or not; or a transaction was refused.
	 * @param key the lock
	 * @param outcome what happened
	 * @param took how long the database took
	 */
	void observed(LockKey key, Outcome outcome, Duration took);

	/**
	 * What became of a fence.
	 */
	enum Outcome {

		/** The fence is raised: every fenced transaction of earlier holders has ended. */
		RAISED,

		/** A later holder was first. */
		OVERTAKEN,

		/** A transaction of an earlier holder was open for too long. */
		BUSY,

		/** The database failed. */
		FAILED

	}

}
