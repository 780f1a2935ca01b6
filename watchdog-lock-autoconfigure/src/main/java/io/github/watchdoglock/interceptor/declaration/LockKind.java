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

package io.github.watchdoglock.interceptor.declaration;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.annotation.DistributedLock;

/**
 * The kind of a lock: which callers may hold it at the same time. Immutable.
 *
 * @param permits how many; 1, or 0 if none are set, for an exclusive lock
 * @param mode whether it is for reading, together with other readers
 */
record LockKind(int permits, LockMode mode) {

	static final LockKind EXCLUSIVE = new LockKind(0, LockMode.WRITE);

	static LockKind of(DeclaredAnnotation declared, LockDefaults defaults) {
		DistributedLock annotation = (DistributedLock) declared.annotation();
		int given = annotation.permits();
		if (given < 0 || given > LockDefaults.MAX_PERMITS) {
			throw declared.problem(
					declared.quoted("permits") + " is " + given + ", and must be from 1 to " + LockDefaults.MAX_PERMITS,
					"Set the number of callers that may hold the lock at once, or leave it out to use"
							+ " watchdog-lock.locks.<name>.permits.");
		}
		int permits = (given > 0) ? given : defaults.permits();
		if (permits > 0 && annotation.mode() == LockMode.READ) {
			throw declared.problem(
					declared.quoted("mode") + " is READ, and "
							+ ((given > 0) ? declared.quoted("permits") + " is " + permits
									: "'permits' is " + permits + " in watchdog-lock.locks")
							+ ", but readers are not counted",
					"Leave out " + declared.quoted("mode") + " to limit the number of holders, or "
							+ declared.quoted("permits") + " to let readers hold the lock together.");
		}
		return new LockKind(permits, annotation.mode());
	}

	LockRequest of(LockKey key) {
		// An annotation cannot distinguish the default mode from one that is not set.
		LockRequest request = (this.mode == LockMode.READ) ? LockRequest.of(key).withMode(this.mode)
				: LockRequest.of(key);
		return (this.permits > 0) ? request.withPermits(this.permits) : request;
	}

}
