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
 * A command that restarts a lease from now, without ever shortening it.
 *
 * @param key the key
 * @param attempt the attempt that has the lease
 * @param firstToken the first token with which the lease was granted
 * @param lease the new length of the lease
 * @param nextBlock whether more tokens are reserved, {@link TokenBlock#most} of the
 * attempt's kind
 * @param timeout how long the answer may take
 */
public record RenewCommand(LockKey key, AttemptId attempt, long firstToken, Duration lease, boolean nextBlock,
		Duration timeout) {

}
