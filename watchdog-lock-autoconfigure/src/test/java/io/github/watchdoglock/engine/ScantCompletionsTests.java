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

import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is to be completed where next to nothing is to be had for it.
 */
class ScantCompletionsTests {

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Watchdog watchdog = new Watchdog(this.threads,
			new Clock(this.threads.ticker, this.threads.ticker.wallClock), new Events(), 1_000_000_000);

	private final Completions completions = new Completions(this.threads);

	private final Logged logged = new Logged(Completions.class.getName());

	private final List<String> done = new ArrayList<>();

	ScantCompletionsTests() {
		this.completions.lookedAfterBy(this.watchdog);
	}

	@AfterEach
	void close() {
		this.logged.close();
		assertThat(this.threads.failures).isEmpty();
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void anInterruptOfWhoeverCompletesItInPlaceOfAThreadIsKeptFromItAndStays() {
		this.watchdog.start();
		this.watchdog.stop(() -> false);
		this.threads.last().work.run();
		this.threads.scarce = 2;
		Thread.currentThread().interrupt();
		this.completions.execute(() -> this.done.add(Thread.currentThread().isInterrupted() ? "interrupted" : "done"));
		assertThat(this.done).containsExactly("done");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void whatLacksMemoryEvenToWaitIsDoneAgainAHundredTimes() {
		this.completions.execute(() -> {
			this.done.add("tried");
			throw new OutOfMemoryError("on purpose");
		});
		this.completions.execute(() -> this.done.add("next"));
		this.threads.wait = (nanos) -> {
			if (!this.done.contains("next")) {
				throw new OutOfMemoryError("on purpose");
			}
			this.threads.pass(nanos);
		};
		this.threads.started.get(0).work.run();
		assertThat(this.done).hasSize(101).endsWith("next");
	}

	@Test
	void whatCouldNotBeHandedInIsTheCallersAsBefore() {
		whileOneWaits(() -> {
			this.threads.calling = () -> {
				throw new OutOfMemoryError("on purpose");
			};
			assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> execute("second"));
			this.threads.calling = null;
		});
		assertThat(this.done).containsExactly("first");
	}

	@Test
	void whatAnotherThreadHasTakenIsNotTheCallersAnyMoreWhateverFails() {
		execute("first");
		ThreadsByHand.Started other = this.threads.last();
		whileOneWaits(() -> {
			this.threads.calling = () -> {
				this.threads.calling = null;
				other.work.run();
				throw new OutOfMemoryError("on purpose");
			};
			execute("second");
		});
		assertThat(this.done).containsExactly("first", "first", "second");
	}

	private void execute(String task) {
		this.completions.execute(() -> this.done.add(task));
	}

	/* Something happens while a thread waits that has done what there was. */
	private void whileOneWaits(Runnable action) {
		execute("first");
		this.threads.wait = (nanos) -> {
			this.threads.wait = this.threads::pass;
			action.run();
		};
		this.threads.last().work.run();
	}

}
