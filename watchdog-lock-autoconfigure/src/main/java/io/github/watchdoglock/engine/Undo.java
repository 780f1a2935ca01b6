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
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Ends whatever an attempt has in the store, while nobody waits for the answer.
 */
final class Undo {

	/** The key as callers name it. */
	final LockKey key;

	/** Of the hold that had it; {@link ReleaseCommand#NONE} where none had. */
	final long token;

	/** From then on the store has nothing of it. */
	final long until;

	private final Core core;

	private final ReleaseCommand command;

	/** Whose minimum hold counts. */
	private final @Nullable Hold kept;

	private Undo(Core core, LockKey key, long token, long until, ReleaseCommand command, @Nullable Hold kept) {
		this.core = core;
		this.key = key;
		this.token = token;
		this.until = until;
		this.command = command;
		this.kept = kept;
	}

	static Undo of(Hold hold, boolean keeps) {
		Grant grant = hold.grant;
		ReleaseCommand command = new ReleaseCommand(grant.cohort.key, grant.id(), hold.token, Duration.ZERO, null,
				grant.terms.timeout());
		return new Undo(grant.cohort.core(), hold.key, hold.token, grant.leaseEnd(), command, keeps ? hold : null);
	}

	/* Of a grant that nobody holds any more. */
	static Undo of(Grant grant, long lastToken) {
		Cohort cohort = grant.cohort;
		ReleaseCommand command = new ReleaseCommand(cohort.key, grant.id(), lastToken, Duration.ZERO, null,
				grant.terms.timeout());
		return new Undo(cohort.core(), cohort.key, ReleaseCommand.NONE, grant.leaseEnd(), command, null);
	}

	/* Of an attempt that came to no hold. */
	static Undo of(Cohort cohort, AttemptId attempt, long lastToken, long until) {
		ReleaseCommand command = new ReleaseCommand(cohort.key, attempt, lastToken, Duration.ZERO, null,
				cohort.core().defaults().timeout());
		return new Undo(cohort.core(), cohort.key, ReleaseCommand.NONE, until, command, null);
	}

	/* For the first time. */
	void send() {
		var unused = ask().whenComplete((answer, ex) -> {
			if (answer == null && this.until - this.core.now() > 0) {
				failed(StoreCalls.cause(ex));
			}
		});
	}

	/* What is told at once is told of holds alone. */
	private void failed(Throwable cause) {
		if (this.token != ReleaseCommand.NONE) {
			this.core.events().releaseFailed(this.key, this.token, cause);
		}
		this.core.repeats().add(this, cause);
	}

	CompletionStage<ReleaseAnswer> ask() {
		return StoreCalls.ask(() -> this.core.store().release(command()));
	}

	private ReleaseCommand command() {
		Hold hold = this.kept;
		return (hold != null) ? this.command.keeping(Release.keep(hold, this.core.now())) : this.command;
	}

}
