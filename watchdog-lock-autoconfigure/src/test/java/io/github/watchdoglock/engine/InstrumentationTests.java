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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Instrumentation}s and their {@link Instrumentations}.
 */
class InstrumentationTests extends TwoInstances {

	private static final LockRequest REQUEST = LockRequest.of("orders", "42").withWaitTime(Duration.ZERO);

	private static final LockRequest PATIENT = REQUEST.withWaitTime(Duration.ofSeconds(5));

	private final LockEngine engine = this.firstInstance.engine;

	private final List<String> heard = new ArrayList<>();

	private Runnable whenAcquired = () -> {
	};

	InstrumentationTests() {
		List<Instrumentation> all = List.of(new Recorder("a"), new Broken(), new Recorder("b"));
		this.engine.customizations().instrument(Instrumentation.all(() -> all));
	}

	@Test
	void instrumentationWrapsRequestGrantAndWorkInOrder() throws Exception {
		String result = this.engine.execute(REQUEST, (handle) -> {
			this.heard.add("work");
			return "result";
		});
		assertThat(result).isEqualTo("result");
		assertThat(this.heard).containsExactly("a asks", "b asks", "a acquired", "b acquired", "a works", "b works",
				"work", "b ends", "a ends");
	}

	@Test
	void instrumentationIsNotifiedWhenWorkFails() {
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> this.engine.execute(REQUEST, (handle) -> {
			throw new Exception("work");
		})).withMessage("work");
		assertThat(this.heard).endsWith("b ends", "a ends");
	}

	@Test
	void instrumentationGetsReasonWhenLockIsNotAcquired() throws Exception {
		LockHandle theirs = this.secondInstance.engine.acquire(REQUEST);
		assertThat(this.engine.tryAcquire(REQUEST)).isEmpty();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.engine.acquire(REQUEST));
		assertThat(this.engine.asLock(REQUEST).tryLock()).isFalse();
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.engine.acquire(REQUEST));
		this.engine.close();
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> this.engine.acquire(REQUEST));
		assertThat(this.heard).filteredOn((word) -> word.startsWith("a "))
			.containsExactly("a asks", "a TIMEOUT", "a asks", "a TIMEOUT", "a asks", "a TIMEOUT", "a asks",
					"a INTERRUPTED InterruptedException", "a asks", "a ERROR LockServiceClosedException");
		theirs.close();
	}

	@Test
	void reentryDoesNotNotifyInstrumentation() throws Exception {
		try (LockHandle outer = this.engine.acquire(REQUEST)) {
			this.heard.clear();
			this.engine.acquire(REQUEST).close();
			assertThat(outer.isHeld()).as("'outer' is held").isTrue();
			assertThat(this.heard).isEmpty();
		}
	}

	@Test
	void instrumentationIsNotifiedOfGrantBeforeWaiter() throws Exception {
		LockHandle first = this.engine.acquireAsync(REQUEST).get();
		CompletableFuture<Void> work = this.engine.acquireAsync(PATIENT).thenAccept((handle) -> {
			this.heard.add("work");
			handle.close();
		});
		this.heard.clear();
		first.close();
		assertThat(work).isCompleted();
		assertThat(this.heard).containsExactly("a acquired", "b acquired", "work");
	}

	@Test
	void instrumentationIsNotifiedOfFailureBeforeWaiter() throws Exception {
		LockHandle first = this.engine.acquireAsync(REQUEST).get();
		CompletableFuture<LockHandle> refused = this.engine.acquireAsync(PATIENT)
			.whenComplete((handle, ex) -> this.heard.add("work"));
		this.heard.clear();
		this.engine.close();
		assertThat(refused).isCompletedExceptionally();
		assertThat(this.heard).containsExactly("a ERROR LockServiceClosedException",
				"b ERROR LockServiceClosedException", "work");
		first.close();
	}

	@Test
	void noHoldRemainsWhenCallerCancelsDuringGrantNotification() throws Exception {
		LockHandle first = this.engine.acquireAsync(REQUEST).get();
		CompletableFuture<LockHandle> cancelled = this.engine.acquireAsync(PATIENT);
		this.whenAcquired = () -> cancelled.cancel(false);
		first.close();
		assertThat(cancelled).isCancelled();
		assertThat(this.engine.localLocks().list()).isEmpty();
	}

	@Test
	void instrumentationsPassContextInOrderAndSkipFailingOne() throws Exception {
		List<Instrumentation> each = List.of(new Recorder("a"), new Broken(), new Recorder("b"));
		Instrumentation all = Instrumentation.all(() -> each);
		all.within(Map.of("key", "value")::get).run();
		assertThat(this.heard).containsExactly("a value", "b value", "b asked", "a asked");
		try (LockHandle handle = this.engine.acquire(REQUEST)) {
			assertThat(all.context(handle)).containsOnly(Map.entry("a", handle), Map.entry("b", handle));
		}
	}

	/* Kotlin code can throw checked exceptions anywhere. */
	@SuppressWarnings("unchecked")
	private static <E extends Exception> RuntimeException unchecked(Exception ex) throws E {
		throw (E) ex;
	}

	private final class Recorder implements Instrumentation {

		private final String name;

		Recorder(String name) {
			this.name = name;
		}

		@Override
		public Call calling(LockKey key) {
			hear("asks");
			return new Call() {
				@Override
				public void acquired(LockHandle handle) {
					hear("acquired");
					InstrumentationTests.this.whenAcquired.run();
				}

				@Override
				public void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
					hear(outcome + ((cause != null) ? " " + cause.getClass().getSimpleName() : ""));
				}
			};
		}

		@Override
		public Runnable working(LockHandle handle) {
			hear("works");
			return () -> hear("ends");
		}

		@Override
		public Runnable within(Function<Object, @Nullable Object> context) {
			hear(String.valueOf(context.apply("key")));
			return () -> hear("asked");
		}

		@Override
		public Map<Object, Object> context(LockHandle handle) {
			return Map.of(this.name, handle);
		}

		private void hear(String what) {
			InstrumentationTests.this.heard.add(this.name + " " + what);
		}

	}

	private static final class Broken implements Instrumentation {

		private int asked;

		@Override
		public Call calling(LockKey key) {
			if (this.asked++ > 0) {
				throw unchecked(new IOException("asking"));
			}
			return new Call() {
				@Override
				public void acquired(LockHandle handle) {
					throw unchecked(new IOException("acquired"));
				}
			};
		}

		@Override
		public Runnable working(LockHandle handle) {
			return () -> {
				throw unchecked(new IOException("working"));
			};
		}

		@Override
		public Runnable within(Function<Object, @Nullable Object> context) {
			throw new IllegalStateException("within");
		}

		@Override
		public Map<Object, Object> context(LockHandle handle) {
			throw new IllegalStateException("context");
		}

	}

}
