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

package io.github.watchdoglock.listener;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LockKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the notification of listeners about repeated releases.
 */
class RepeatNotificationTests {

	private static final LockKey KEY = LockKey.of("orders");

	private final List<String> heard = new CopyOnWriteArrayList<>();

	private final Set<Thread> others = listenerThreads();

	private final Events events = new Events();

	@Test
	void repeatedReleaseIsNotQueuedForListenerWithoutRepetitions() {
		this.events.add(new Audience(false, this.heard));
		this.events.releaseRepeated(KEY, 1, SelectiveListener.End.DONE);
		assertThat(listenerThreads()).isSubsetOf(this.others);
	}

	@Test
	void repeatedReleaseIsQueuedForListenerOnlyWithHold() {
		this.events.add(new Audience(true, this.heard));
		this.events.releaseRepeated(KEY, SelectiveListener.NO_HOLD, SelectiveListener.End.DONE);
		assertThat(listenerThreads()).isSubsetOf(this.others);
		this.events.releaseRepeated(KEY, 2, SelectiveListener.End.DONE);
		assertThat(listenerThreads()).anyMatch((thread) -> !this.others.contains(thread));
		await().until(() -> !this.heard.isEmpty());
		assertThat(this.heard).containsExactly("2 DONE");
	}

	/* A thread starts with the first queued notification, and stays for a while. */
	private static Set<Thread> listenerThreads() {
		Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
		threads.removeIf((thread) -> !thread.getName().equals("watchdog-lock-listener"));
		return threads;
	}

	/**
	 * A listener that records repetitions.
	 *
	 * @param receivesRepetitions whether it receives them
	 * @param heard the recorded ones
	 */
	private record Audience(boolean receivesRepetitions, List<String> heard) implements SelectiveListener {

		@Override
		public void releaseRepeated(LockKey key, long token, End end) {
			this.heard.add(token + " " + end);
		}

	}

}
