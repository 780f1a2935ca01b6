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
 * An executor of scripts in Redis.
 */
interface ScriptExecutor {

	/**
	 * Send a call. Does not block, and completes the answer of the call with the reply of
	 * Redis or the error of the driver. Calls for one key arrive in the order in which
	 * they were passed to this method.
	 * @param call the call
	 */
	void run(ScriptCall<?> call);

	/**
	 * Return whether the keys of one call must share a slot.
	 * @return whether Redis is a cluster
	 */
	boolean isClustered();

	/**
	 * Return whether PUBLISH counts all subscribers, and not only those of one node.
	 * @return false if scripts may run on a server other than the one that messages are
	 * published on
	 */
	boolean countsListeners();

}
