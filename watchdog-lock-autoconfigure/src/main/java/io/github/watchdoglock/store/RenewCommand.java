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
 * Asks that a lease last from now, never shorter than it already would.
 *
 * @param key the key
 * @param attempt the owner
 * @param firstToken the first token that the lease was granted with
 * @param lease how long it shall last
 * @param nextBlock whether more tokens are set aside, {@link TokenBlock#most} of the
 * attempt's kind
 * @param timeout how long the answer may take
 */
public record RenewCommand(LockKey key, AttemptId attempt, long firstToken, Duration lease, boolean nextBlock,
		Duration timeout) {

}
