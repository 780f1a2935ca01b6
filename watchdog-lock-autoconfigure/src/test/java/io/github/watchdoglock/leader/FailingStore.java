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

package io.github.watchdoglock.leader;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;

/**
 * A store of one instance, shared with other instances, whose connection can be cut.
 */
final class FailingStore implements LeaseStore {

	private final InMemoryLeaseStore store;

	boolean cut;

	/** The number of commands. */
	int commands;

	FailingStore(InMemoryLeaseStore store) {
		this.store = store;
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return unlessCut(() -> this.store.acquire(command));
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return commands.stream().map((command) -> unlessCut(() -> this.store.renew(List.of(command)).get(0))).toList();
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return unlessCut(() -> this.store.release(command));
	}

	private <T> CompletionStage<T> unlessCut(Supplier<CompletionStage<T>> command) {
		this.commands++;
		return this.cut ? CompletableFuture.failedFuture(new LockStoreException("cut on purpose", null))
				: command.get();
	}

}
