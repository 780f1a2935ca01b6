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

import java.time.Duration;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.settings.LeaseLimits;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of one role. Null if not set. Immutable.
 *
 * @param candidate Whether this instance is a candidate for the role even if it has no
 * work for it.
 * @param leaseTime How long a term lasts in Redis without a renewal by its leader. By
 * default as long as locks.
 */
record LeaderProperties(@DefaultValue("true") boolean candidate, @Nullable Duration leaseTime) {

	void check(String role, PropertyProblems problems, LeaseLimits limits) {
		String property = role.matches("[A-Za-z0-9-]+") ? "leaders." + role : "leaders[" + role + "]";
		try {
			LockKey.ofRole(role);
		}
		catch (LockKeyException ex) {
			problems.require(false, property, role, "" + ex.getMessage(), "give the role another name");
		}
		if (this.leaseTime != null) {
			problems.requireAllowed(property + ".lease-time", this.leaseTime, true, limits);
		}
	}

	/**
	 * Create the properties of a role that has none.
	 * @param text must be blank
	 * @return the defaults
	 */
	public static LeaderProperties of(String text) {
		if (!text.isBlank()) {
			throw new IllegalArgumentException("A role has no value. Set the properties below it, such as lease-time");
		}
		return new LeaderProperties(true, null);
	}

}
