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
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.support.ExplainedFailure;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances with one store in memory, whose time moves by hand: the tested instance,
 * which has no randomness and a scripted store, and another one.
 */
abstract class TwoInstances implements ExplainedFailure.Traced {

	private static final int MAX_COMMANDS = 20;

	static final LockKey KEY = LockKey.of("orders");

	static final LockRequest ORDERS = LockRequest.of(KEY);

	static final LockRequest ONCE = ORDERS.withWaitTime(Duration.ZERO);

	static final LockRequest FOREVER = ORDERS.withWaitTime(Duration.ofMillis(-1));

	static final LockRequest READ = FOREVER.withMode(LockMode.READ);

	static final LockRequest READ_ONCE = READ.withWaitTime(Duration.ZERO);

	static final EngineSettings SETTINGS = EngineSettings.of("test");

	static final EngineSettings LINGERING = SETTINGS.withLinger(new TimeRules(Duration.ofSeconds(30), Map.of()));

	final ManualTicker ticker = new ManualTicker();

	final ThreadsByHand threads = new ThreadsByHand(this.ticker);

	final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	final ScriptedStore store = new ScriptedStore(this.memory);

	private final List<TestEngine> tested = new ArrayList<>();

	final TestEngine firstInstance = engine(SETTINGS);

	final TestEngine secondInstance = TestEngine.over(this.ticker, this.memory);

	@AfterEach
	void checkThreads() {
		assertThat(this.threads.failures).as("uncaught errors of threads").isEmpty();
		assertThat(Thread.interrupted()).as("interrupt that is left").isFalse();
	}

	@Override
	public String trace() {
		List<Object> commands = this.store.commands;
		return "events of the second instance: " + this.secondInstance.heard() + "\n"
				+ this.tested.stream()
					.map((engine) -> "events of a tested instance: " + engine.heard() + "\n")
					.collect(Collectors.joining())
				+ "last commands of tested instances:\n"
				+ commands.subList(Math.max(commands.size() - MAX_COMMANDS, 0), commands.size())
					.stream()
					.map(Object::toString)
					.collect(Collectors.joining("\n"));
	}

	TestEngine engine(EngineSettings settings) {
		return engine(settings, this.store, this.memory);
	}

	/** Create an engine that receives no message of the store. */
	TestEngine deaf(EngineSettings settings) {
		return engine(settings, this.store, new NoWakeUps());
	}

	TestEngine engine(EngineSettings settings, LeaseStore store, WakeUps wakeUps) {
		TestEngine engine = new TestEngine(settings, this.threads, this.ticker, store, this.memory, wakeUps,
				Runnable::run);
		this.tested.add(engine);
		return engine;
	}

	/** Acquire a lock on this thread. */
	LockHandle acquire(LockRequest request) throws InterruptedException {
		return this.firstInstance.engine.acquire(request);
	}

	/* Add callers without a thread, one after the other, to a list that may change. */
	static List<CompletableFuture<LockHandle>> ask(TestEngine engine, LockRequest request, int count) {
		return new ArrayList<>(IntStream.range(0, count).mapToObj((i) -> engine.ask(request)).toList());
	}

	static void closeAll(List<CompletableFuture<LockHandle>> handles) {
		handles.forEach((handle) -> handle.join().close());
	}

	/*
	 * Serve callers one after the other until another instance gets its turn; returns
	 * their number.
	 */
	static int serve(List<CompletableFuture<LockHandle>> callers) {
		int served = 0;
		while (served < callers.size() && callers.get(served).isDone()) {
			callers.get(served).join().close();
			served++;
		}
		return served;
	}

	static Hold hold(LockHandle handle) {
		return ((Handle) handle).hold();
	}

	/** Return the last command that asked for the key. */
	AcquireCommand asked() {
		return this.store.sent(AcquireCommand.class).get((int) this.store.count(AcquireCommand.class) - 1);
	}

	/** Advance the time until one more command of a type is sent. */
	void passUntilSent(Class<?> command) {
		long before = this.store.count(command);
		passUntil(() -> this.store.count(command) > before);
		assertThat(this.store.count(command)).as("commands of type %s", command.getSimpleName()).isEqualTo(before + 1);
	}

	/**
	 * Advance the time of both instances until a condition is met, by at most 100 s.
	 */
	void passUntil(BooleanSupplier condition) {
		for (int i = 0; i < 10_000 && !condition.getAsBoolean(); i++) {
			this.firstInstance.pass(TestEngine.TICK);
		}
		assertThat(condition.getAsBoolean()).as("condition within 100 s").isTrue();
	}

	/** Assert that the next command of a type is sent after exactly this time. */
	void assertSentAfter(TestEngine engine, Class<?> command, Duration time) {
		long before = this.store.count(command);
		engine.pass(time.minus(TestEngine.TICK));
		assertThat(this.store.count(command)).as("before %s", time).isEqualTo(before);
		engine.pass(TestEngine.TICK);
		assertThat(this.store.count(command)).as("after %s", time).isEqualTo(before + 1);
	}

	/**
	 * Assert that a caller still waits after some time, and has its lock after some more.
	 */
	void assertServedAfter(CompletableFuture<?> caller, Duration notYet, Duration more) {
		TestEngine.pass(notYet, this.firstInstance, this.secondInstance);
		assertThat(caller).as("caller after %s", notYet).isNotDone();
		TestEngine.pass(more, this.firstInstance, this.secondInstance);
		assertThat(caller).as("caller after %s more", more).isCompleted();
	}

	/** Assert that an instance sends nothing for some time. */
	void assertSilent(TestEngine engine, Duration time) {
		long before = this.store.commands.size();
		engine.pass(time);
		assertThat(this.store.commands).as("commands within %s", time).hasSize((int) before);
	}

	static void assertFailed(CompletableFuture<?> future, Class<? extends Throwable> cause) {
		assertThat(future).failsWithin(Duration.ZERO).withThrowableThat().withCauseInstanceOf(cause);
	}

	/** Return how many instances wait for the key, which is held. */
	int waiting() {
		return this.secondInstance.engine.find(KEY).orElseThrow().waiting();
	}

	boolean isFree() {
		return this.memory.find(KEY, Duration.ZERO).toCompletableFuture().join().isEmpty();
	}

	/* Callers that still wait get their locks when others close theirs. */
	void assertAllAreServedAndNothingIsLeft() {
		boolean noneWaits = false;
		for (int i = 0; i < 60 && !noneWaits; i++) {
			noneWaits = this.firstInstance.closeAsked();
			noneWaits = this.secondInstance.closeAsked() && noneWaits;
			TestEngine.pass(noneWaits ? Duration.ZERO : Duration.ofSeconds(1), this.firstInstance, this.secondInstance);
		}
		assertThat(noneWaits).as("all callers are served within a minute").isTrue();
		assertNothingIsLeft();
	}

	/* Neither in the store nor in one of the two instances. */
	void assertNothingIsLeft() {
		assertThat(isFree()).as("the key is free in the store").isTrue();
		this.firstInstance.assertNoKeyInUse();
		this.secondInstance.assertNoKeyInUse();
	}

}
