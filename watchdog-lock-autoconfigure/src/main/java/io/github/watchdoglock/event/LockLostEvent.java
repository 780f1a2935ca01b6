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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;

/**
 * Event published when a lock is lost: another caller may hold it while its holder still
 * works. Immutable.
 *
 * @param loss which lock, and why
 * @param held the time from acquiring until now
 */
public record LockLostEvent(LockLoss loss, Duration held) implements LockEvent {

	@Override
	public LockKey key() {
		return this.loss.key();
	}

	@Override
	public long token() {
		return this.loss.token();
	}

	/**
	 * Return why the lock was lost.
	 * @return the reason
	 */
	public LockLoss.Reason reason() {
		return this.loss.reason();
	}

}
