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

package io.github.watchdoglock.torture;

import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;

/**
 * A store that delegates to another one, and changes one of the verbs.
 */
class StoreDecorator implements LeaseStore {

	private final LeaseStore store;

	StoreDecorator(LeaseStore store) {
		this.store = store;
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return this.store.acquire(command);
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return commands.stream().map(this::renew).toList();
	}

	CompletionStage<RenewAnswer> renew(RenewCommand command) {
		return this.store.renew(List.of(command)).get(0);
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return this.store.release(command);
	}

}
