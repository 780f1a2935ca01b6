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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.listener.SelectiveListener;
import io.github.watchdoglock.listener.TestHold;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Listeners can neither break nor delay a lock, nor each other.
 */
class ListenerTests {

	private static final LockKey KEY = LockKey.of("orders");

	@Test
	void aListenerThatBlocksDelaysNobodyAndMissesNoLoss() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		AtomicInteger losses = new AtomicInteger();
		AtomicInteger acquired = new AtomicInteger();
		CountDownLatch last = new CountDownLatch(100);
		LockListener blocking = new LockListener() {

			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				acquired.incrementAndGet();
				awaitUninterrupted(blocked);
			}

			@Override
			public void lost(LockLoss loss, Duration held) {
				losses.incrementAndGet();
				last.countDown();
			}

		};
		RecordingListener inline = new RecordingListener();
		RecordingListener other = new RecordingListener();
		Events events = new Events(inline);
		events.add(blocking);
		events.add(other);
		for (int i = 0; i < 50_000; i++) {
			events.acquired(new TestHold(KEY, i), Duration.ZERO);
		}
		for (int i = 0; i < 100; i++) {
			lose(events, i);
		}
		assertThat(inline.heard).hasSize(50_100);
		await().until(() -> other.count("lost: GONE") == 100);
		blocked.countDown();
		assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
		assertThat(losses).hasValue(100);
		assertThat(acquired.get()).isBetween(1, 10_100);
	}

	@Test
	void aListenerThatCannotKeepUpIsWarnedOfOnceWhenItBeginsAndOnceWhenItIsOver() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		try (Logged logged = new Logged("io.github.watchdoglock.listener.ListenerQueue")) {
			Events events = new Events();
			events.add(blockedBy(blocked));
			for (int i = 0; i < 20_000; i++) {
				events.acquired(new TestHold(KEY, i), Duration.ZERO);
			}
			await().until(() -> logged.lines().size() == 1);
			blocked.countDown();
			for (int i = 0; i < 50_000; i++) {
				events.acquired(new TestHold(KEY, i), Duration.ZERO);
			}
			await().until(() -> logged.lines().size() == 2);
			assertThat(logged.lines()).allMatch((line) -> line.startsWith("WARNING on watchdog-lock-listener"));
			assertThat(logged.lines().get(0)).contains("cannot keep up");
			assertThat(logged.lines().get(1)).contains("missed");
		}
	}

	@Test
	void lossesAreKeptForAListenerThatDoesNotReturnUpToAHundredThousand() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		AtomicInteger losses = new AtomicInteger();
		LockListener stuck = new LockListener() {

			@Override
			public void lost(LockLoss loss, Duration held) {
				losses.incrementAndGet();
				awaitUninterrupted(blocked);
			}

		};
		Events events = new Events();
		events.add(stuck);
		lose(events, 1);
		await().until(() -> losses.get() == 1);
		for (int i = 0; i < 150_000; i++) {
			lose(events, 1);
		}
		blocked.countDown();
		await().until(() -> losses.get() == 100_001);
	}

	@Test
	void aListenerIsNotifiedThoughAllThreadsWaitInOthers() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		LockEngine engine = new LockEngine(EngineSettings.of("test"), store, store, store);
		for (int i = 0; i < 20; i++) {
			engine.addListener(blockedBy(blocked));
		}
		RecordingListener last = new RecordingListener();
		engine.addListener(last);
		engine.acquire(LockRequest.of("orders")).close();
		await().until(() -> last.count("released") == 1);
		blocked.countDown();
		engine.close();
	}

	@Test
	void errorsThatCannotBeLoggedAreKeptFromTheLockAndFromOthers() {
		EngineObserver throwing = new EngineObserver() {

			@Override
			public void lost(LockLoss loss, Duration held) {
				throw new Error() {

					private static final long serialVersionUID = 1;

					@Override
					public String getMessage() {
						throw new IllegalStateException("broken on purpose");
					}

				};
			}

		};
		RecordingListener inline = new RecordingListener();
		RecordingListener other = new RecordingListener();
		Events events = new Events(throwing, inline);
		events.add(throwing);
		events.add(other);
		for (int i = 0; i < 100; i++) {
			lose(events, i);
		}
		assertThat(inline.count("lost: GONE")).isEqualTo(100);
		await().until(() -> other.count("lost: GONE") == 100);
	}

	@Test
	void handOffIsToldToObserversAndListeners() {
		RecordingListener inline = new RecordingListener();
		RecordingListener other = new RecordingListener();
		Events events = new Events(inline);
		events.add(other);
		events.handedOff(KEY, LockListener.Scope.REMOTE);
		assertThat(inline.count("handed off: REMOTE")).isEqualTo(1);
		await().until(() -> other.count("handed off: REMOTE") == 1);
	}

	@Test
	void aListenerThatNeedNotHearTheOrdinaryHearsTheRest() {
		List<String> heard = new CopyOnWriteArrayList<>();
		AtomicBoolean routine = new AtomicBoolean();
		SelectiveListener selective = new SelectiveListener() {

			@Override
			public boolean hearsRoutine() {
				return routine.get();
			}

			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				heard.add("acquired " + token);
			}

			@Override
			public void lost(LockLoss loss, Duration held) {
				heard.add("lost " + loss.token());
			}

		};
		Events events = new Events();
		events.add(selective);
		events.acquired(new TestHold(KEY, 1), Duration.ZERO);
		lose(events, 1);
		routine.set(true);
		events.acquired(new TestHold(KEY, 2), Duration.ZERO);
		await().until(() -> heard.size() >= 2);
		assertThat(heard).containsExactly("lost 1", "acquired 2");
	}

	@Test
	void aListenerThatThrowsBreaksNothing() {
		EngineObserver throwing = new EngineObserver() {

			@Override
			public void released(LockKey key, long token, Duration held) {
				throw new IllegalStateException("broken on purpose");
			}

		};
		RecordingListener other = new RecordingListener();
		Events events = new Events(throwing);
		events.add(throwing);
		events.add(other);
		events.released(new TestHold(KEY, 1), Duration.ZERO);
		await().until(() -> other.count("released") == 1);
	}

	@Test
	void whatSeveralThreadsTellAtOnceArrivesInTheOrderOfEach() {
		Map<String, List<Long>> heard = new ConcurrentHashMap<>();
		Events events = new Events();
		events.add(new LockListener() {

			@Override
			public void lost(LockLoss loss, Duration held) {
				heard.computeIfAbsent(loss.key().name(), (name) -> new CopyOnWriteArrayList<>()).add(loss.token());
			}

		});
		for (String name : List.of("a", "b", "c", "d")) {
			LockKey key = LockKey.of(name);
			new Thread(() -> {
				for (long token = 1; token <= 2_000; token++) {
					events.lost(new TestHold(key, token), new LockLoss(key, token, LockLoss.Reason.GONE),
							Duration.ZERO);
				}
			}).start();
		}
		List<Long> all = LongStream.rangeClosed(1, 2_000).boxed().toList();
		await().untilAsserted(() -> assertThat(heard.values()).hasSize(4).allMatch(all::equals));
		events.close();
	}

	private static void lose(Events events, long token) {
		events.lost(new TestHold(KEY, token), new LockLoss(KEY, token, LockLoss.Reason.GONE), Duration.ZERO);
	}

	private static LockListener blockedBy(CountDownLatch latch) {
		return new LockListener() {

			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				awaitUninterrupted(latch);
			}

		};
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
