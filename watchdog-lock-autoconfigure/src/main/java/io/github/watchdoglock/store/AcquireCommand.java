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
 * Asks for a key.
 *
 * @param key the key
 * @param attempt who asks
 * @param holder label for people: instance name, host, thread
 * @param lease how long the lease lasts if it is granted
 * @param tokens how many tokens are set aside if it is granted, of which a kind that is
 * shared is given no more than {@link TokenBlock#most}
 * @param lingering whether the instance may keep the grant while nobody holds it
 * @param poll the interval in which the attempt asks again, which takes or refreshes a
 * place in the queue; zero asks without a place
 * @param ifIdle whether a place is taken only where a lingering grant may be given back
 * for it
 * @param timeout how long the answer may take
 */
public record AcquireCommand(LockKey key, AttemptId attempt, String holder, Duration lease, int tokens,
		boolean lingering, Duration poll, boolean ifIdle, Duration timeout) {

	/**
	 * Asks for a key that is not to linger, with a token.
	 * @param key the key
	 * @param attempt who asks
	 * @param holder label for people
	 * @param lease how long the lease lasts if it is granted
	 * @param poll the interval in which the attempt asks again
	 * @param timeout how long the answer may take
	 */
	public AcquireCommand(LockKey key, AttemptId attempt, String holder, Duration lease, Duration poll,
			Duration timeout) {
		this(key, attempt, holder, lease, 1, false, poll, false, timeout);
	}

}
