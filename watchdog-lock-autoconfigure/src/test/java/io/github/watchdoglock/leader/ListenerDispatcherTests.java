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

package io.github.watchdoglock.leader;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.support.SlowWork;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ListenerDispatcher}.
 */
class ListenerDispatcherTests {

	private static final int CAPACITY = 10_000;

	private static final LeaderListener NOBODY = new LeaderListener() {
	};

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger heard = new AtomicInteger();

	private final AtomicInteger done = new AtomicInteger();

	private final ListenerDispatcher dispatcher = new ListenerDispatcher(new LeaderListener() {

		@Override
		public void granted(LeaderTerm term) {
			ListenerDispatcherTests.this.heard.incrementAndGet();
			SlowWork.until(ListenerDispatcherTests.this.gate);
		}

	}, context(Threads.system(), ListenerDispatcherTests::runSoon));

	@Test
	void blockedListenerIsLoggedOnceAndMissesNotificationsBeyondLimit() {
		LeaderTerm term = Mockito.mock(LeaderTerm.class);
		try (Logged logged = new Logged(ListenerDispatcher.class.getName())) {
			add(this.dispatcher, (listener) -> listener.granted(term));
			await().until(() -> this.heard.get() == 1);
			IntStream.range(0, CAPACITY + 6).forEach((i) -> add(this.dispatcher, (listener) -> listener.granted(term)));
			assertThat(this.done).as("those that are missed").hasValue(7);
			await().until(() -> !logged.lines().isEmpty());
			this.gate.countDown();
			await().until(() -> logged.lines().size() == 2);
			assertThat(logged.lines().get(0)).startsWith("WARN on watchdog-lock").contains(" does not return. ");
			assertThat(logged.lines().get(1)).endsWith("missed 7 notifications, and receives them again");
		}
		assertThat(this.heard).hasValue(CAPACITY);
		add(this.dispatcher, (listener) -> listener.granted(term));
		await().until(() -> this.heard.get() == 1 + CAPACITY && this.done.get() == 8 + CAPACITY);
	}

	@Test
	void failedListenerReceivesNextNotificationUninterrupted() {
		List<String> told = new ArrayList<>();
		try (Logged logged = new Logged(ListenerDispatcher.class.getName())) {
			ListenerDispatcher one = new ListenerDispatcher(NOBODY,
					context(new WorkThreads(new ManualTicker(), false), (delay, task) -> {
						task.run();
						return () -> {
						};
					}));
			add(one, (listener) -> {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("of the test");
			});
			add(one, (listener) -> told.add("interrupted: " + Thread.currentThread().isInterrupted()));
			assertThat(told).containsExactly("interrupted: false");
			assertThat(logged.lines()).singleElement().asString().contains("failed; the term is not affected");
		}
	}

	@Test
	void listenerIsCalledWithApplicationClassLoader() throws Exception {
		try (URLClassLoader classes = new URLClassLoader(new URL[0])) {
			CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
			ListenerDispatcher one = new ListenerDispatcher(NOBODY,
					context(Threads.system(), ListenerDispatcherTests::runSoon, classes));
			add(one, (listener) -> seen.complete(Thread.currentThread().getContextClassLoader()));
			assertThat(seen).succeedsWithin(Duration.ofSeconds(10)).isSameAs(classes);
		}
	}

	private void add(ListenerDispatcher dispatcher, Consumer<LeaderListener> notification) {
		dispatcher.add(notification, this.done::incrementAndGet);
	}

	private static ElectionContext context(Threads threads, Delays delays) {
		return context(threads, delays, ListenerDispatcherTests.class.getClassLoader());
	}

	private static ElectionContext context(Threads threads, Delays delays, ClassLoader classes) {
		return new ElectionContext(Mockito.mock(RoleLocks.class), threads, delays, classes, List.of(),
				new SerialTasks((lines) -> delays.after(Duration.ZERO, lines), (failure) -> {
				}));
	}

	private static Runnable runSoon(Duration delay, Runnable task) {
		return Threads.system().start("watchdog-lock-leader", task)::interrupt;
	}

}
