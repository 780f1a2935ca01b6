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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.listener.SelectiveListener;
import io.github.watchdoglock.listener.TestHold;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that listeners can neither break nor delay a lock or another listener.
 */
class ListenerTests {

	private static final LockKey KEY = LockKey.of("orders");

	@Test
	void blockedListenerDelaysNoOtherListenerAndReceivesAllLosses() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		AtomicInteger losses = new AtomicInteger();
		AtomicInteger acquired = new AtomicInteger();
		RecordingListener inline = new RecordingListener();
		RecordingListener other = new RecordingListener();
		Events events = new Events(inline);
		events.add(new LockListener() {
			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				acquired.incrementAndGet();
				SlowWork.until(blocked);
			}

			@Override
			public void lost(LockLoss loss, Duration held) {
				losses.incrementAndGet();
			}
		});
		events.add(other);
		acquire(events, 50_000);
		lose(events, 100);
		assertThat(inline.heard).as("notifications of the observer that is called at once").hasSize(50_100);
		await().until(() -> other.count("lost: GONE") == 100);
		blocked.countDown();
		await().until(() -> losses.get() == 100);
		assertThat(acquired.get()).isBetween(1, 10_100);
	}

	@Test
	void warningIsLoggedOnceWhenDroppingBeginsAndOnceWhenDroppingEnds() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		try (Logged logged = new Logged("io.github.watchdoglock.listener.ListenerQueue")) {
			Events events = new Events();
			events.add(blockedBy(blocked));
			acquire(events, 20_000);
			await().until(() -> logged.lines().size() == 1);
			blocked.countDown();
			acquire(events, 50_000);
			await().until(() -> logged.lines().size() == 2);
			assertThat(logged.lines()).allMatch((line) -> line.startsWith("WARN on watchdog-lock-listener"));
			assertThat(logged.lines().get(0)).contains("cannot keep up");
			assertThat(logged.lines().get(1)).contains("missed");
		}
	}

	@Test
	void queueOfBlockedListenerKeepsHundredThousandLosses() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		AtomicInteger losses = new AtomicInteger();
		Events events = new Events();
		events.add(new LockListener() {
			@Override
			public void lost(LockLoss loss, Duration held) {
				losses.incrementAndGet();
				SlowWork.until(blocked);
			}
		});
		lose(events, 1);
		await().until(() -> losses.get() == 1);
		lose(events, 150_000);
		blocked.countDown();
		await().until(() -> losses.get() == 100_001);
	}

	@Test
	void listenerIsNotifiedWhileOtherListenersBlockTheirThreads() throws Exception {
		CountDownLatch blocked = new CountDownLatch(1);
		LockEngine engine = RunningEngine.start();
		IntStream.range(0, 20).forEach((i) -> engine.addListener(blockedBy(blocked)));
		RecordingListener last = new RecordingListener();
		engine.addListener(last);
		engine.acquire(LockRequest.of("orders")).close();
		await().until(() -> last.count("released") == 1);
		blocked.countDown();
		engine.close();
	}

	@Test
	void errorThatCannotBeLoggedReachesNeitherCallerNorOtherListeners() {
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
		lose(events, 100);
		assertThat(inline.count("lost: GONE")).isEqualTo(100);
		await().until(() -> other.count("lost: GONE") == 100);
	}

	@Test
	void handOffIsReportedToObserversAndListeners() {
		RecordingListener inline = new RecordingListener();
		RecordingListener other = new RecordingListener();
		Events events = new Events(inline);
		events.add(other);
		events.handedOff(KEY, LockListener.Scope.REMOTE);
		assertThat(inline.count("handed off: REMOTE")).isEqualTo(1);
		await().until(() -> other.count("handed off: REMOTE") == 1);
	}

	@Test
	void selectiveListenerSkipsRoutineNotificationsButReceivesLosses() {
		List<String> heard = new CopyOnWriteArrayList<>();
		AtomicBoolean routine = new AtomicBoolean();
		Events events = new Events();
		events.add(new SelectiveListener() {
			@Override
			public boolean receivesRoutine() {
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
		});
		acquire(events, 1);
		lose(events, 1);
		routine.set(true);
		acquire(events, 2);
		await().until(() -> heard.size() >= 3);
		assertThat(heard).containsExactly("lost 0", "acquired 0", "acquired 1");
	}

	@Test
	void releaseIsReportedToOtherListenersWhenOneListenerThrows() {
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
		events.released(new TestHold(KEY, 1), 0);
		await().until(() -> other.count("released") == 1);
	}

	@Test
	void lossesFromSeveralThreadsArriveInOrderOfEachThread() {
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

	private static void acquire(Events events, int times) {
		IntStream.range(0, times).forEach((i) -> events.acquired(new TestHold(KEY, i), 0));
	}

	private static void lose(Events events, int times) {
		for (int i = 0; i < times; i++) {
			events.lost(new TestHold(KEY, i), new LockLoss(KEY, i, LockLoss.Reason.GONE), Duration.ZERO);
		}
	}

	private static LockListener blockedBy(CountDownLatch latch) {
		return new LockListener() {

			@Override
			public void acquired(LockKey key, long token, Duration waited) {
				SlowWork.until(latch);
			}

		};
	}

}
