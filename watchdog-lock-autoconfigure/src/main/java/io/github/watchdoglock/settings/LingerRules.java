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

package io.github.watchdoglock.settings;

import java.time.Duration;
import java.util.Map;

import io.github.watchdoglock.LockKey;

/**
 * For how long a grant is kept that nobody holds any more, at most. Immutable; zero gives
 * it back at once.
 *
 * @param time of locks of which nothing else is said
 * @param byName of the locks of a name
 */
public record LingerRules(Duration time, Map<String, Duration> byName) {

	/**
	 * Nothing is kept.
	 */
	public static final LingerRules OFF = new LingerRules(Duration.ZERO, Map.of());

	public LingerRules {
		byName = Map.copyOf(byName);
	}

	/**
	 * For how long the grant of a lock is kept.
	 * @param key the lock
	 * @return nanoseconds; zero where it is given back at once
	 */
	public long of(LockKey key) {
		Duration named = this.byName.isEmpty() ? null : this.byName.get(key.name());
		return ((named != null) ? named : this.time).toNanos();
	}

}
