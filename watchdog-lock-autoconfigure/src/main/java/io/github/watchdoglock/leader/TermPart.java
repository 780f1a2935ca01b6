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

package io.github.watchdoglock.leader;

import java.util.List;

import io.github.watchdoglock.LockLoss;

/**
 * A piece of work in a term, which is not over before it has ended.
 */
interface TermPart {

	/**
	 * The term is over: make the work end. Called on any thread.
	 * @param reason why
	 */
	void revoke(LockLoss.Reason reason);

	/**
	 * Whether its revocation interrupts a thread, which may block.
	 * @return false where it is only told
	 */
	default boolean isInterrupted() {
		return false;
	}

	/**
	 * Whether a thread is executing it, and so cannot wait for its end.
	 * @param thread the thread
	 * @return true for a listener that stops what it listens to
	 */
	default boolean isOf(Thread thread) {
		return false;
	}

	/**
	 * What it does at the moment.
	 * @return the name of its thread and its stack; empty where it has none
	 */
	List<String> stack();

}
