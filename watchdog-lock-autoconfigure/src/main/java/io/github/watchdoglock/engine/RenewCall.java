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
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * A command that restarts a lease from now. The renewals of one turn of the watchdog are
 * sent together, and answered one by one.
 */
abstract class RenewCall extends StoreCall<RenewAnswer> {

	private final RenewCommand command;

	/** Completed at its end; the list is replaced, never changed. */
	private List<CompletableFuture<Void>> waiting = List.of();

	/** Since when it is due. */
	private final long due;

	/* The next renewal in the list of a turn. */
	@Nullable RenewCall nextInTurn;

	RenewCall(KeyTasks tasks, RenewCommand command, long due) {
		super(tasks);
		this.command = command;
		this.due = due;
	}

	@Override
	Command kind() {
		return Command.RENEW;
	}

	@Override
	CompletionStage<RenewAnswer> ask() {
		return this.context.store.renew(List.of(this.command)).get(0);
	}

	@Override
	long timeout() {
		return this.command.timeout().toNanos();
	}

	/* Whether a renewal for an attempt has no answer yet. */
	static boolean isPending(KeyTasks tasks, AttemptId attempt) {
		for (KeyTasks.Unanswered call : tasks.calls()) {
			if (call instanceof RenewCall renewal && renewal.command.attempt().equals(attempt)) {
				return true;
			}
		}
		return false;
	}

	/*
	 * Return a renewal for an attempt that was sent since this time and has no answer
	 * yet; null if there is none.
	 */
	static @Nullable RenewCall unanswered(KeyTasks tasks, AttemptId attempt, long since) {
		for (KeyTasks.Unanswered call : tasks.calls()) {
			if (call instanceof RenewCall renewal && renewal.command.attempt().equals(attempt)
					&& renewal.sent - since >= 0) {
				return renewal;
			}
		}
		return null;
	}

	/* Called within a task: complete a future when its answer was processed. */
	void notifyAtEnd(CompletableFuture<Void> answer) {
		this.waiting = KeyTasks.with(this.waiting, answer);
	}

	@Override
	void answered(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
		if (answer != null) {
			this.waiting.forEach((waiting) -> waiting.complete(null));
		}
		else {
			Throwable cause = StoreCalls.cause(failure);
			this.waiting.forEach((waiting) -> waiting.completeExceptionally(cause));
		}
	}

	@Override
	void abort(Throwable cause) {
		super.abort(cause);
		this.waiting.forEach((waiting) -> waiting.completeExceptionally(cause));
	}

	/* Called by the watchdog: send this renewal, and the others in its list. */
	void sendAll() {
		List<RenewCall> renewals = new ArrayList<>();
		RenewCall next;
		for (RenewCall renewal = this; renewal != null; renewal = next) {
			next = renewal.nextInTurn;
			renewal.nextInTurn = null;
			renewals.add(renewal);
		}
		sendTogether(this.context, renewals);
	}

	/*
	 * Send renewals that have begun. If this is late, the key has already stopped waiting
	 * for some of them, and a release may have followed: these are not sent any more.
	 */
	static void sendTogether(EngineContext context, Collection<RenewCall> begun) {
		long now = context.now();
		List<RenewCall> renewals = begun.stream().filter((renewal) -> !renewal.isAnswered()).toList();
		renewals.forEach((renewal) -> renewal.sent = now);
		List<CompletionStage<RenewAnswer>> stages;
		try {
			stages = context.store.renew(renewals.stream().map((renewal) -> renewal.command).toList());
		}
		catch (Throwable ex) {
			stages = Collections.nCopies(renewals.size(), CompletableFuture.failedFuture(ex));
		}
		for (int i = 0; i < renewals.size(); i++) {
			RenewCall renewal = renewals.get(i);
			CompletionStage<RenewAnswer> stage = stages.get(i);
			renewal.await(() -> stage);
			context.events.renewalSent(now - renewal.due);
		}
	}

}
