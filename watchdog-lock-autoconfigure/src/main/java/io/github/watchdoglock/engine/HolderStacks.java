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

package io.github.watchdoglock.engine;

import java.util.List;

import io.github.watchdoglock.LockKey;

/**
 * What the threads of holders do at the moment. Asked for by key and token, since threads
 * are kept by nobody but their holds and their names are not unique.
 */
@FunctionalInterface
public interface HolderStacks {

	/**
	 * No stacks: where there is no engine.
	 */
	HolderStacks NONE = (key, token) -> List.of();

	/**
	 * Look at the thread that acquired a lock and has not detached it. Takes a while.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @return its stack, empty where the hold has ended or belongs to no thread
	 */
	List<StackTraceElement> find(LockKey key, long token);

	/**
	 * The holders of an engine.
	 * @param engine the engine
	 * @return their stacks
	 */
	static HolderStacks of(LockEngine engine) {
		return (key, token) -> Owned.stack(engine.cohorts.holder(key, token));
	}

}
