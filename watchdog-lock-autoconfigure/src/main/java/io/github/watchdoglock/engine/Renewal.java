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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * A renewal that is due. Those of one turn of the watchdog are sent together, and
 * answered one by one.
 *
 * @param command what the store is asked
 * @param due since when
 * @param handler what becomes of the answer
 */
record Renewal(RenewCommand command, long due, Handler handler) {

	/* Observers hear how long each took, whatever the answer says. */
	static void send(List<Renewal> renewals, LeaseStore store, Ticker clock, EngineObserver events) {
		long sent = clock.read();
		List<CompletionStage<RenewAnswer>> stages = ask(renewals, store);
		for (int i = 0; i < stages.size(); i++) {
			Renewal renewal = renewals.get(i);
			var unused = stages.get(i).whenComplete((answer, ex) -> {
				events.renewalSent(Duration.ofNanos(sent - renewal.due));
				if (answer != null) {
					events.renewalAnswered(Duration.ofNanos(clock.read() - sent));
				}
				renewal.handler.answered(sent, answer, ex);
			});
		}
	}

	private static List<CompletionStage<RenewAnswer>> ask(List<Renewal> renewals, LeaseStore store) {
		try {
			return store.renew(renewals.stream().map(Renewal::command).toList());
		}
		catch (RuntimeException | Error ex) {
			return renewals.stream()
				.<CompletionStage<RenewAnswer>>map((renewal) -> CompletableFuture.failedFuture(ex))
				.toList();
		}
	}

	/**
	 * Takes the answer to a renewal.
	 */
	interface Handler {

		/* One of answer and failure is there, unless the store breaks its promise. */
		void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure);

	}

}
