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

package io.github.watchdoglock.event;

import io.github.watchdoglock.LockKey;

/**
 * An application event about a lock that this instance holds or held. The parameter of an
 * {@code @EventListener} method has one of the permitted types, or this type for all of
 * them.
 * <p>
 * Published on a thread of the library, in order, some time after the fact. A listener
 * that throws or blocks delays further events, but does not affect a lock. A listener
 * that cannot keep up misses events (counted and logged), but never a loss.
 */
public sealed interface LockEvent permits LockAcquiredEvent, LockAbandonedEvent, LockAtRiskEvent, LockRecoveredEvent,
		LockLongHoldEvent, LockMaxHoldExceededEvent, LockLostEvent, LockReleaseFailedEvent {

	/**
	 * Return the key of the lock.
	 * @return the key
	 */
	LockKey key();

	/**
	 * Return the fencing token of the hold.
	 * @return the token
	 */
	long token();

}
