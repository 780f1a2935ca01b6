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

import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.LockKey;

/**
 * Event published when a lock is held for unusually long: longer than
 * {@code watchdog-lock.long-hold-warning}. Immutable.
 *
 * @param key the lock
 * @param token the hold's fencing token
 * @param held the time from acquiring until now
 * @param stack the present stack of its thread; empty if it has no thread
 */
public record LockLongHoldEvent(LockKey key, long token, Duration held,
		List<StackTraceElement> stack) implements LockEvent {

	public LockLongHoldEvent {
		stack = List.copyOf(stack);
	}

}
