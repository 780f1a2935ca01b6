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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.listener.TestHold;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * While a thread is begun, which takes as long as the machine likes, nobody else waits
 * for that: it may be the watchdog.
 */
class BegunThreadsTests {

	private static final LockKey KEY = LockKey.of("orders");

	private final ThreadsByHand threads = new ThreadsByHand();

	private final Events events = new Events(this.threads);

	@AfterEach
	void check() {
		assertThat(this.threads.failures).isEmpty();
		assertThat(this.threads.started).hasSize(1);
	}

	@Test
	void newsAreAddedWhileTheThreadOfTheirListenerIsBegun() {
		this.events.add(new LockListener() {
		});
		this.threads.starting = () -> byAnother(this::tell);
		tell();
	}

	private void tell() {
		this.events.released(new TestHold(KEY, 1), Duration.ZERO);
	}

	private static void byAnother(Runnable action) {
		assertThat(CompletableFuture.runAsync(action, (task) -> new Thread(task).start()))
			.succeedsWithin(Duration.ofSeconds(5));
	}

}
