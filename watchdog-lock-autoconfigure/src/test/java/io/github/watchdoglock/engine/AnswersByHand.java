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

package io.github.watchdoglock.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;

/**
 * A store whose answers come in the order in which a test gives them. Commands reach the
 * store behind it at once.
 */
final class AnswersByHand implements LeaseStore {

	final List<ReleaseCommand> releases = new ArrayList<>();

	/** What gives the answers that are kept back, in the order of the commands. */
	final List<Runnable> kept = new ArrayList<>();

	private final LeaseStore store;

	/** Whether answers are kept back. */
	boolean keeps;

	AnswersByHand(LeaseStore store) {
		this.store = store;
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return keep(this.store.acquire(command));
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return this.store.renew(commands).stream().map(this::keep).toList();
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		this.releases.add(command);
		return keep(this.store.release(command));
	}

	private <T> CompletionStage<T> keep(CompletionStage<T> answer) {
		if (!this.keeps) {
			return answer;
		}
		CompletableFuture<T> later = new CompletableFuture<>();
		this.kept.add(() -> answer.thenAccept(later::complete));
		return later;
	}

}
