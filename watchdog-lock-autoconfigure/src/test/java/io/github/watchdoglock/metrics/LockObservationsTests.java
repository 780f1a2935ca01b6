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

package io.github.watchdoglock.metrics;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Ticker;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LockObservations}.
 */
class LockObservationsTests {

	private static final LockRequest REQUEST = LockRequest.of("orders", "42").withWaitTime(Duration.ZERO);

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Recorder recorder = new Recorder();

	private final List<LockEngine> open = new ArrayList<>();

	private final LockObservations observations = new LockObservations(this.registry, null, null, 100);

	private final LockEngine engine = engine(this.observations);

	private final LockEngine other = new LockEngine(EngineSettings.of("other"), this.store, this.store, this.store);

	LockObservationsTests() {
		this.registry.observationConfig().observationHandler(this.recorder);
	}

	private LockEngine engine(LockObservations observations) {
		LockEngine engine = new LockEngine(EngineSettings.of("test"), this.store, this.store, this.store);
		engine.customizations().instrument(Instrumentation.all(() -> List.of(observations)));
		this.open.add(engine);
		return engine;
	}

	@AfterEach
	void close() {
		this.open.forEach(LockEngine::close);
		this.other.close();
	}

	@Test
	void waitAndHoldAreChildrenOfTheCallersObservation() throws Exception {
		Observation request = Observation.start("request", this.registry);
		long token;
		try (Observation.Scope scope = request.openScope(); LockHandle handle = this.engine.acquire(REQUEST)) {
			token = handle.fencingToken();
			assertThat(this.registry.getCurrentObservation()).isSameAs(request);
		}
		request.stop();
		Ended acquire = ended("watchdog.lock.acquire");
		Ended hold = ended("watchdog.lock.hold");
		assertThat(acquire.parent).isEqualTo("request");
		assertThat(hold.parent).isEqualTo("request");
		assertThat(acquire.low).isEqualTo(Map.of("lock", "orders", "outcome", "acquired"));
		assertThat(hold.low).isEqualTo(Map.of("lock", "orders", "outcome", "released"));
		assertThat(acquire.high).isEqualTo(Map.of("lock.key", "42", "lock.token", "" + token));
		assertThat(hold.high).isEqualTo(acquire.high);
		assertThat(acquire.error).isNull();
		assertThat(hold.error).isNull();
	}

	@Test
	void workUnderALockIsAChildOfItsHold() throws Exception {
		String result = this.engine.execute(REQUEST, (handle) -> {
			Observation.createNotStarted("work", this.registry).observe(() -> {
			});
			return "result";
		});
		assertThat(result).isEqualTo("result");
		assertThat(ended("work").parent).isEqualTo("watchdog.lock.hold");
		assertThat(this.registry.getCurrentObservation()).isNull();
	}

	@Test
	void readersOfSharedLeaseHaveSeparateHoldObservations() throws Exception {
		LockRequest reading = REQUEST.withMode(LockMode.READ);
		Observation first = Observation.start("first", this.registry);
		LockHandle one;
		try (Observation.Scope scope = first.openScope()) {
			one = this.engine.acquire(reading).detach();
		}
		LockHandle other = this.engine.acquireAsync(reading).get();
		assertThat(other.fencingToken()).isEqualTo(one.fencingToken());
		Runnable end = this.observations.working(one);
		Observation work = Objects.requireNonNull(this.registry.getCurrentObservation());
		end.run();
		other.close();
		assertThat(ended("watchdog.lock.hold").parent).isNull();
		assertThat(this.observations.context(one)).containsValue(work);
		assertThat(this.observations.context(other)).isEmpty();
		this.recorder.ended.clear();
		one.close();
		assertThat(ended("watchdog.lock.hold").parent).isEqualTo("first");
	}

	@Test
	void busyLockEndsWaitObservationWithTimeoutAndNoError() throws Exception {
		try (LockHandle theirs = this.other.acquire(REQUEST)) {
			assertThat(theirs.isHeld()).isTrue();
			assertThat(this.engine.tryAcquire(REQUEST)).isEmpty();
		}
		Ended acquire = ended("watchdog.lock.acquire");
		assertThat(acquire.low).containsEntry("outcome", "timeout");
		assertThat(acquire.error).isNull();
		assertThat(acquire.high).doesNotContainKey("lock.token");
	}

	@Test
	void lossEndsHoldObservationOnceWithError() throws Exception {
		try (LockHandle handle = this.engine.acquire(REQUEST)) {
			this.engine.forceRelease(handle.key());
			Ended hold = ended("watchdog.lock.hold");
			assertThat(hold.low).containsEntry("outcome", "lost");
			assertThat(hold.error).hasMessageContaining("orders:42");
		}
		assertThat(this.recorder.ended).filteredOn((ended) -> ended.name.equals("watchdog.lock.hold")).hasSize(1);
	}

	@Test
	void reEntryCreatesNoFurtherObservations() throws Exception {
		try (LockHandle outer = this.engine.acquire(REQUEST)) {
			this.engine.acquire(REQUEST).close();
			this.engine.execute(REQUEST, (inner) -> "");
			assertThat(outer.isHeld()).isTrue();
		}
		ended("watchdog.lock.hold");
		assertThat(this.recorder.ended).as("observations ended (one wait, one hold; none of the re-entry)").hasSize(2);
	}

	@Test
	void workWithinReEntryIsChildOfCallersObservation() throws Exception {
		this.engine.<String, Exception>execute(REQUEST,
				(outer) -> Observation.createNotStarted("step", this.registry)
					.observeChecked(() -> this.engine.<String, Exception>execute(REQUEST,
							(inner) -> Observation.createNotStarted("work", this.registry).observe(() -> "result"))));
		assertThat(ended("work").parent).isEqualTo("step");
		assertThat(ended("step").parent).isEqualTo("watchdog.lock.hold");
	}

	@Test
	void asynchronousCallerAndLockViewAreObserved() throws Exception {
		Observation request = Observation.start("request", this.registry);
		try (Observation.Scope scope = request.openScope()) {
			this.engine.acquireAsync(REQUEST).get().close();
		}
		assertThat(ended("watchdog.lock.hold").parent).isEqualTo("request");
		assertThat(ended("watchdog.lock.acquire").parent).isEqualTo("request");
		this.recorder.ended.clear();
		Lock view = this.engine.asLock(REQUEST);
		view.lock();
		try {
			assertThat(this.engine.localLocks().current()).hasSize(1);
		}
		finally {
			view.unlock();
		}
		ended("watchdog.lock.acquire");
		ended("watchdog.lock.hold");
	}

	@Test
	void holdOfWaitingAsynchronousCallerStartsBeforeItsCallback() throws Exception {
		List<String> then = new CopyOnWriteArrayList<>();
		LockHandle first = this.engine.acquireAsync(REQUEST).get();
		CompletableFuture<Void> second = this.engine.acquireAsync(REQUEST.withWaitTime(Duration.ofSeconds(30)))
			.thenAccept((handle) -> {
				then.addAll(this.recorder.started);
				Runnable end = this.observations.working(handle);
				Observation.createNotStarted("work", this.registry).observe(() -> {
				});
				end.run();
				handle.close();
			});
		first.close();
		assertThat(second).succeedsWithin(Duration.ofSeconds(20));
		assertThat(then).filteredOn("watchdog.lock.hold"::equals).hasSize(2);
		assertThat(ended("work").parent).isEqualTo("watchdog.lock.hold");
	}

	@Test
	void renewalsCreateNoFurtherObservations() throws Exception {
		LockRequest renewed = REQUEST.withLease(Lease.renewed(Duration.ofSeconds(1)));
		try (LockHandle handle = this.engine.acquire(renewed)) {
			await().until(() -> this.engine.localLocks().list().stream().anyMatch((lock) -> lock.renewals() > 1));
			assertThat(handle.isHeld()).isTrue();
		}
		ended("watchdog.lock.hold");
		assertThat(this.recorder.started).as("observations started (none of renewals)").hasSize(2);
	}

	@Test
	void namesBeyondLimitAreTaggedAsOther() throws Exception {
		LockObservations few = new LockObservations(this.registry, null, null, 2);
		LockEngine engine = engine(few);
		for (String name : List.of("a", "b", "c", "a", "d")) {
			engine.acquire(LockRequest.of(name)).close();
		}
		await().until(() -> this.recorder.ended.size() == 10);
		for (String stage : List.of("watchdog.lock.acquire", "watchdog.lock.hold")) {
			assertThat(this.recorder.ended).filteredOn((ended) -> ended.name.equals(stage))
				.extracting((ended) -> ended.low.get("lock"))
				.containsExactly("a", "b", "other", "a", "other");
		}
	}

	@Test
	void customConventionReplacesNameAndKeyValuesOfHold() throws Exception {
		LockObservations own = new LockObservations(this.registry, null, new LockHoldObservationConvention() {
			@Override
			public String getName() {
				return "my.hold";
			}

			@Override
			public KeyValues getHighCardinalityKeyValues(LockObservationContext context) {
				return KeyValues.of("my.key", Objects.requireNonNull(context.getKey().id()));
			}
		}, 100);
		LockEngine engine = engine(own);
		engine.acquire(REQUEST).close();
		assertThat(ended("my.hold").high).isEqualTo(Map.of("my.key", "42"));
		assertThat(ended("watchdog.lock.acquire").high).containsEntry("lock.key", "42");
	}

	@Test
	void exceptionOfObservationHandlerDoesNotReachLock() throws Exception {
		for (String method : new String[] { "start", "stop", "error", "scope", "end of scope" }) {
			this.recorder.throwing = method;
			assertThat(this.engine.<String, Exception>execute(REQUEST, (handle) -> "result")).isEqualTo("result");
			try (LockHandle handle = this.engine.acquire(REQUEST)) {
				assertThat(this.engine.forceRelease(handle.key())).isTrue();
				assertThat(handle.whenLost().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
			}
		}
		assertThat(this.engine.localLocks().list()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "scope", "end of scope" })
	void exceptionOfObservationHandlerLeavesNoOpenScope(String method) throws Exception {
		Observation request = Observation.start("request", this.registry);
		try (Observation.Scope scope = request.openScope()) {
			this.recorder.throwing = method;
			this.engine.<String, Exception>execute(REQUEST, (handle) -> "result");
			assertThat(this.registry.getCurrentObservationScope()).isSameAs(scope);
			this.recorder.throwing = "";
		}
		this.recorder.throwing = method;
		this.engine.<String, Exception>execute(REQUEST, (handle) -> "result");
		assertThat(this.registry.getCurrentObservationScope()).isNull();
		assertThat(this.recorder.scopes).hasValue(0);
	}

	@Test
	void handlerThatBlocksAtEndOfHoldDelaysOnlyItsCaller() throws Exception {
		LockRequest renewed = REQUEST.withLease(Lease.renewed(Duration.ofSeconds(1)));
		Thread blocked = new Thread(() -> {
			try {
				this.engine.acquire(renewed).close();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.recorder.blockedThread = blocked;
		blocked.start();
		await().until(() -> this.recorder.blocking.getCount() == 1);
		try (LockHandle handle = this.engine.acquire(renewed)) {
			await().until(() -> this.engine.localLocks().list().stream().anyMatch((lock) -> lock.renewals() > 1));
			assertThat(this.engine.forceRelease(handle.key())).isTrue();
			assertThat(handle.whenLost().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
		}
		assertThat(ended("watchdog.lock.hold").low).containsEntry("outcome", "lost");
		assertThat(blocked.isAlive()).as("the caller whose handler blocks").isTrue();
		this.recorder.blocking.countDown();
		blocked.join(TimeUnit.SECONDS.toMillis(20));
		assertThat(this.recorder.ended).filteredOn((ended) -> ended.name.equals("watchdog.lock.hold")).hasSize(2);
	}

	@Test
	void closeEndsObservationsBeforeReturning() throws Exception {
		this.engine.acquire(REQUEST).close();
		assertThat(this.recorder.ended).extracting((ended) -> ended.name)
			.containsExactly("watchdog.lock.acquire", "watchdog.lock.hold");
		LockHandle handle = this.engine.acquire(REQUEST);
		var unused = handle.closeAsync();
		await().until(() -> this.recorder.ended.size() == 4);
	}

	@Test
	void noObservationStartsWhenObservationsAreDisabled() throws Exception {
		this.observations.enable(false);
		this.engine.<String, Exception>execute(REQUEST, (handle) -> "result");
		assertThat(this.recorder.started).isEmpty();
		assertThat(this.observations.calling(REQUEST.key())).isSameAs(Instrumentation.Call.UNOBSERVED);
		Observation request = Observation.createNotStarted("request", this.registry);
		assertThat(this.observations.within((key) -> request)).isSameAs(Instrumentation.NOTHING);
	}

	@Test
	void callIsUnobservedWithNoopRegistry() throws Exception {
		LockObservations off = new LockObservations(ObservationRegistry.NOOP, null, null, 100);
		LockEngine engine = engine(off);
		assertThat(off.calling(REQUEST.key())).isSameAs(Instrumentation.Call.UNOBSERVED);
		assertThat(engine.<String, Exception>execute(REQUEST, (handle) -> "result")).isEqualTo("result");
	}

	private Ended ended(String name) {
		return await()
			.until(() -> this.recorder.ended.stream().filter((ended) -> ended.name.equals(name)).findFirst(),
					Optional::isPresent)
			.orElseThrow();
	}

	private record Ended(String name, @Nullable String parent, Map<String, String> low, Map<String, String> high,
			@Nullable Throwable error) {

		static Ended of(Observation.Context context) {
			ObservationView parent = context.getParentObservation();
			return new Ended(Objects.requireNonNull(context.getName()),
					(parent != null) ? parent.getContextView().getName() : null,
					map(context.getLowCardinalityKeyValues()), map(context.getHighCardinalityKeyValues()),
					context.getError());
		}

		private static Map<String, String> map(KeyValues values) {
			return values.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
		}

	}

	private static final class Recorder implements ObservationHandler<Observation.Context> {

		private final List<String> started = new CopyOnWriteArrayList<>();

		private final List<Ended> ended = new CopyOnWriteArrayList<>();

		private final Map<Observation.Context, Boolean> stopped = new ConcurrentHashMap<>();

		private final AtomicInteger scopes = new AtomicInteger();

		private volatile String throwing = "";

		/* Of two: one is counted down by the thread that blocks. */
		private final CountDownLatch blocking = new CountDownLatch(2);

		private volatile @Nullable Thread blockedThread;

		@Override
		public void onStart(Observation.Context context) {
			fail("start");
			this.started.add(context.getName());
		}

		@Override
		public void onError(Observation.Context context) {
			fail("error");
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			this.scopes.incrementAndGet();
			fail("scope");
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			this.scopes.decrementAndGet();
			fail("end of scope");
		}

		@Override
		public void onStop(Observation.Context context) {
			fail("stop");
			if (Thread.currentThread() == this.blockedThread && "watchdog.lock.hold".equals(context.getName())) {
				this.blocking.countDown();
				try {
					this.blocking.await(60, TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
			assertThat(this.stopped.put(context, true)).isNull();
			this.ended.add(Ended.of(context));
		}

		private void fail(String method) {
			if (this.throwing.equals(method)) {
				throw new IllegalStateException(method);
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

	}

}
