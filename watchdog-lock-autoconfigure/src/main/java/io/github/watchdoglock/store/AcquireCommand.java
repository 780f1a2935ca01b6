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

package io.github.watchdoglock.store;

import java.time.Duration;

import io.github.watchdoglock.LockKey;

/**
 * A command that requests a key.
 *
 * @param key the key
 * @param attempt the attempt that requests it
 * @param holder a label for people: instance name, host, thread
 * @param lease the length of the lease if it is granted
 * @param tokens how many tokens are reserved if it is granted; a shared kind is given at
 * most {@link TokenBlock#most}
 * @param lingering whether the instance may keep the lease idle
 * @param poll the interval in which the attempt asks again, and for which a place in the
 * queue is taken or refreshed; zero asks without a place
 * @param ifIdle whether a place is taken only if the key is idle, so that its instance
 * may release it for the attempt
 * @param timeout how long the answer may take
 */
public record AcquireCommand(LockKey key, AttemptId attempt, String holder, Duration lease, int tokens,
		boolean lingering, Duration poll, boolean ifIdle, Duration timeout) {

}
