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

package io.github.watchdoglock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.github.watchdoglock.LockSnapshot.Mode;

/**
 * The values of a state.
 *
 * @param key see the accessor; the same applies to the other components
 */
record LockStateValue(LockKey key, String holder, long token, Duration remaining, int waiting, int holders, Mode mode,
		List<Integer> permits) implements LockState {

	LockStateValue {
		Objects.requireNonNull(key, "'key' must not be null");
		Objects.requireNonNull(holder, "'holder' must not be null");
		Objects.requireNonNull(remaining, "'remaining' must not be null");
		Objects.requireNonNull(mode, "'mode' must not be null");
		permits = permits.stream().distinct().sorted().toList();
		if (holders < 1) {
			throw new IllegalArgumentException("'holders' must be at least 1: " + holders);
		}
	}

	@Override
	public LockState withHolders(int holders) {
		return new LockStateValue(this.key, this.holder, this.token, this.remaining, this.waiting, holders, this.mode,
				this.permits);
	}

	@Override
	public LockState withMode(Mode mode) {
		return new LockStateValue(this.key, this.holder, this.token, this.remaining, this.waiting, this.holders, mode,
				List.of());
	}

	@Override
	public LockState withPermits(Collection<Integer> permits) {
		return new LockStateValue(this.key, this.holder, this.token, this.remaining, this.waiting, this.holders,
				Mode.PERMIT, List.copyOf(permits));
	}

}
