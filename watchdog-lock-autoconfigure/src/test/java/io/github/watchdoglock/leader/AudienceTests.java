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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Audience}.
 */
class AudienceTests {

	private static final int MOST = 10_000;

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger heard = new AtomicInteger();

	private final Audience audience = new Audience(new LeaderListener() {

		@Override
		public void granted(LeaderTerm term) {
			AudienceTests.this.heard.incrementAndGet();
			try {
				AudienceTests.this.gate.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}, Threads.system(), new SystemDelays(Threads.system()), AudienceTests.class.getClassLoader());

	@Test
	void aListenerThatDoesNotComeBackIsWarnedOfOnceAndToldWhatItMissed() {
		LeaderTerm term = Mockito.mock(LeaderTerm.class);
		try (Logged logged = new Logged(Audience.class.getName())) {
			this.audience.tell((listener) -> listener.granted(term));
			await().until(() -> this.heard.get() == 1);
			for (int i = 0; i < MOST + 7; i++) {
				this.audience.tell((listener) -> listener.granted(term));
			}
			await().until(() -> !logged.lines().isEmpty());
			this.gate.countDown();
			await().until(() -> logged.lines().size() == 2);
			assertThat(logged.lines().get(0)).startsWith("WARNING on watchdog-lock")
				.contains("does not come back, and misses even the ends of terms: ");
			assertThat(logged.lines().get(1)).endsWith("missed 7 news of leaders, and hears them again");
		}
		assertThat(this.heard).hasValue(1 + MOST);
		this.audience.tell((listener) -> listener.granted(term));
		await().until(() -> this.heard.get() == 2 + MOST);
	}

	@Test
	void whereThereIsNoThreadItIsTriedAgainBeforeThereAreOtherNews() {
		List<Runnable> later = new ArrayList<>();
		List<String> told = new ArrayList<>();
		Audience one = new Audience(new LeaderListener() {

			@Override
			public void granted(LeaderTerm term) {
				told.add("granted");
			}

		}, noneAtFirst(), (delay, task) -> later.add(task), AudienceTests.class.getClassLoader());
		one.tell((listener) -> listener.granted(Mockito.mock(LeaderTerm.class)));
		assertThat(told).isEmpty();
		// Another try, and a line of the log.
		assertThat(later).hasSize(2);
		later.forEach(Runnable::run);
		assertThat(told).containsExactly("granted");
	}

	@Test
	void whereNothingIsToBeHadItIsToldWithTheNextNews() {
		List<String> told = new ArrayList<>();
		Audience one = new Audience(new LeaderListener() {
		}, noneAtFirst(), (delay, task) -> {
			throw new IllegalStateException("of the test");
		}, AudienceTests.class.getClassLoader());
		one.tell((listener) -> told.add("first"), () -> told.add("done"));
		assertThat(told).containsExactly("done");
		one.tell((listener) -> told.add("second"));
		assertThat(told).containsExactly("done", "first", "done", "second");
	}

	@Test
	void whatComesAfterMayFail() {
		List<String> told = new CopyOnWriteArrayList<>();
		Audience one = new Audience(new LeaderListener() {
		}, Threads.system(), (delay, task) -> {
			throw new IllegalStateException("of the test");
		}, AudienceTests.class.getClassLoader());
		one.tell((listener) -> told.add("first"), () -> {
			throw new IllegalStateException("of the test");
		});
		one.tell((listener) -> told.add("second"));
		await().until(() -> told.size() == 2);
		assertThat(told).containsExactly("first", "second");
	}

	@Test
	void newsThatAreMissedAreDoneThoughNobodyCanBeTold() {
		Threads threads = Mockito.mock(Threads.class);
		Audience one = new Audience(new LeaderListener() {
		}, threads, (delay, task) -> {
			throw new IllegalStateException("of the test");
		}, AudienceTests.class.getClassLoader());
		for (int i = 0; i < MOST; i++) {
			one.tell((listener) -> {
			});
		}
		AtomicInteger done = new AtomicInteger();
		one.tell((listener) -> {
		}, done::incrementAndGet);
		assertThat(done).hasValue(1);
	}

	@Test
	void itIsToldWithTheClassesOfTheApplication() throws Exception {
		try (URLClassLoader classes = new URLClassLoader(new URL[0])) {
			CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
			Audience one = new Audience(new LeaderListener() {
			}, Threads.system(), new SystemDelays(Threads.system()), classes);
			one.tell((listener) -> seen.complete(Thread.currentThread().getContextClassLoader()));
			assertThat(seen).succeedsWithin(Duration.ofSeconds(10)).isSameAs(classes);
		}
	}

	/* The first thread can't be had; others run in place of it. */
	static Threads noneAtFirst() {
		Threads threads = Mockito.mock(Threads.class);
		BDDMockito.given(threads.start(ArgumentMatchers.any(), ArgumentMatchers.any()))
			.willThrow(new OutOfMemoryError("of the test"))
			.willAnswer((call) -> {
				call.getArgument(1, Runnable.class).run();
				return Thread.currentThread();
			});
		return threads;
	}

}
