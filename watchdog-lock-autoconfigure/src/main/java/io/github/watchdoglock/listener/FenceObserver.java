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
 * An observer of fences. Called inline; must neither block nor throw.
 */
@FunctionalInterface
public interface FenceObserver {

	/**
	 * Receive that a fence was raised, or that raising it failed, or that a transaction
	 * was rejected.
	 * @param key the lock
	 * @param outcome the outcome
	 * @param took how long the database took
	 */
	void observed(LockKey key, Outcome outcome, Duration took);

	/**
	 * The outcomes of raising or checking a fence.
	 */
	enum Outcome {

		/** The fence is raised: every fenced transaction of earlier holders has ended. */
		RAISED,

		/** A later holder has raised the fence before. */
		OVERTAKEN,

		/** A transaction of an earlier holder was open for too long. */
		BUSY,

		/** The database failed. */
		FAILED

	}

}
