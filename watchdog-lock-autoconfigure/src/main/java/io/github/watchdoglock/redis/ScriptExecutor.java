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

package io.github.watchdoglock.redis;

/**
 * Runs scripts in Redis.
 */
interface ScriptExecutor extends AutoCloseable {

	/**
	 * Send a call. Does not block, and completes its answer with what Redis says or the
	 * driver reports; calls for one key arrive in the order in which they were given.
	 * @param call the call
	 */
	void run(ScriptCall call);

	/**
	 * Send a message. Does not block, and may throw; nobody hears whether it arrived.
	 * @param channel where to
	 * @param message what it says
	 */
	void publish(byte[] channel, byte[] message);

	/**
	 * Connect, unless that was begun before; the first call begins it too. Does not
	 * block.
	 */
	void begin();

	/**
	 * Have something done when scripts go to another server than before, by the thread
	 * that connects. Before the first call.
	 * @param action what to do; never where moves are not noticed
	 */
	default void whenMoved(Runnable action) {
	}

	/**
	 * Have something done each time that there is a connection, by the thread that
	 * connects. Before the first call.
	 * @param action what to do; never where that is not noticed
	 */
	default void whenReachable(Runnable action) {
	}

	/**
	 * Whether keys of one call must share a slot.
	 * @return false where that is not known
	 */
	boolean isClustered();

	/**
	 * Whether PUBLISH counts all who listen, and not those of one node.
	 * @return true where that is not known
	 */
	default boolean countsListeners() {
		return !isClustered();
	}

	@Override
	void close();

}
