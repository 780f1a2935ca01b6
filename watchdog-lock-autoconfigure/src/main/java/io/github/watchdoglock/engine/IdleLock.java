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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.time.Instant;

import io.github.watchdoglock.LockKey;

/**
 * A lock that an instance keeps idle for its next caller, at one moment. Immutable.
 *
 * @param key the lock
 * @param token the fencing token of its last hold
 * @param since when that hold was closed, by the wall clock
 * @param elapsed how long ago that was
 * @param remaining how long the instance keeps the lease unless it is renewed
 */
public record IdleLock(LockKey key, long token, Instant since, Duration elapsed, Duration remaining) {
}
