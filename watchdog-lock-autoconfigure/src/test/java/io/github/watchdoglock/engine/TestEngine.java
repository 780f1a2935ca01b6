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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An engine whose time moves by hand: it has no threads of its own, and completes the
 * users' futures inline.
 */
public final class TestEngine {

	/**
	 * The time between two turns of the watchdog.
	 */
	public static final Duration TICK = Duration.ofMillis(10);

	private static final AtomicInteger instances = new AtomicInteger();

	final ManualTicker ticker;

	final RecordingListener events = new RecordingListener();

	/**
	 * The engine.
	 */
	public final LockEngine engine;

	private final EngineContext context;

	private final List<CompletableFuture<LockHandle>> asked = new ArrayList<>();

	/**
	 * Create an engine.
	 * @param ticker its elapsed time and its time of day
	 * @param store the store of its leases
	 * @param inspector the operations of operators on the same store
	 * @param wakeUps hints from the same store
	 */
	public TestEngine(ManualTicker ticker, LeaseStore store, LeaseInspector inspector, WakeUps wakeUps) {
		this(EngineSettings.of("test"), Threads.system(), ticker, store, inspector, wakeUps, Runnable::run);
	}

	TestEngine(EngineSettings settings, Threads threads, ManualTicker ticker, LeaseStore store,
			LeaseInspector inspector, WakeUps wakeUps, Executor completions) {
		this("instance-" + instances.incrementAndGet(), settings, threads, ticker, store, inspector, wakeUps,
				completions);
	}

	TestEngine(String instance, EngineSettings settings, Threads threads, ManualTicker ticker, LeaseStore store,
			LeaseInspector inspector, WakeUps wakeUps, Executor completions) {
		this.ticker = ticker;
		this.context = new EngineContext(settings, instance, threads, ticker, ticker.wallClock, store,
				new Events(this.events), completions);
		this.engine = new LockEngine(this.context, inspector, wakeUps);
	}

	static TestEngine over(ManualTicker ticker, InMemoryLeaseStore store) {
		return new TestEngine(ticker, store, store, store);
	}

	/**
	 * Acquire a lock that is not considered abandoned, whether or not the test keeps the
	 * future.
	 */
	CompletableFuture<LockHandle> ask(LockRequest request) {
		CompletableFuture<LockHandle> future = this.engine.acquireAsync(request);
		this.asked.add(future);
		return future;
	}

	/** Advance the time, with a turn of the watchdog in each tick. */
	void pass(Duration time) {
		pass(time, this);
	}

	/** Advance the time of several engines that share a clock. */
	static void pass(Duration time, TestEngine... engines) {
		for (long left = time.toMillis(); left > 0; left -= TICK.toMillis()) {
			engines[0].ticker.advance(TICK);
			Stream.of(engines).forEach(TestEngine::turn);
		}
	}

	/** Run work on a thread that has ended when this returns. */
	static <T> T onThreadThatEnds(Callable<T> work) throws Exception {
		FutureTask<T> task = new FutureTask<>(work);
		Thread thread = new Thread(task);
		thread.start();
		thread.join();
		return task.get();
	}

	/** The store can be reached again, and may have forgotten what it has confirmed. */
	void reconnect() {
		this.ticker.advance(TICK);
		this.engine.messages.disconnected();
		this.engine.messages.connected();
	}

	/**
	 * Run a turn of the watchdog.
	 */
	public void turn() {
		this.context.watchdog.turn();
	}

	/** Close all granted handles; returns whether no caller still waits. */
	boolean closeAsked() {
		boolean noneWaits = this.asked.stream().allMatch(CompletableFuture::isDone);
		this.asked.stream()
			.filter((asked) -> asked.isDone() && !asked.isCompletedExceptionally())
			.forEach((asked) -> asked.join().close());
		return noneWaits;
	}

	/**
	 * Return the notifications that its listeners have received.
	 * @return in order
	 */
	public List<String> heard() {
		return List.copyOf(this.events.heard);
	}

	int keys() {
		return this.engine.keys.size();
	}

	/** Assert that no key is in use, because no caller holds or requests one. */
	void assertNoKeyInUse() {
		assertThat(locks().values().stream().map((lock) -> describe((LocalLock) lock)))
			.as("keys that stay in use although no caller holds or requests them")
			.isEmpty();
	}

	private static String describe(LocalLock lock) {
		List<String> uses = new ArrayList<>();
		lock.leases()
			.forEach((lease) -> uses
				.add("a lease that is " + lease.phase() + " with " + lease.holds().size() + " holds"));
		if (lock.attempt() != null) {
			uses.add("an attempt");
		}
		if (lock.isAwaited()) {
			uses.add("waiting callers");
		}
		lock.calls().forEach((call) -> uses.add("an unanswered " + call.getClass().getSimpleName()));
		return "'" + lock.key + "': " + uses;
	}

	/** Return the key, if it is in use. */
	LocalLock lock(LockKey key) {
		return (LocalLock) Objects.requireNonNull(locks().get(key));
	}

	private Map<?, ?> locks() {
		return (Map<?, ?>) Objects.requireNonNull(ReflectionTestUtils.getField(this.engine.keys, "locks"));
	}

}
