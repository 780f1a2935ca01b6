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

import io.github.watchdoglock.LockKey;

/**
 * Asks for a key.
 *
 * @param key the key
 * @param attempt who asks
 * @param holder label for people: instance name, host, thread
 * @param lease how long the lease lasts if it is granted
 * @param poll the interval in which the attempt asks again, which takes or refreshes a
 * place in the queue; zero asks without a place
 * @param timeout how long the answer may take
 */
public record AcquireCommand(LockKey key, AttemptId attempt, String holder, Duration lease, Duration poll,
		Duration timeout) {

}
