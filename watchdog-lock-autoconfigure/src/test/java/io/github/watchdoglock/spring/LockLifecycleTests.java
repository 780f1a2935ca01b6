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

package io.github.watchdoglock.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockSnapshot;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockLifecycle}.
 */
class LockLifecycleTests {

	private final List<LockSnapshot> snapshots = new ArrayList<>();

	private final AtomicInteger opened = new AtomicInteger();

	private final CompletableFuture<Void> drained = new CompletableFuture<>();

	private final LockLifecycle lifecycle = new LockLifecycle(this.opened::incrementAndGet, () -> this.drained,
			mock(LocalLocks.class, (call) -> this.snapshots));

	@Test
	void stopCompletesWhenLastLockIsReleased() {
		AtomicInteger called = new AtomicInteger();
		this.lifecycle.start();
		this.lifecycle.stop(called::incrementAndGet);
		assertThat(this.lifecycle.isRunning()).isFalse();
		assertThat(called).hasValue(0);
		this.drained.complete(null);
		assertThat(called).hasValue(1);
	}

	@Test
	void stopCompletesWhenCloseOfLocksFails() {
		AtomicInteger called = new AtomicInteger();
		this.lifecycle.stop(called::incrementAndGet);
		this.drained.completeExceptionally(new IllegalStateException());
		assertThat(called).hasValue(1);
	}

	@Test
	void startAfterStopAllowsLocksAgain() {
		this.lifecycle.start();
		this.lifecycle.stop();
		this.lifecycle.start();
		assertThat(this.opened).hasValue(2);
		assertThat(this.lifecycle.isRunning()).isTrue();
	}

	@Test
	void contextIsNotPausedWhileLockIsHeld() {
		assertThat(this.lifecycle.isPauseable()).isTrue();
		this.snapshots.add(snapshot(LockSnapshot.Status.WAITING));
		assertThat(this.lifecycle.isPauseable())
			.as("pauseable while a caller only waits (line 80: while a lock is held)")
			.isTrue();
		this.snapshots.add(snapshot(LockSnapshot.Status.HELD));
		assertThat(this.lifecycle.isPauseable()).isFalse();
	}

	@Test
	void locksStopAfterExecutorsAndBeforeRedis() {
		assertThat(this.lifecycle.getPhase()).as("phase: after the executors (1073741823), before Redis (0)")
			.isEqualTo(1073741822);
	}

	@Test
	void electionsStopAfterWebServerAndBeforeExecutors() {
		LockLifecycle elections = LockLifecycle.ofElections(() -> this.drained);
		assertThat(elections.getPhase()).isEqualTo(1073741824);
		assertThat(elections.isPauseable()).isTrue();
	}

	private static LockSnapshot snapshot(LockSnapshot.Status status) {
		LockSnapshot snapshot = mock(LockSnapshot.class);
		given(snapshot.status()).willReturn(status);
		return snapshot;
	}

}
