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

import org.jspecify.annotations.Nullable;

/**
 * The renewals of one turn of the watchdog: sent together, answered one by one.
 */
final class RenewalBatch {

	private final List<RenewCommand> commands = new ArrayList<>();

	private final List<Answers> answers = new ArrayList<>();

	void add(RenewCommand command, Answers answers) {
		this.commands.add(command);
		this.answers.add(answers);
	}

	void send(LeaseStore store, Ticker ticker) {
		if (this.commands.isEmpty()) {
			return;
		}
		long sent = ticker.read();
		List<CompletionStage<RenewAnswer>> stages = renew(store);
		for (int i = 0; i < stages.size(); i++) {
			Answers answers = this.answers.get(i);
			var unused = stages.get(i).whenComplete((answer, ex) -> answers.answered(sent, answer, ex));
		}
	}

	private List<CompletionStage<RenewAnswer>> renew(LeaseStore store) {
		try {
			return store.renew(this.commands);
		}
		catch (RuntimeException | Error ex) {
			return this.commands.stream()
				.<CompletionStage<RenewAnswer>>map((command) -> CompletableFuture.failedFuture(ex))
				.toList();
		}
	}

	/**
	 * Takes the answer to one renewal.
	 */
	interface Answers {

		void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure);

	}

}
