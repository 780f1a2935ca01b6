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

package io.github.watchdoglock.fence;

import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.listener.AcquisitionGuard;
import org.jspecify.annotations.Nullable;

/**
 * A hold whose fence was raised. Thread-safe.
 *
 * @param key the lock
 * @param hash the primary key of its row
 * @param token the hold's fencing token
 * @param holder a random id, unique for each hold
 * @param deadline when the wait of its caller ends, by {@link System#nanoTime()}
 * @param unchecked reports that no transaction has checked the fence; none after a check
 */
record FencedHold(LockKey key, String hash, long token, String holder, long deadline,
		AtomicReference<@Nullable Runnable> unchecked) implements AcquisitionGuard.Admission {

}
