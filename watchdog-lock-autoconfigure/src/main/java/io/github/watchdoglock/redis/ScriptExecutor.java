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
interface ScriptExecutor {

	/**
	 * Send a call. Does not block, and completes its answer with what Redis says or the
	 * driver reports; calls for one key arrive in the order in which they were given.
	 * @param call the call
	 */
	void run(ScriptCall call);

	/**
	 * Whether keys of one call must share a slot.
	 * @return whether Redis is a cluster
	 */
	boolean isClustered();

	/**
	 * Whether PUBLISH counts all subscribers, and not those of one node.
	 * @return false if scripts may run on another server than messages are published on
	 */
	boolean countsListeners();

}
