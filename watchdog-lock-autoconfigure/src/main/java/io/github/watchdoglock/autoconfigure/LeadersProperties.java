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
import java.util.Map;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says of roles. Immutable.
 *
 * @param leaders Roles that this instance stands for, by their names: stand and
 * lease-time.
 */
@ConfigurationProperties("watchdog-lock")
record LeadersProperties(@DefaultValue Map<String, LeaderProperties> leaders) {

	void check(WatchdogLockProperties all) {
		PropertyProblems problems = new PropertyProblems();
		this.leaders.forEach((role, said) -> {
			String property = property(role);
			try {
				LockKey.ofRole(role);
			}
			catch (LockKeyException ex) {
				problems.require(false, property, role, "" + ex.getMessage(), "give the role another name");
			}
			if (said.leaseTime() != null) {
				problems.requireAllowed(property + ".lease-time", said.leaseTime(), true, all.leaseLimits());
			}
		});
		problems.throwIfAny();
	}

	private static String property(String role) {
		return role.matches("[A-Za-z0-9-]+") ? "leaders." + role : "leaders[" + role + "]";
	}

	@Nullable Duration leaseTime(String role) {
		LeaderProperties said = this.leaders.get(role);
		return (said != null) ? said.leaseTime() : null;
	}

}
