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

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that callers whose stack is too small fail before anything has happened.
 */
@SuppressWarnings("LockNotBeforeTry")
class SmallStackTests extends TwoInstances {

	private static final Map<String, Way> WAYS = Map.of("acquire", (engine) -> engine.acquire(ORDERS).close(),
			"tryAcquire", (engine) -> engine.tryAcquire(ORDERS).ifPresent(LockHandle::close), "acquireAsync",
			(engine) -> engine.acquireAsync(ORDERS).join().close(), "acquireAll",
			(engine) -> engine.acquireAll(List.of(ORDERS)).close(), "execute",
			(engine) -> engine.execute(ORDERS, (handle) -> "result"), "asLock", (engine) -> {
				Lock view = engine.asLock(ORDERS);
				view.tryLock();
				view.unlock();
			});

	/* The number of callers that were admitted. */
	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger overflows = new AtomicInteger();

	@ParameterizedTest
	@ValueSource(strings = { "acquire", "tryAcquire", "acquireAsync", "acquireAll", "execute", "asLock" })
	void callerIsRejectedBeforeItsRequestIfStackIsTooSmall(String way) throws Exception {
		this.firstInstance.engine.customizations().completeRequests((request) -> {
			this.begun.incrementAndGet();
			return request;
		});
		dive(() -> Objects.requireNonNull(WAYS.get(way)).take(this.firstInstance.engine));
		assertThat(this.begun)
			.as("as('admitted callers while the stack was too small'): exactly 1, the one with enough room")
			.hasValue(1);
		assertThat(this.firstInstance.keys()).as("as('keys in use after the rejected calls'): none").isZero();
		assertThat(this.firstInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	@Tag("slow")
	void keysCanBeAcquiredAfterStackOverflowsOfCallers() throws Exception {
		try (LockEngine engine = RunningEngine.start()) {
			AtomicInteger overflows = new AtomicInteger();
			for (int i = 0; i < 60; i++) {
				LockRequest request = LockRequest.of("orders", "" + i);
				Thread thread = new Thread(null, () -> diveAndExecute(engine, request, overflows, 0), "diver",
						256 * 1_024 + i * 64);
				thread.start();
				thread.join();
			}
			assertThat(overflows).hasValueGreaterThan(60);
			for (int i = 0; i < 60; i++) {
				Optional<LockHandle> lock = engine
					.tryAcquire(LockRequest.of("orders", "" + i).withWaitTime(Duration.ofSeconds(5)));
				assertThat(lock).as("key %d", i).isPresent();
				lock.get().close();
			}
		}
	}

	/* While the stack unwinds, each frame tries again until there is enough room. */
	private static void diveAndExecute(LockEngine engine, LockRequest request, AtomicInteger overflows, int depth) {
		try {
			if (depth < Integer.MAX_VALUE) {
				diveAndExecute(engine, request, overflows, depth + 1);
			}
		}
		catch (StackOverflowError ex) {
			overflows.incrementAndGet();
			engine.execute(request, (lock) -> lock.fencingToken());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lockViewCallsServiceOnlyWithSufficientStack(boolean interruptibly) throws Exception {
		LockService asked = (LockService) Proxy.newProxyInstance(LockService.class.getClassLoader(),
				new Class<?>[] { LockService.class }, (proxy, method, arguments) -> {
					this.begun.incrementAndGet();
					takeRoom(64);
					return Optional.empty();
				});
		LockView view = new LockView(asked, this.firstInstance.engine.keys.context(), ORDERS);
		dive(() -> {
			if (interruptibly) {
				view.tryLock(1, TimeUnit.SECONDS);
			}
			else {
				view.tryLock();
			}
		});
		assertThat(this.begun).as("as('calls of the service by the view'): exactly 1").hasValue(1);
	}

	private static int takeRoom(int frames) {
		return (frames == 0) ? 0 : 1 + takeRoom(frames - 1);
	}

	/* First with enough room to link all code, then with more and more room. */
	private void dive(Taking call) throws InterruptedException {
		Thread thread = new Thread(null, () -> {
			try {
				call.take();
				this.begun.set(0);
				tryOnTheWayBack(call, 0);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}, "diver", 256 * 1_024);
		thread.start();
		thread.join(10_000);
		assertThat(this.overflows).hasValueGreaterThan(10);
	}

	/* Some frames try again until there is enough room. */
	@SuppressWarnings("InfiniteRecursion")
	private boolean tryOnTheWayBack(Taking call, int depth) throws InterruptedException {
		boolean done;
		try {
			done = tryOnTheWayBack(call, depth + 1);
		}
		catch (StackOverflowError ex) {
			done = false;
		}
		return done || (depth % 4 == 0 && succeeds(call));
	}

	private boolean succeeds(Taking call) throws InterruptedException {
		try {
			call.take();
			return true;
		}
		catch (StackOverflowError ex) {
			this.overflows.incrementAndGet();
			return false;
		}
	}

	private interface Taking {

		void take() throws InterruptedException;

	}

	private interface Way {

		void take(LockEngine engine) throws InterruptedException;

	}

}
