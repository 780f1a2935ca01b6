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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command that a grant is to last from now. Those of one turn of the watchdog are sent
 * together, and answered one by one.
 */
abstract class Renewal extends StoreCall<RenewAnswer> {

	/** Those of a turn, without a list that would have to be allocated. */
	@Nullable Renewal others;

	private @Nullable RenewCommand command;

	private long due;

	Renewal(Cohort cohort) {
		super(cohort);
	}

	/* Part of a step: this is to be sent, and has been due since some moment. */
	void decide(RenewCommand command, long due) {
		this.due = due;
		this.command = command;
	}

	boolean isDecided() {
		return this.command != null;
	}

	RenewCommand command() {
		return Objects.requireNonNull(this.command);
	}

	@Override
	CompletionStage<RenewAnswer> send() {
		return core().store().renew(List.of(command())).get(0);
	}

	/* Send it and the others. Observers hear how late each is, whatever comes of it. */
	void sendAll(long now, EngineObserver events) {
		List<CompletionStage<RenewAnswer>> stages = null;
		Throwable failure = null;
		try {
			List<RenewCommand> commands = new ArrayList<>();
			for (Renewal renewal = this; renewal != null; renewal = renewal.others) {
				renewal.begin(now);
				commands.add(renewal.command());
			}
			stages = core().store().renew(commands);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		int i = 0;
		for (Renewal renewal = this; renewal != null; renewal = renewal.others) {
			renewal.awaitOrFail((stages != null) ? stages.get(i) : null, failure);
			i++;
		}
		for (Renewal renewal = this; renewal != null; renewal = renewal.others) {
			events.renewalSent(Duration.ofNanos(now - renewal.due));
		}
	}

	private void awaitOrFail(@Nullable CompletionStage<RenewAnswer> stage, @Nullable Throwable failure) {
		try {
			if (stage != null) {
				await(stage);
				return;
			}
		}
		catch (Throwable ex) {
			accept(null, ex);
			return;
		}
		accept(null, failure);
	}

}
