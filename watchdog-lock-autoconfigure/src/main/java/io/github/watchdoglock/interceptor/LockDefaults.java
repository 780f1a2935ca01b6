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

package io.github.watchdoglock.interceptor;

import java.time.Duration;

import io.github.watchdoglock.OnContention;

/**
 * What counts where an annotation is silent. Immutable.
 *
 * @param leaseTime the lease
 * @param waitTime the wait: zero tries once, negative waits without end
 * @param onContention what happens when the wait is over, not
 * {@link OnContention#DEFAULT}
 * @param leaseRule which leases an annotation may ask for
 */
public record LockDefaults(Duration leaseTime, Duration waitTime, OnContention onContention, LeaseRule leaseRule) {

	public LockDefaults {
		if (onContention == OnContention.DEFAULT) {
			throw new IllegalArgumentException("'onContention' must be FAIL or SKIP: DEFAULT would refer to itself");
		}
	}

}
