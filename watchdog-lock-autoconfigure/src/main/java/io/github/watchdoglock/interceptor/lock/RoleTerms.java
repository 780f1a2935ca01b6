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

package io.github.watchdoglock.interceptor.lock;

import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * The terms in which this instance leads.
 */
@FunctionalInterface
public interface RoleTerms {

	/**
	 * The terms of an instance that is not a candidate for any role.
	 */
	RoleTerms NONE = (role, onLoss, thread) -> null;

	/**
	 * Become a candidate for a role.
	 * @param role the role
	 * @param work the work of its terms; null if only methods are for the leader
	 */
	default void becomeCandidate(String role, @Nullable LeaderWork work) {
	}

	/**
	 * Take part in the present term.
	 * @param role the role
	 * @param onLoss what the end of the term means to the call
	 * @param thread the thread of the call; null if it has none
	 * @return a handle that keeps the term; null if this instance does not lead
	 */
	@Nullable LockHandle enter(String role, OnLoss onLoss, @Nullable Thread thread);

}
