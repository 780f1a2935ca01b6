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
 * A renewal by the watchdog. Those of one turn are sent together, and answered one by
 * one.
 */
final class PeriodicRenewal extends Renewal {

	/** Those of a turn, without allocating a list. */
	@Nullable PeriodicRenewal others;

	private final Grant grant;

	private @Nullable Terms terms;

	private long due;

	PeriodicRenewal(Grant grant) {
		super(grant.cohort);
		this.grant = grant;
	}

	/* Part of a step: it is to be sent, and has been due for a while. */
	void decide(Terms terms, RenewCommand command, long due) {
		this.due = due;
		this.terms = terms;
		decide(command);
	}

	@Override
	Steps.Revertible subject() {
		return this.grant;
	}

	@Override
	void answered(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
		long took = core().now() - this.sent;
		if (answer != null) {
			this.cohort.afterwards(() -> core().events().renewalAnswered(Duration.ofNanos(took)));
		}
		this.grant.answered(Objects.requireNonNull(this.terms), this.sent, answer, failure);
	}

	/* Send it and the others. Observers hear how late each is, whatever comes of it. */
	void sendAll(long now, EngineObserver events) {
		List<CompletionStage<RenewAnswer>> stages = null;
		Throwable failure = null;
		try {
			List<RenewCommand> commands = new ArrayList<>();
			for (PeriodicRenewal renewal = this; renewal != null; renewal = renewal.others) {
				renewal.begin(now);
				commands.add(renewal.command());
			}
			stages = core().store().renew(commands);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		int i = 0;
		for (PeriodicRenewal renewal = this; renewal != null; renewal = renewal.others) {
			renewal.await((stages != null) ? stages.get(i) : null, failure);
			i++;
		}
		for (PeriodicRenewal renewal = this; renewal != null; renewal = renewal.others) {
			events.renewalSent(Duration.ofNanos(now - renewal.due));
		}
	}

	private void await(@Nullable CompletionStage<RenewAnswer> stage, @Nullable Throwable failure) {
		try {
			if (stage != null) {
				var unused = stage.whenComplete(this);
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
