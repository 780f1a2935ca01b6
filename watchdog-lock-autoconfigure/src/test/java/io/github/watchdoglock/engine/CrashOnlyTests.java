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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockServiceClosedException;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.support.ErrorPoint;
import io.github.watchdoglock.support.ErrorPoints;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.ManualTicker;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that throw an error of the JVM at each step of the tasks of a key, or at some of
 * them, one at a time: the error ends the state of the key in this instance, and nothing
 * else. The kinds of errors alternate: no memory, an overflow of the stack, a missing
 * class.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class CrashOnlyTests {

	private static final int MAX_REPORTED = 5;

	private static final List<String> POINTED = List.of("engine.", "repeat.", "listener.Events");

	private static final ErrorPoints CLASSES = new ErrorPoints(
			(name) -> POINTED.stream().anyMatch((part) -> name.startsWith("io.github.watchdoglock." + part))
					&& !name.contains("Test") && !name.contains("Recording") && !name.contains("Scripted")
					&& !name.contains("FailingTicker") && !name.contains("Mailbox"));

	static Stream<String> scenarios() {
		return Play.SCENARIOS.keySet().stream();
	}

	@Tag("slow")
	@ParameterizedTest
	@MethodSource("scenarios")
	@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
	void errorAtAnyPointOfTaskEndsStateOfItsKey(String scenario) throws Exception {
		throwAtEach(1, scenario);
	}

	@ParameterizedTest
	@MethodSource("scenarios")
	@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
	void errorAtSomePointsOfTaskEndsStateOfItsKey(String scenario) throws Exception {
		throwAtEach(7, scenario);
	}

	@SuppressWarnings("unchecked")
	private static void throwAtEach(int step, String scenario) throws Exception {
		// The class loader adds the error points, so the scenarios have to be loaded with
		// it.
		BiFunction<String, Long, Long> play = Class.forName(Play.class.getName(), true, CLASSES)
			.asSubclass(BiFunction.class)
			.getConstructor()
			.newInstance();
		long points = play.apply(scenario, 0L);
		assertThat(points).isGreaterThan(50);
		SoftAssertions softly = new SoftAssertions();
		for (long point = 1; point <= points
				&& softly.assertionErrorsCollected().size() < MAX_REPORTED; point += step) {
			long now = point;
			softly.assertThatCode(() -> play.apply(scenario, now)).doesNotThrowAnyException();
		}
		softly.assertAll();
	}

	/**
	 * The actions of callers while an error is thrown. A scenario ends with the step that
	 * threw the error.
	 */
	interface Scenario {

		void run(World world) throws Exception;

	}

	/**
	 * Plays a scenario with an error at one point, or without an error; returns the
	 * number of points.
	 */
	public static final class Play implements BiFunction<String, Long, Long> {

		private static final LockRequest LOCK = LockRequest.of("orders", "42").withWaitTime(Duration.ofSeconds(20));

		private static final LockRequest SHORT = LOCK.withLease(Lease.fixed(Duration.ofSeconds(5)));

		private static final LockRequest IDLE = LOCK.withKey(LockKey.of("idle", "42"));

		private static final LockRequest PERMIT = LOCK.withPermits(2);

		private static final LockRequest WRITE = LOCK.withKey(LockKey.of("read", "42"));

		private static final LockRequest READ = WRITE.withMode(LockMode.READ);

		static final Map<String, Scenario> SCENARIOS = new LinkedHashMap<>();

		static {
			SCENARIOS.put("wait for another instance", (world) -> {
				world.expected = LockNotAcquiredException.class;
				CompletableFuture<LockHandle> elsewhere = world.askElsewhere(LOCK);
				world.ask(LOCK);
				world.ask(LOCK.withWaitTime(Duration.ofMillis(300)));
				world.pass(Duration.ofSeconds(3));
				world.close(elsewhere);
			});
			SCENARIOS.put("wait for a slow store, and give up", (world) -> {
				world.store.hold = true;
				Caller first = world.ask(LOCK);
				world.ask(LOCK);
				Caller last = world.ask(LOCK);
				world.step(() -> last.lock.cancel(false));
				world.step(world.store::deliver);
				world.close(first);
			});
			SCENARIOS.put("renewal", (world) -> {
				world.ask(LOCK);
				world.ask(LOCK.withWaitTime(Duration.ofSeconds(60)));
				world.store.hold = true;
				world.pass(Duration.ofSeconds(11));
				world.step(world.store::deliver);
				world.pass(Duration.ofSeconds(10));
			});
			SCENARIOS.put("hand-off within the instance", (world) -> {
				Caller first = world.ask(LOCK);
				Caller second = world.ask(LOCK);
				world.ask(SHORT);
				world.close(first);
				world.store.hold = true;
				world.close(second);
				world.step(world.store::deliver);
			});
			SCENARIOS.put("hand-off to another instance", (world) -> {
				Caller first = world.ask(LOCK);
				CompletableFuture<LockHandle> elsewhere = world.askElsewhere(LOCK);
				world.ask(LOCK);
				world.ask(LOCK);
				world.pass(Duration.ofSeconds(1));
				world.store.hold = true;
				world.close(first);
				world.step(world.store::deliver);
				world.close(elsewhere);
			});
			SCENARIOS.put("idle lease", (world) -> {
				world.close(world.ask(IDLE));
				world.pass(Duration.ofSeconds(12));
				world.close(world.ask(IDLE));
				world.close(world.askElsewhere(IDLE));
				world.close(world.ask(IDLE));
				world.pass(Duration.ofSeconds(21));
			});
			SCENARIOS.put("readers", (world) -> {
				Caller writer = world.ask(WRITE);
				Caller reader = world.ask(READ);
				world.close(writer);
				Caller other = world.ask(READ);
				world.pass(Duration.ofSeconds(1));
				world.ask(READ);
				world.ask(WRITE);
				world.close(reader);
				world.close(other);
			});
			SCENARIOS.put("readers without a writer", (world) -> {
				Caller reader = world.ask(READ);
				world.ask(READ);
				world.pass(Duration.ofSeconds(11));
				world.close(reader);
			});
			SCENARIOS.put("permits", (world) -> {
				Caller first = world.ask(PERMIT);
				Caller second = world.ask(PERMIT);
				Caller third = world.ask(PERMIT);
				world.close(first);
				world.close(second);
				world.close(third);
			});
			SCENARIOS.put("re-entry and strengthening", (world) -> {
				world.expected = LockLostException.class;
				Caller outer = world.take(SHORT);
				Caller inner = world.take(LOCK.withMinHoldTime(Duration.ofMillis(500)));
				Caller limited = world.take(SHORT.withMaxHoldTime(Duration.ofSeconds(3)));
				world.extend(outer, Lease.renewed(Duration.ofSeconds(60)));
				world.ask(LOCK);
				world.close(limited);
				world.close(outer);
				world.close(inner);
			});
			SCENARIOS.put("loss", (world) -> {
				world.losing = true;
				world.take(LOCK.withOnLoss(OnLoss.INTERRUPT));
				world.ask(LOCK);
				world.step(() -> world.memory.force(LOCK.key(), LeaseInspector.ALL, Duration.ofSeconds(1)));
			});
			SCENARIOS.put("expiry", (world) -> {
				world.losing = true;
				world.take(LOCK.withMaxHoldTime(Duration.ofSeconds(25)));
				world.ask(LOCK.withWaitTime(Duration.ofSeconds(60)));
				world.store.down = true;
				world.pass(Duration.ofSeconds(40));
			});
			SCENARIOS.put("stop", (world) -> {
				world.expected = LockServiceClosedException.class;
				Caller holder = world.ask(LOCK);
				world.ask(LOCK);
				world.step(() -> world.test.engine.stop());
				world.close(holder);
			});
			SCENARIOS.put("stop with an idle lease", (world) -> {
				world.close(world.ask(IDLE));
				world.step(() -> world.test.engine.stop());
			});
			SCENARIOS.put("close", (world) -> {
				world.losing = true;
				world.expected = LockServiceClosedException.class;
				world.ask(LOCK);
				world.ask(LOCK);
				world.step(() -> {
					world.closed = true;
					world.test.engine.close();
				});
			});
			SCENARIOS.put("second error: attempt", (world) -> {
				world.store.hold = true;
				world.ask(LOCK);
				world.ask(LOCK);
				world.crash();
			});
			SCENARIOS.put("second error: holder and waiters", (world) -> {
				world.take(LOCK.withOnLoss(OnLoss.INTERRUPT));
				world.ask(LOCK);
				world.ask(LOCK);
				world.crash();
			});
			SCENARIOS.put("second error: release", (world) -> {
				Caller holder = world.ask(LOCK);
				world.ask(SHORT);
				world.store.hold = true;
				world.close(holder);
				world.crash();
			});
			SCENARIOS.put("second error: idle lease", (world) -> {
				world.close(world.ask(IDLE));
				world.crash();
			});
			SCENARIOS.put("second error: permits", (world) -> {
				world.ask(PERMIT);
				world.ask(PERMIT);
				world.ask(PERMIT);
				world.crash();
			});
		}

		@Override
		public Long apply(String scenario, Long point) {
			@Nullable Level before = Logged.setLevel(Level.OFF);
			long[] points = new long[1];
			try {
				ErrorPoint.without(
						() -> points[0] = new World().play(Objects.requireNonNull(SCENARIOS.get(scenario)), point));
			}
			catch (AssertionError ex) {
				throw new AssertionError(
						"An error at point " + point + ", " + ErrorPoint.place() + ": " + ex.getMessage(), ex);
			}
			finally {
				Logged.setLevel(before);
			}
			return points[0];
		}

	}

	/**
	 * A caller in the instance.
	 */
	private static final class Caller {

		private final CompletableFuture<LockHandle> lock;

		private @Nullable CompletableFuture<Void> closed;

		private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();

		private Caller(CompletableFuture<LockHandle> lock) {
			this.lock = lock;
			lock.thenAccept((handle) -> handle.whenLost().thenAccept(this.lost::complete));
		}

		private boolean has() {
			return this.lock.isDone() && !this.lock.isCompletedExceptionally();
		}

		private void close() {
			if (has() && this.closed == null) {
				this.closed = this.lock.join().closeAsync();
			}
		}

		/* Check the state that the error has left to the caller. */
		private void check(boolean losing, Class<?> expected) {
			assertThat(this.lock).as("the future of a caller").isDone();
			if (!has() && !this.lock.isCancelled()) {
				assertThat(this.lock).isCompletedExceptionally();
				Throwable failure = this.lock.handle((handle, ex) -> ex).join();
				assertThat(failure).isInstanceOfAny(LockStoreException.class, expected);
				assertThat(expected.isInstance(failure) || World.isMadeUp(failure)).as("the cause is the error")
					.isTrue();
			}
			else if (has() && this.closed == null) {
				assertThat(this.lock.join().isHeld()).as("'lock.join' is held").isFalse();
				assertThat(this.lost).as("the loss").isCompleted();
				assertThat(losing || this.lost.join().reason() == LockLoss.Reason.FAILED).as("lost as FAILED").isTrue();
			}
		}

	}

	/**
	 * Two instances with one store, whose time moves by hand. Only tasks of the key pass
	 * error points, and only in the first instance.
	 */
	private static final class World {

		private static final LockRequest BYSTANDER = LockRequest.of("bystander", "1")
			.withLease(Lease.renewed(Duration.ofMinutes(5)));

		private static final Duration STEP = Duration.ofMillis(200);

		private static final Duration SECOND = Duration.ofSeconds(1);

		private static final int MAX_PARKS = 10_000;

		/* The length of a lease plus that of a strengthened lease. */
		private static final Duration MAX_TIME = Duration.ofSeconds(70);

		private final ManualTicker ticker = new ManualTicker();

		private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

		private final ScriptedStore store = new ScriptedStore(this.memory);

		private final ThreadsByHand threads = new ThreadsByHand(this.ticker) {

			@Override
			public void proceed(Runnable tasks) {
				if (tasks == World.this.bystander) {
					ErrorPoint.without(tasks);
				}
				else {
					ErrorPoint.with(tasks);
				}
			}

		};

		private final Queue<Runnable> completions = new ArrayDeque<>();

		private final TestEngine test = new TestEngine(
				EngineSettings.of("test")
					.withLinger(new EngineSettings.TimeRules(Duration.ZERO, Map.of("idle", Duration.ofSeconds(20)))),
				this.threads, this.ticker, this.store, this.memory, this.memory, this::complete);

		private final TestEngine other = TestEngine.over(this.ticker, this.memory);

		private final List<Caller> callers = new ArrayList<>();

		private final List<CompletableFuture<LockHandle>> elsewhere = new ArrayList<>();

		/* Callers that arrive after the error. */
		private final List<CompletableFuture<LockHandle>> afresh = new ArrayList<>();

		private final List<CompletableFuture<?>> strengthened = new ArrayList<>();

		private LockRequest request = BYSTANDER;

		private @Nullable Runnable bystander;

		/**
		 * The exception that a waiting caller may get in the step that throws the error.
		 */
		private Class<?> expected = LockStoreException.class;

		private boolean losing;

		private boolean crashed;

		private boolean closed;

		private int parks;

		private long play(Scenario scenario, long point) {
			this.threads.wait = (nanos) -> park();
			CompletableFuture<LockHandle> lock = this.test.ask(BYSTANDER);
			complete();
			LockHandle held = lock.join();
			this.bystander = ((Handle) held).hold().lease.lock.tasks().mailbox;
			ErrorPoint.forget();
			ErrorPoint.arm(point);
			try {
				scenario.run(this);
			}
			catch (CancellationException ex) {
				// This exception is expected.
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
			long points = ErrorPoint.passed();
			boolean thrown = ErrorPoint.wasThrown();
			ErrorPoint.arm(0);
			var unused = Thread.interrupted();
			// Polls have a random jitter, so the number of points varies.
			assertThat(thrown).isEqualTo(point > 0 && (thrown || points >= point));
			if (isDropped()) {
				return 0;
			}
			if (hasEnded()) {
				checkCrash();
			}
			assertThat(held.isHeld()).as("another key is held").isNotEqualTo(this.closed);
			held.close();
			end();
			return points;
		}

		/*
		 * The methods in which the error was thrown, within a task or a look at the key.
		 */
		private static List<String> place() {
			List<StackTraceElement> stack = ErrorPoint.stack();
			List<String> methods = stack.stream()
				.takeWhile((frame) -> !frame.getMethodName().equals("drain"))
				.map((frame) -> frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1) + "."
						+ frame.getMethodName())
				.toList();
			return (methods.size() < stack.size()) ? methods : List.of();
		}

		/*
		 * Whether the error has ended the state of the key. An error of an observer or a
		 * store is caught, and an error between two tasks ends nothing.
		 */
		private boolean hasEnded() {
			List<String> place = place();
			boolean caught = Stream
				.of("ListenerQueue.dispatch", "StoreCall.await", "StoreCalls.ask", "Mailbox.wakeAll",
						"CompletableFuture.uniWhenComplete", "CompletableFuture$UniCompletion.claim")
				.anyMatch(place::contains);
			boolean inTask = !place.isEmpty() && place.get(place.size() - 1).endsWith(".run");
			return this.crashed || (!caught && (inTask || place.contains("LocalLock.expire"))
					&& !place.contains("KeyTasks.settle"));
		}

		/*
		 * Whether the error was thrown by the first call in a dependent stage of a
		 * future, which drops the error. A thread checks its stack before.
		 */
		private static boolean isDropped() {
			List<String> innermost = place().stream().limit(4).toList();
			return Stream.of("CompletableFuture.uniWhenComplete", "KeyTasks.failed", "Mailbox.wakeAll")
				.anyMatch(innermost::contains);
		}

		/* Run an action, and end the scenario if the error was thrown in it. */
		private void step(Runnable action) {
			action.run();
			complete();
			if (ErrorPoint.wasThrown()) {
				throw new CancellationException("The error was thrown");
			}
		}

		private Caller ask(LockRequest request) {
			this.request = request;
			Caller caller = new Caller(this.test.ask(request));
			this.callers.add(caller);
			step(this::complete);
			return caller;
		}

		private CompletableFuture<LockHandle> askElsewhere(LockRequest request) {
			CompletableFuture<LockHandle> lock = this.other.ask(request);
			this.elsewhere.add(lock);
			step(this::complete);
			return lock;
		}

		/* Acquire on this thread. */
		private Caller take(LockRequest request) throws InterruptedException {
			this.request = request;
			CompletableFuture<LockHandle> lock = new CompletableFuture<>();
			Caller caller = new Caller(lock);
			this.callers.add(caller);
			step(() -> {
				try {
					lock.complete(this.test.engine.acquire(request));
				}
				catch (InterruptedException | RuntimeException ex) {
					lock.completeExceptionally(ex);
				}
			});
			return caller;
		}

		private void extend(Caller caller, Lease lease) {
			step(() -> this.strengthened.add(caller.lock.join().extend(lease).toCompletableFuture()));
		}

		private void close(Caller caller) {
			step(caller::close);
		}

		private void close(CompletableFuture<LockHandle> lock) {
			step(() -> lock.thenAccept(LockHandle::closeAsync));
		}

		/* Let a task fail before the armed error is thrown. */
		private void crash() {
			this.crashed = true;
			LocalLock lock = this.test.lock(this.request.key());
			step(() -> lock.run(() -> {
				throw new OutOfMemoryError("made up");
			}));
		}

		private void pass(Duration time) {
			for (long left = time.toMillis(); left > 0; left -= STEP.toMillis()) {
				step(() -> turn(STEP));
			}
		}

		private void turn(Duration time) {
			this.ticker.advance(time);
			this.test.turn();
			this.other.turn();
			complete();
		}

		private void complete() {
			while (!this.completions.isEmpty()) {
				this.completions.remove().run();
			}
		}

		private void complete(Runnable task) {
			ErrorPoint.pass();
			this.completions.add(task);
		}

		private static boolean isMadeUp(Throwable failure) {
			return ErrorPoint.isMadeUp(failure) || String.valueOf(failure.getCause()).contains("made up");
		}

		/* Check the state of callers and of the store. */
		private void checkCrash() {
			turn(TestEngine.TICK);
			this.store.down = false;
			this.store.deliver();
			turn(TestEngine.TICK);
			this.callers.forEach((caller) -> caller.check(this.losing, this.expected));
			List<GrantedLease> kept = this.callers.stream()
				.filter((caller) -> caller.has() && caller.closed == null)
				.map((caller) -> ((Handle) caller.lock.join()).hold().lease)
				.distinct()
				.toList();
			closeAll();
			turn(TestEngine.TICK);
			this.store.deliver();
			if (!this.losing) {
				checkLeases(kept);
			}
		}

		private void closeAll() {
			this.callers.forEach(Caller::close);
			this.elsewhere.forEach((lock) -> lock.thenAccept(LockHandle::closeAsync));
		}

		/* Leases that callers hold expire, and all others are released. */
		private void checkLeases(List<GrantedLease> kept) {
			long told = this.test.events.count("lost: FAILED") + (place().contains("ListenerQueue.dispatch") ? 1 : 0);
			assertThat(told).as("losses that are reported").isGreaterThanOrEqualTo(kept.size());
			// It is uncertain whether a caller already has a hold that is being granted,
			// and whether a renewal is under way that has to be answered before the
			// release.
			int uncertain = Stream.of("GrantedLease.begin", "LeaseRenewal.sendInTurn", "StoreCall.send")
				.anyMatch(place()::contains) ? 1 : 0;
			assertThat(found()).as("leases that the store has").isBetween(kept.size(), kept.size() + uncertain);
			long renewals = renewals();
			askAfresh();
			long left = kept.stream().mapToLong((lease) -> lease.left(this.ticker.read())).min().orElse(0);
			for (; left > SECOND.toNanos(); left -= SECOND.toNanos()) {
				turn(SECOND);
				assertThat(found()).as("leases that expire").isGreaterThanOrEqualTo(kept.size());
			}
			boolean shared = kept.stream().anyMatch((lease) -> lease.kind().isPermit());
			if (!kept.isEmpty() && !shared) {
				assertThat(renewals()).isEqualTo(renewals);
				assertThat(this.afresh).noneMatch(CompletableFuture::isDone);
			}
			assertThat(this.store.sent(ReleaseCommand.class))
				.noneMatch((release) -> kept.stream().anyMatch((lease) -> lease.id().equals(release.attempt())));
		}

		private long renewals() {
			return this.store.sent(RenewCommand.class)
				.stream()
				.filter((renewal) -> renewal.key().equals(this.request.key()))
				.count();
		}

		private int found() {
			return this.memory.find(this.request.key(), STEP).toCompletableFuture().join().size();
		}

		private void askAfresh() {
			if (this.afresh.isEmpty()) {
				this.test.engine.start();
				LockRequest next = (this.request.mode() == LockMode.READ) ? Play.WRITE : this.request;
				Stream.of(this.test, this.other)
					.filter((engine) -> !this.closed || engine == this.other)
					.forEach((engine) -> this.afresh.add(engine.ask(next.withWaitTime(MAX_TIME))));
				this.afresh.forEach((lock) -> lock.thenAccept(LockHandle::closeAsync));
			}
		}

		/* Check that nothing is left after one lease. */
		private void end() {
			this.store.down = false;
			this.store.deliver();
			closeAll();
			askAfresh();
			for (long left = MAX_TIME.toMillis(); left > 0 && !remains().isEmpty(); left -= SECOND.toMillis()) {
				this.callers.forEach(Caller::close);
				turn(SECOND);
			}
			assertThat(remains()).isEmpty();
			assertThat(this.afresh).noneMatch(CompletableFuture::isCompletedExceptionally);
			CompletableFuture<Void> stopped = this.test.engine.stop().toCompletableFuture();
			turn(STEP);
			assertThat(stopped).as("the end of the engine").isCompleted();
		}

		private String remains() {
			if (!Stream
				.of(this.afresh.stream(), this.strengthened.stream(),
						this.callers.stream().map((caller) -> caller.lock),
						this.callers.stream().filter((caller) -> caller.closed != null).map((caller) -> caller.closed))
				.allMatch((futures) -> futures.allMatch(CompletableFuture::isDone))) {
				return "A future is not complete";
			}
			for (TestEngine engine : List.of(this.test, this.other)) {
				if (engine.keys() > 0) {
					return engine.keys() + " keys are in use";
				}
			}
			return (found() > 0 || !this.test.engine.idle().isEmpty()) ? "A lease is left" : "";
		}

		private void park() {
			if (isDropped() || this.parks++ > MAX_PARKS) {
				throw new IllegalStateException("A thread waits forever");
			}
			ErrorPoint.without(() -> turn(TestEngine.TICK));
		}

	}

}
