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

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command that a grant is to last from now.
 */
abstract class Renewal extends StoreCall<RenewAnswer> {

	private @Nullable RenewCommand command;

	Renewal(Cohort cohort) {
		super(cohort);
	}

	/* Part of a step: this is to be sent. */
	void decide(RenewCommand command) {
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

}
