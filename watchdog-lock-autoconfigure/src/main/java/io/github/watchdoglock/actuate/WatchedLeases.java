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
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;

/**
 * A store whose answers end an outage. Costs a look at a field where there is none.
 */
final class WatchedLeases implements LeaseStore, LeaseInspector {

	private final LeaseStore store;

	private final LeaseInspector inspector;

	private final StoreOutage outage;

	WatchedLeases(LeaseStore store, LeaseInspector inspector, StoreOutage outage) {
		this.store = store;
		this.inspector = inspector;
		this.outage = outage;
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return watched(this.store.acquire(command));
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		List<CompletionStage<RenewAnswer>> answers = this.store.renew(commands);
		return (this.outage.current() != null) ? answers.stream().map(this::watched).toList() : answers;
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return watched(this.store.release(command));
	}

	@Override
	public CompletionStage<List<LockState>> find(LockKey key, Duration timeout) {
		return watched(this.inspector.find(key, timeout));
	}

	@Override
	public CompletionStage<ForceAnswer> force(LockKey key, long token, Duration timeout) {
		return watched(this.inspector.force(key, token, timeout));
	}

	@Override
	public CompletionStage<Boolean> ask(LockKey key, Duration timeout) {
		return watched(this.inspector.ask(key, timeout));
	}

	private <T> CompletionStage<T> watched(CompletionStage<T> answer) {
		if (this.outage.current() == null) {
			return answer;
		}
		return answer.whenComplete((value, failure) -> {
			if (failure == null) {
				this.outage.end();
			}
		});
	}

}
