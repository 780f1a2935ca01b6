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
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The values of a snapshot.
 *
 * @param key see the accessor; the same applies to the other components
 */
record LockSnapshotValue(LockKey key, Status status, @Nullable String thread, Instant since, Duration elapsed,
		long fencingToken, Duration remaining, Lease lease, long renewals, boolean atRisk, int waiting, Mode mode,
		boolean fenced) implements LockSnapshot {

	LockSnapshotValue {
		Objects.requireNonNull(key, "'key' must not be null");
		Objects.requireNonNull(status, "'status' must not be null");
		Objects.requireNonNull(since, "'since' must not be null");
		Objects.requireNonNull(elapsed, "'elapsed' must not be null");
		Objects.requireNonNull(remaining, "'remaining' must not be null");
		Objects.requireNonNull(lease, "'lease' must not be null");
		Objects.requireNonNull(mode, "'mode' must not be null");
	}

	@Override
	public LockSnapshot withThread(@Nullable String thread) {
		return new LockSnapshotValue(this.key, this.status, thread, this.since, this.elapsed, this.fencingToken,
				this.remaining, this.lease, this.renewals, this.atRisk, this.waiting, this.mode, this.fenced);
	}

	@Override
	public LockSnapshot withSince(Instant since, Duration elapsed) {
		return new LockSnapshotValue(this.key, this.status, this.thread, since, elapsed, this.fencingToken,
				this.remaining, this.lease, this.renewals, this.atRisk, this.waiting, this.mode, this.fenced);
	}

	@Override
	public LockSnapshot withHold(long fencingToken, Duration remaining) {
		return new LockSnapshotValue(this.key, this.status, this.thread, this.since, this.elapsed, fencingToken,
				remaining, this.lease, this.renewals, this.atRisk, this.waiting, this.mode, this.fenced);
	}

	@Override
	public LockSnapshot withRenewals(long renewals, boolean atRisk) {
		return new LockSnapshotValue(this.key, this.status, this.thread, this.since, this.elapsed, this.fencingToken,
				this.remaining, this.lease, renewals, atRisk, this.waiting, this.mode, this.fenced);
	}

	@Override
	public LockSnapshot withWaiting(int waiting) {
		return new LockSnapshotValue(this.key, this.status, this.thread, this.since, this.elapsed, this.fencingToken,
				this.remaining, this.lease, this.renewals, this.atRisk, waiting, this.mode, this.fenced);
	}

	@Override
	public LockSnapshot withMode(Mode mode) {
		return new LockSnapshotValue(this.key, this.status, this.thread, this.since, this.elapsed, this.fencingToken,
				this.remaining, this.lease, this.renewals, this.atRisk, this.waiting, mode, this.fenced);
	}

	@Override
	public LockSnapshot withFenced(boolean fenced) {
		return new LockSnapshotValue(this.key, this.status, this.thread, this.since, this.elapsed, this.fencingToken,
				this.remaining, this.lease, this.renewals, this.atRisk, this.waiting, this.mode, fenced);
	}

}
