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

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import org.jspecify.annotations.Nullable;

/**
 * Tells the store that a grant has ended. With that an attempt may take the last place.
 */
final class ReleaseCall extends StoreCall<ReleaseAnswer> {

	private final Grant grant;

	private final Terms terms;

	private final ReleaseCommand command;

	private final @Nullable Attempt requeued;

	private final BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> whenAnswered;

	ReleaseCall(Grant grant, ReleaseCommand command, @Nullable Attempt requeued,
			BiConsumer<@Nullable ReleaseAnswer, @Nullable Throwable> whenAnswered) {
		super(grant.cohort);
		this.grant = grant;
		this.terms = grant.terms;
		this.command = command;
		this.requeued = requeued;
		this.whenAnswered = whenAnswered;
	}

	@Override
	CompletionStage<ReleaseAnswer> send() {
		return core().store().release(this.command);
	}

	@Override
	Steps.@Nullable Revertible subject() {
		return this.requeued;
	}

	@Override
	void answered(@Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
		if (this.requeued != null) {
			this.requeued.placed(this.sent, this.terms, answer);
		}
		this.whenAnswered.accept(answer, failure);
	}

}
