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

package io.github.watchdoglock.autoconfigure;

import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.lock.RoleTerms;
import io.github.watchdoglock.leader.LeaderElections;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The terms of the election bean, which is not created before it is needed.
 *
 * @param elections the election; provides null if the application has its own
 */
record ElectedTerms(ObjectProvider<LeaderElections> elections) implements RoleTerms {

	@Override
	public void becomeCandidate(String role, @Nullable LeaderWork work) {
		present().declare(role, work);
	}

	@Override
	public @Nullable LockHandle enter(String role, OnLoss onLoss, @Nullable Thread thread) {
		return present().enter(role, onLoss, thread);
	}

	private LeaderElections present() {
		LeaderElections present = this.elections.getIfAvailable();
		if (present == null) {
			throw new LockConfigurationException(
					"@LeaderOnly has no effect, because the application defines its own LeaderElection bean.",
					"Ask that bean in the method, or remove @LeaderOnly.");
		}
		return present;
	}

}
