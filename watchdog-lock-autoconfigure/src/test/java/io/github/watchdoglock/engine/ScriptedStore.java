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
import java.util.function.Supplier;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.NotConnectedException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.support.ErrorPoint;

/**
 * A store whose answers a test can hold back, or replace with failures. Commands reach
 * the underlying store at once unless they are dropped.
 */
class ScriptedStore implements LeaseStore {

	final List<Object> commands = new ArrayList<>();

	private final LeaseStore store;

	private final List<Runnable> held = new ArrayList<>();

	boolean hold;

	/** Commands reach the underlying store when they are delivered. */
	boolean onTheWay;

	/** The answer to a command is lost, but its effect is not. */
	boolean loseAnswers;

	/** Commands throw instead of answering. */
	boolean broken;

	/** No command has an effect. */
	boolean down;

	/** There is no connection, so that no command is sent. */
	boolean disconnected;

	/** No command has an effect, now or later. */
	boolean refusing;

	ScriptedStore(LeaseStore store) {
		this.store = store;
	}

	@Override
	public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
		return answer(command, () -> this.store.acquire(command));
	}

	@Override
	public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
		return commands.stream()
			.map((command) -> answer(command, () -> this.store.renew(List.of(command)).get(0)))
			.toList();
	}

	@Override
	public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
		return answer(command, () -> this.store.release(command));
	}

	private <T> CompletionStage<T> answer(Object command, Supplier<CompletionStage<T>> effect) {
		this.commands.add(command);
		if (this.broken) {
			throw new LinkageError("broken");
		}
		if (this.down) {
			return CompletableFuture.failedFuture(new LockStoreException("down", null));
		}
		if (this.disconnected) {
			return CompletableFuture.failedFuture(new NotConnectedException("disconnected", null));
		}
		if (this.refusing) {
			return CompletableFuture.failedFuture(new CommandRefusedException("refused", null));
		}
		CompletableFuture<T> late = new CompletableFuture<>();
		if (this.onTheWay) {
			this.held.add(() -> effect.get().thenAccept(late::complete));
			return late;
		}
		List<CompletionStage<T>> answers = new ArrayList<>();
		// Messages of the store to other instances do not belong to the tested instance.
		ErrorPoint.without(() -> answers.add(effect.get()));
		CompletionStage<T> answer = answers.get(0);
		if (this.loseAnswers) {
			return CompletableFuture.failedFuture(new OutcomeUnknownException("lost", null));
		}
		if (!this.hold) {
			return answer;
		}
		this.held.add(() -> answer.thenAccept(late::complete));
		return late;
	}

	/* Deliver one answer; the following ones are still held back. */
	void deliverOne() {
		deliver(0);
	}

	/* Deliver an answer and those before it. */
	void deliver(int index) {
		this.held.remove(index).run();
	}

	void deliver() {
		this.hold = false;
		while (!this.held.isEmpty()) {
			deliverOne();
		}
	}

	<T> List<T> sent(Class<T> type) {
		return this.commands.stream().filter(type::isInstance).map(type::cast).toList();
	}

	long count(Class<?> type) {
		return sent(type).size();
	}

}
