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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.support.ErrorPoint;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;

/**
 * What callers do while an error is thrown somewhere, and what must be there when all of
 * that is over: nothing.
 */
@SuppressWarnings("FutureReturnValueIgnored")
public final class ErrorScenarios {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private static final LockKey OTHER_KEY = LockKey.of("orders", "43");

	private static final List<String> BOTH = List.of("42", "43");

	private static final LockRequest REQUEST = LockRequest.of("orders", "42").withWaitTime(Duration.ofSeconds(10));

	private static final LockRequest OTHER = LockRequest.of("orders", "43").withWaitTime(Duration.ofSeconds(10));

	private static final LockRequest PERMIT = REQUEST.withPermits(2);

	private static final LockKey READ_KEY = LockKey.of(RecordingListener.READ);

	private static final LockRequest WRITE = REQUEST.withKey(READ_KEY);

	private static final LockRequest READ = WRITE.withMode(LockMode.READ);

	private static final Duration LONG = Duration.ofSeconds(95);

	private static final Map<String, Scenario> SCENARIOS = new TreeMap<>();

	static {
		SCENARIOS.put("a lock is taken and released", (world) -> closeAnyhow(world.first.engine.acquire(REQUEST)));
		SCENARIOS.put("work runs under a lock", (world) -> world.first.engine.execute(REQUEST, (lock) -> lock.key()));
		SCENARIOS.put("a lock is taken asynchronously", (world) -> world.closeWhenGranted(REQUEST));
		SCENARIOS.put("a lock is handed on inside an instance", (world) -> {
			try (Closing lock = new Closing(world.first.engine.acquire(REQUEST))) {
				world.closeWhenGranted(REQUEST);
				world.closeWhenGranted(REQUEST.withLease(Lease.fixed(Duration.ofSeconds(20))));
				world.pass(Duration.ofSeconds(1));
			}
		});
		SCENARIOS.put("a lock is handed on to another instance", (world) -> {
			CompletableFuture<LockHandle> lock = world.ask(world.second);
			world.pass(TestEngine.TICK);
			world.closeWhenGranted(REQUEST);
			world.pass(Duration.ofSeconds(3));
			close(lock);
		});
		SCENARIOS.put("a lock is renewed", (world) -> {
			try (Closing lock = new Closing(world.first.engine.acquire(REQUEST))) {
				world.pass(Duration.ofSeconds(25));
			}
		});
		SCENARIOS.put("a lock is lost", (world) -> {
			try (Closing lock = new Closing(world.first.engine.acquire(REQUEST.withOnLoss(OnLoss.INTERRUPT)))) {
				lock.handle().whenLost();
				world.store.forceRelease();
				world.pass(Duration.ofSeconds(12));
			}
			finally {
				Thread.interrupted();
			}
		});
		SCENARIOS.put("a lock that others wait for is lost", (world) -> {
			try {
				world.first.engine.acquire(REQUEST).detach();
				world.closeWhenGranted(REQUEST);
				world.closeWhenGranted(REQUEST);
			}
			finally {
				world.store.forceRelease();
			}
			world.pass(Duration.ofSeconds(1));
		});
		SCENARIOS.put("a lock is taken again", (world) -> {
			try (Closing lock = new Closing(
					world.first.engine.acquire(REQUEST.withLease(Lease.fixed(Duration.ofSeconds(20)))))) {
				try (Closing again = new Closing(world.first.engine.acquire(REQUEST))) {
					again.handle().detach();
				}
			}
		});
		SCENARIOS.put("a caller gives up", (world) -> {
			CompletableFuture<LockHandle> lock = world.ask(world.second);
			world.pass(TestEngine.TICK);
			CompletableFuture<LockHandle> given = world.ask(world.first);
			world.pass(Duration.ofSeconds(1));
			given.cancel(false);
			close(lock);
		});
		SCENARIOS.put("a try finds the lock taken", (world) -> {
			CompletableFuture<LockHandle> lock = world.ask(world.second);
			world.pass(TestEngine.TICK);
			Optional<LockHandle> handle = world.first.engine.tryAcquire(REQUEST.withWaitTime(Duration.ZERO));
			handle.ifPresent(LockHandle::close);
			close(lock);
		});
		SCENARIOS.put("a lock lingers", (world) -> {
			var unused = closeAnyhow(world.lingering.engine.acquire(REQUEST));
			world.pass(Duration.ofSeconds(1));
			unused = closeAnyhow(world.lingering.engine.acquire(REQUEST));
			world.closeWhenGranted(REQUEST);
			world.pass(Duration.ofSeconds(20));
		});
		SCENARIOS.put("permits are handed on", (world) -> {
			CompletableFuture<LockHandle> permit = world.ask(world.first, PERMIT);
			CompletableFuture<LockHandle> elsewhere = world.ask(world.second, PERMIT);
			world.pass(TestEngine.TICK);
			world.closeWhenGranted(PERMIT);
			world.closeWhenGranted(PERMIT.withPermits(1));
			world.closeWhenGranted(PERMIT);
			world.pass(Duration.ofSeconds(1));
			close(elsewhere);
			world.pass(Duration.ofSeconds(1));
			close(permit);
		});
		SCENARIOS.put("permits are lost", (world) -> {
			try {
				world.ask(world.first, PERMIT);
				world.ask(world.first, PERMIT);
				world.closeWhenGranted(PERMIT);
			}
			finally {
				world.store.forceRelease(KEY);
			}
			world.pass(Duration.ofSeconds(12));
		});
		SCENARIOS.put("readers come and go", (world) -> {
			CompletableFuture<LockHandle> reading = world.ask(world.first, READ);
			world.closeWhenGranted(READ);
			world.pass(Duration.ofSeconds(1));
			CompletableFuture<LockHandle> other = world.ask(world.first, READ);
			CompletableFuture<LockHandle> writer = world.ask(world.second, WRITE);
			world.closeWhenGranted(READ);
			world.closeWhenGranted(WRITE);
			world.pass(Duration.ofSeconds(8));
			close(other);
			close(writer);
			close(reading);
		});
		SCENARIOS.put("readers wait for a writer", (world) -> {
			CompletableFuture<LockHandle> writing = world.ask(world.first, WRITE);
			world.closeWhenGranted(READ);
			world.closeWhenGranted(READ);
			world.closeWhenGranted(WRITE);
			world.closeWhenGranted(READ.withMinHoldTime(Duration.ofSeconds(1)));
			world.closeWhenGranted(WRITE);
			world.pass(Duration.ofSeconds(1));
			close(writing);
		});
		SCENARIOS.put("readers lose what they read", (world) -> {
			try {
				world.ask(world.first, READ.withMaxHoldTime(Duration.ofSeconds(2)));
				world.ask(world.first, READ);
				world.closeWhenGranted(WRITE);
				world.pass(Duration.ofSeconds(3));
			}
			finally {
				world.store.forceRelease(READ_KEY);
			}
			world.pass(Duration.ofSeconds(12));
		});
		SCENARIOS.put("several locks are taken",
				(world) -> closeAnyhow(world.first.engine.acquireAll(List.of(REQUEST, OTHER))));
		SCENARIOS.put("a view is locked", (world) -> {
			Lock lock = world.first.engine.asLock(REQUEST);
			lock.lock();
			try {
				lock.unlock();
			}
			catch (Error ex) {
				if (world.first.engine.current(KEY).isPresent()) {
					lock.unlock();
				}
			}
		});
		SCENARIOS.put("a message comes late",
				(world) -> world.first.engine.cohorts.granted(KEY, new AttemptId("gone", 1)));
		SCENARIOS.put("an asynchronous caller is observed", (world) -> {
			Instrumentation.Call call = new Instrumentation.Call() {
			};
			world.first.engine.customizations().instrument(Instrumentation.all(() -> List.of(new Instrumentation() {

				@Override
				public Call calling(LockKey key) {
					return call;
				}

			})));
			world.closeWhenGranted(REQUEST);
			CompletableFuture<LockHandle> lock = world.ask(world.second);
			world.pass(TestEngine.TICK);
			world.closeWhenGranted(REQUEST.withWaitTime(Duration.ZERO));
			world.pass(Duration.ofSeconds(1));
			close(lock);
		});
		SCENARIOS.put("a lock is taken again asynchronously, and the store is slow", (world) -> {
			try (Closing lock = new Closing(world.first.engine.acquire(REQUEST))) {
				world.store.slow = true;
				world.closeWhenGranted(REQUEST.withLease(Lease.renewed(Duration.ofSeconds(60))));
				world.pass(Duration.ofSeconds(1));
			}
		});
		SCENARIOS.put("a lock is released, and the store is slow", (world) -> {
			LockHandle handle = world.first.engine.acquire(REQUEST);
			world.store.slow = true;
			world.closing.add(closeAnyhow(handle));
		});
		SCENARIOS.put("an engine is closed", (world) -> {
			world.closeWhenGranted(REQUEST);
			try {
				world.first.engine.acquire(REQUEST);
				world.ask(world.first);
			}
			finally {
				closeAnyhow(world.first.engine);
			}
		});
		SCENARIOS.put("the store is another one", (world) -> {
			try (Closing lock = new Closing(world.first.engine.acquire(REQUEST));
					Closing other = new Closing(world.first.engine.acquire(OTHER))) {
				world.store.renewed.clear();
				try {
					world.first.engine.cohorts.moved();
				}
				finally {
					// One that was lost on its way is followed by another after 2 T.
					world.pass(Duration.ofSeconds(5));
				}
				World.check(world.store.renewed.contains(lock.handle().key()) ? "" : "the first one is not looked at");
				World
					.check(world.store.renewed.contains(other.handle().key()) ? "" : "the second one is not looked at");
			}
		});
		SCENARIOS.put("the store can be reached again", (world) -> {
			world.occupy(KEY);
			world.closeWhenGranted(REQUEST);
			world.pass(TestEngine.TICK);
			world.store.away = true;
			try {
				world.pass(Duration.ofSeconds(1));
			}
			finally {
				world.store.away = false;
			}
			world.first.engine.cohorts.reachable();
			world.pass(Duration.ofSeconds(1));
		});
		SCENARIOS.put("an engine stops", (world) -> {
			CompletableFuture<LockHandle> lock = world.ask(world.first);
			CompletableFuture<LockHandle> other = world.ask(world.first);
			world.pass(TestEngine.TICK);
			world.first.engine.stop();
			close(lock);
			close(other);
		});
		SCENARIOS.put("several locks are waited for", (world) -> {
			world.occupy(OTHER_KEY);
			closeAnyhow(world.first.engine.acquireAll(List.of(REQUEST, OTHER)));
		});
		SCENARIOS.put("one of several locks is not to be had", (world) -> {
			world.occupy(OTHER_KEY);
			try {
				closeAnyhow(world.first.engine.acquireAll(
						List.of(REQUEST.withWaitTime(Duration.ZERO), OTHER.withWaitTime(Duration.ofSeconds(1)))));
			}
			catch (LockNotAcquiredException ex) {
				// As it should be.
			}
		});
		SCENARIOS.put("a method runs under a lock", (world) -> world.methods().run(List.of("42")));
		SCENARIOS.put("a method runs under two locks", (world) -> world.methods().run(BOTH));
		SCENARIOS.put("a method waits for the second of its locks", (world) -> {
			world.occupy(OTHER_KEY);
			world.methods().run(BOTH);
		});
		SCENARIOS.put("a method fails under two locks", (world) -> failing(() -> world.methods().fail(BOTH)));
		SCENARIOS.put("a method is skipped", (world) -> {
			world.occupy(OTHER_KEY);
			world.methods().skip(BOTH);
		});
		SCENARIOS.put("a method waits and is skipped", (world) -> {
			world.occupy(OTHER_KEY);
			world.methods().waitAndSkip(BOTH);
		});
		SCENARIOS.put("another method is called in place of one", (world) -> {
			world.occupy(OTHER_KEY);
			world.methods().fallBack(BOTH);
		});
		SCENARIOS.put("a method's stage is complete later", (world) -> world.follow((result, work) -> {
			world.pass(Duration.ofSeconds(12));
			work.complete("done");
		}));
		SCENARIOS.put("a method's stage fails later", (world) -> world
			.follow((result, work) -> work.completeExceptionally(new IllegalStateException("business"))));
		SCENARIOS.put("a caller ends a method's stage", (world) -> world.follow((result, work) -> {
			result.cancel(true);
			work.complete("too late");
		}));
		SCENARIOS.put("a method's stage is complete already",
				(world) -> world.results.add(world.methods().follow(BOTH, CompletableFuture.completedFuture("done"))));
		SCENARIOS.put("a method fails before there is a stage",
				(world) -> failing(() -> world.results.add(world.methods().failLater(BOTH))));
		SCENARIOS.put("a method's stage is refused", (world) -> {
			world.occupy(OTHER_KEY);
			var unused = world.methods().refuse(BOTH);
		});
	}

	private ErrorScenarios() {
	}

	/* Named by reflection, as the next two: this class is another one there. */
	public static List<String> names() {
		return List.copyOf(SCENARIOS.keySet());
	}

	public static long points(String name) throws Exception {
		run(name, 0);
		World world = new World();
		ErrorPoint.arm(0);
		scenario(name).play(world);
		world.pass(TestEngine.TICK);
		long points = ErrorPoint.passed();
		ErrorPoint.arm(0);
		return points;
	}

	public static void run(String name, long point) throws Exception {
		Logger logger = Logger.getLogger("io.github.watchdoglock");
		Level before = logger.getLevel();
		logger.setLevel(Level.OFF);
		try {
			play(name, point);
		}
		catch (AssertionError ex) {
			throw new AssertionError("'" + name + "' with an error at point " + point + ": " + ex.getMessage()
					+ "; thrown at " + ErrorPoint.place(), ex);
		}
		finally {
			logger.setLevel(before);
		}
	}

	private static Scenario scenario(String name) {
		return Objects.requireNonNull(SCENARIOS.get(name));
	}

	private static void play(String name, long point) throws Exception {
		World world = new World();
		ErrorPoint.forget();
		ErrorPoint.arm(point);
		try {
			scenario(name).play(world);
		}
		catch (Throwable ex) {
			// Or what the engine makes of an answer that it could not take.
			if (!ErrorPoint.isMadeUp(ex) && (point == 0 || !(ex instanceof LockStoreException))) {
				throw ex;
			}
		}
		world.pass(TestEngine.TICK);
		ErrorPoint.arm(0);
		World.check((point == 0 || ErrorPoint.wasThrown()) ? "" : "nothing was thrown");
		Thread.interrupted();
		world.asked.forEach(ErrorScenarios::close);
		world.end();
	}

	private static void close(CompletableFuture<LockHandle> future) {
		var unused = future.thenAccept(ErrorScenarios::closeAnyhow);
	}

	/* A call that fails before it has begun has done nothing. */
	private static CompletableFuture<Void> closeAnyhow(LockHandle handle) {
		try {
			return handle.closeAsync();
		}
		catch (Error ex) {
			return handle.closeAsync();
		}
	}

	private static void closeAnyhow(LockEngine engine) {
		try {
			engine.close();
		}
		catch (Error ex) {
			StackTraceElement place = ex.getStackTrace()[1];
			if (place.getClassName().equals(LockEngine.class.getName()) && place.getMethodName().equals("close")) {
				// Before it had begun.
				engine.close();
			}
		}
	}

	private static void closeAnyhow(LockHandles handles) {
		try {
			handles.close();
		}
		catch (Error ex) {
			handles.close();
		}
	}

	/* Whose own failure passes. */
	private static void failing(Runnable method) {
		try {
			method.run();
		}
		catch (IllegalStateException ex) {
			// As it should be.
		}
	}

	/**
	 * Closes a handle as users are told to, and tries twice.
	 */
	private record Closing(LockHandle handle) implements AutoCloseable {

		@Override
		public void close() {
			var unused = closeAnyhow(this.handle);
		}

	}

	/**
	 * What callers do.
	 */
	private interface Scenario {

		void play(World world) throws Exception;

	}

	/**
	 * Instances on one store, whose time moves by hand, or while somebody waits.
	 */
	private static final class World implements Threads {

		private final PointedTicker ticker = new PointedTicker();

		private final Forgetful store = new Forgetful(this.ticker);

		private final Queue<Runnable> completions = new ArrayDeque<>();

		private final TestEngine first = engine(EngineSettings.of("first"));

		private final TestEngine second = engine(EngineSettings.of("second"));

		private final TestEngine lingering = engine(EngineSettings.of("lingering")
			.withLinger(new EngineSettings.LingerRules(Duration.ofSeconds(5), Map.of())));

		private final List<CompletableFuture<LockHandle>> asked = new ArrayList<>();

		private final List<CompletableFuture<?>> closing = new ArrayList<>();

		/* Of methods that have returned. */
		private final List<CompletableFuture<String>> results = new ArrayList<>();

		private TestEngine engine(EngineSettings settings) {
			return new TestEngine(settings, this, this.ticker, this.store, this.store.store, this.store.store,
					this::complete);
		}

		private void complete(Runnable task) {
			ErrorPoint.pass();
			this.completions.add(task);
		}

		@Override
		public void park(Object blocker, long nanos) {
			pass(TestEngine.TICK);
		}

		@Override
		public long elapsed() {
			return this.ticker.read();
		}

		/* A thread that is parked lets time pass. */
		@Override
		public void unpark(Thread thread) {
			ErrorPoint.pass();
		}

		/* Of listeners; all else is done by hand. */
		@Override
		public Thread start(String name, Runnable work) {
			if (!name.equals("watchdog-lock-listener")) {
				throw new IllegalStateException("turns are taken by hand");
			}
			this.completions.add(work);
			return Thread.currentThread();
		}

		@Override
		public void proceed(Runnable effects) {
			ErrorPoint.pass();
			effects.run();
		}

		@Override
		public void interrupt(Thread thread) {
			Threads.system().interrupt(thread);
		}

		@Override
		public boolean isInterrupted(Thread thread) {
			return Threads.system().isInterrupted(thread);
		}

		@Override
		public boolean waits(Thread thread) {
			return Threads.system().waits(thread);
		}

		@Override
		public double random() {
			ErrorPoint.pass();
			return 0.5;
		}

		/* Takes longer to make than most scenarios do. */
		private ErrorScenarioMethods methods() {
			ErrorScenarioMethods[] methods = new ErrorScenarioMethods[1];
			ErrorPoint.without(() -> methods[0] = ErrorScenarioMethods.under(this.first.engine));
			return methods[0];
		}

		private CompletableFuture<LockHandle> ask(TestEngine engine) {
			return ask(engine, REQUEST);
		}

		private CompletableFuture<LockHandle> ask(TestEngine engine, LockRequest request) {
			CompletableFuture<LockHandle> future = engine.engine.acquireAsync(request);
			this.asked.add(future);
			return future;
		}

		private void closeWhenGranted(LockRequest request) {
			close(ask(this.first, request));
		}

		/* For two seconds, by another instance. */
		private void occupy(LockKey key) {
			var unused = ask(this.second, LockRequest.of(key).withLease(Lease.fixed(Duration.ofSeconds(2))));
			pass(TestEngine.TICK);
		}

		/* Whoever gets an error has no stage to end, and the work may go on for ever. */
		private void follow(BiConsumer<CompletableFuture<String>, CompletableFuture<String>> end) {
			CompletableFuture<String> work = new CompletableFuture<>();
			CompletableFuture<String> result = methods().follow(BOTH, work);
			this.results.add(result);
			end.accept(result, work);
		}

		private void pass(Duration time) {
			Duration step = (time.compareTo(TestEngine.TICK) <= 0) ? time : TestEngine.TICK.multipliedBy(20);
			for (long left = time.toMillis(); left > 0; left -= step.toMillis()) {
				this.ticker.advance(step);
				this.store.answer();
				for (TestEngine engine : List.of(this.first, this.second, this.lingering)) {
					try {
						engine.turn();
					}
					catch (Throwable ex) {
						if (!ErrorPoint.isMadeUp(ex)) {
							throw ex;
						}
					}
				}
				complete();
			}
		}

		private void complete() {
			while (!this.completions.isEmpty()) {
				Runnable task = this.completions.remove();
				try {
					task.run();
				}
				catch (Error ex) {
					// As the pool does.
					this.completions.add(task);
				}
			}
		}

		/* Callers have got what they wait for, or an error, and the key is free. */
		private void end() {
			for (long left = LONG.toMillis(); left > 0 && !remains().isEmpty(); left -= 200) {
				pass(Duration.ofMillis(200));
			}
			check(remains());
			checkNews();
			CompletableFuture<Void> stopped = this.first.engine.stop().toCompletableFuture();
			pass(Duration.ofSeconds(5));
			check(stopped.isDone() ? "" : "the engine does not stop");
		}

		/* What is not over; empty if all is. */
		private String remains() {
			if (!this.asked.stream().allMatch(CompletableFuture::isDone)) {
				return "a caller waits for ever";
			}
			if (!this.closing.stream().allMatch((stage) -> stage.isDone() && !stage.isCompletedExceptionally())) {
				return "an end is not told: " + this.closing;
			}
			if (!this.results.stream().allMatch(CompletableFuture::isDone)) {
				return "a method's stage is never complete";
			}
			for (TestEngine engine : List.of(this.first, this.second, this.lingering)) {
				if (engine.cohorts() > 0 || engine.pendingAlarms() > 0) {
					return engine.cohorts() + " keys are in use, " + engine.pendingAlarms() + " alarms set";
				}
			}
			if (!this.store.answers.isEmpty()) {
				return "answers are to come";
			}
			for (LockKey key : List.of(KEY, OTHER_KEY, READ_KEY)) {
				if (!this.store.store.find(key, LONG).toCompletableFuture().join().isEmpty()) {
					return "the key is held";
				}
			}
			return "";
		}

		/* An error in the very telling may have cost one of them. */
		private void checkNews() {
			for (TestEngine engine : List.of(this.first, this.second, this.lingering)) {
				check(engine.events.twice());
				check(ErrorPoint.place().contains("Events.java") ? "" : engine.events.unbalanced());
			}
		}

		private static void check(String remains) {
			if (!remains.isEmpty()) {
				throw new AssertionError(remains);
			}
		}

	}

	/**
	 * A clock whose readings are points: most steps take one.
	 */
	private static final class PointedTicker extends ManualTicker {

		@Override
		public long read() {
			ErrorPoint.pass();
			return super.read();
		}

		private long readUnpointed() {
			return super.read();
		}

	}

	/**
	 * A store that can lose its record, and be slow.
	 */
	private static final class Forgetful implements LeaseStore {

		private final InMemoryLeaseStore store;

		private final Queue<Runnable> answers = new ArrayDeque<>();

		private final Set<LockKey> renewed = new HashSet<>();

		/** Answers to renewals and releases come when time has passed. */
		private boolean slow;

		/** Nobody can ask for a key. */
		private boolean away;

		private Forgetful(PointedTicker ticker) {
			this.store = new InMemoryLeaseStore(ticker::readUnpointed, ticker.wallClock);
		}

		private void forceRelease() {
			forceRelease(KEY);
		}

		private void forceRelease(LockKey key) {
			this.store.force(key, LeaseInspector.ALL, LONG);
		}

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return this.away ? CompletableFuture.failedFuture(new LockStoreException("away", null))
					: this.store.acquire(command);
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			commands.forEach((command) -> this.renewed.add(command.key()));
			return this.store.renew(commands).stream().map(this::slowly).toList();
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return slowly(this.store.release(command));
		}

		private <T> CompletionStage<T> slowly(CompletionStage<T> answer) {
			if (!this.slow) {
				return answer;
			}
			CompletableFuture<T> later = new CompletableFuture<>();
			this.answers.add(() -> answer.thenAccept(later::complete));
			return later;
		}

		private void answer() {
			while (!this.answers.isEmpty()) {
				this.answers.remove().run();
			}
		}

	}

}
