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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.jspecify.annotations.Nullable;

/**
 * A store that answers nothing but what operators ask, and that only when it is mended.
 */
final class BrokenStore implements LeaseStore, LeaseInspector {

	final AtomicInteger finds = new AtomicInteger();

	volatile @Nullable LockKey asked;

	volatile boolean mended;

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return failed();
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return commands.stream()
			.<CompletionStage<RenewAnswer>>map(
					(command) -> this.mended ? CompletableFuture.completedFuture(new RenewAnswer.Gone()) : failed())
			.toList();
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return failed();
	}

	@Override
	public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
		this.finds.incrementAndGet();
		this.asked = key;
		return this.mended ? CompletableFuture.completedFuture(List.of()) : failed();
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
		return this.mended ? CompletableFuture.completedFuture(ForceAnswer.FREE) : failed();
	}

	@Override
	public CompletionStage<Boolean> ask(LockKey key, Duration timeout) {
		return this.mended ? CompletableFuture.completedFuture(false) : failed();
	}

	private static <T> CompletionStage<T> failed() {
		return CompletableFuture.failedFuture(new LockStoreException("broken on purpose", null));
	}

}
