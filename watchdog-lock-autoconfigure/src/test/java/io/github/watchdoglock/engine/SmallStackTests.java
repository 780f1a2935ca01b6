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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers whose stack is too small are told so before anything has happened.
 */
class SmallStackTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore store = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final TestEngine test = TestEngine.over(this.ticker, this.store);

	/* Callers that were let in. */
	private final AtomicInteger begun = new AtomicInteger();

	private final AtomicInteger overflows = new AtomicInteger();

	@ParameterizedTest
	@EnumSource
	void whoseStackIsTooSmallIsNotLetIn(Way way) throws Exception {
		this.test.engine.customizations().completeRequests((request) -> {
			this.begun.incrementAndGet();
			return request;
		});
		dive(() -> way.takeAndGiveBack(this.test.engine));
		assertThat(this.begun).hasValue(1);
		assertThat(this.test.keys()).isZero();
		assertThat(this.test.engine.find(KEY)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aViewLeavesRoomToWhomItAsks(boolean interruptibly) throws Exception {
		LockService asked = (LockService) Proxy.newProxyInstance(LockService.class.getClassLoader(),
				new Class<?>[] { LockService.class }, (proxy, method, arguments) -> {
					this.begun.incrementAndGet();
					takeRoom(64);
					return Optional.empty();
				});
		Core core = new Core(EngineSettings.of("test"), "one", Threads.system(), this.ticker, this.ticker.wallClock,
				this.store, new Events(), Runnable::run);
		LockView view = new LockView(asked, core, ORDERS);
		dive(() -> {
			try {
				if (interruptibly) {
					view.tryLock(1, TimeUnit.SECONDS);
				}
				else {
					view.tryLock();
				}
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		assertThat(this.begun).hasValue(1);
	}

	private static int takeRoom(int frames) {
		return (frames == 0) ? 0 : 1 + takeRoom(frames - 1);
	}

	/* Once where there is room to link all of it, then where there is ever more. */
	private void dive(Runnable call) throws InterruptedException {
		Thread thread = new Thread(null, () -> {
			call.run();
			this.begun.set(0);
			tryOnTheWayBack(call, 0);
		}, "diver", 256 * 1_024);
		thread.start();
		thread.join(10_000);
		assertThat(this.overflows).hasValueGreaterThan(10);
	}

	/* Some frames try until there is room enough. */
	@SuppressWarnings("InfiniteRecursion")
	private boolean tryOnTheWayBack(Runnable call, int depth) {
		boolean done;
		try {
			done = tryOnTheWayBack(call, depth + 1);
		}
		catch (StackOverflowError ex) {
			done = false;
		}
		return done || (depth % 4 == 0 && succeeds(call));
	}

	private boolean succeeds(Runnable call) {
		try {
			call.run();
			return true;
		}
		catch (StackOverflowError ex) {
			this.overflows.incrementAndGet();
			return false;
		}
	}

	private enum Way {

		ACQUIRE {
			@Override
			void take(LockEngine engine) throws InterruptedException {
				engine.acquire(ORDERS).close();
			}
		},

		TRY_ACQUIRE {
			@Override
			void take(LockEngine engine) throws InterruptedException {
				engine.tryAcquire(ORDERS).ifPresent(LockHandle::close);
			}
		},

		ACQUIRE_ASYNC {
			@Override
			void take(LockEngine engine) {
				engine.acquireAsync(ORDERS).join().close();
			}
		},

		ACQUIRE_ALL {
			@Override
			void take(LockEngine engine) throws InterruptedException {
				engine.acquireAll(List.of(ORDERS)).close();
			}
		},

		EXECUTE {
			@Override
			void take(LockEngine engine) {
				engine.execute(ORDERS, (handle) -> "result");
			}
		},

		VIEW {
			@Override
			@SuppressWarnings("LockNotBeforeTry")
			void take(LockEngine engine) {
				Lock view = engine.asLock(ORDERS);
				view.tryLock();
				view.unlock();
			}
		};

		abstract void take(LockEngine engine) throws InterruptedException;

		private void takeAndGiveBack(LockEngine engine) {
			try {
				take(engine);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
