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
import java.util.Comparator;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;

/**
 * One of the locks that a call needs.
 *
 * @param request what is asked for
 * @param onLoss what happens when it is lost, not {@link OnLoss#DEFAULT}
 * @param contention what happens when it is not to be had in time
 */
record WantedLock(LockRequest request, OnLoss onLoss, Contention contention) {

	/** The order in which all callers everywhere take their locks. */
	static final Comparator<WantedLock> ORDER = Comparator.comparing(WantedLock::key);

	LockKey key() {
		return this.request.key();
	}

	/* With what is left of a wait that began some time ago. */
	LockRequest requestAfter(Duration waited) {
		Duration wait = this.request.waitTime();
		if (wait == null || wait.isNegative() || wait.isZero()) {
			return this.request;
		}
		Duration left = wait.minus(waited);
		return this.request.withWaitTime(left.isNegative() ? Duration.ZERO : left);
	}

}
