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

package io.github.watchdoglock.benchmarks.jvm;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.benchmarks.jvm.LocalApplication.Orders;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Benchmarks of locks in the JVM's store: through a call of the service and through an
 * annotation, re-entry, and the costs of observing locks.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class LockBenchmark {

	@Benchmark
	public long programmatic(Application application) throws InterruptedException {
		String id = application.id();
		try (LockHandle handle = application.locks.acquire(LockRequest.of("orders"))) {
			return id.length();
		}
	}

	@Benchmark
	public long programmaticWithKey(Application application) throws InterruptedException {
		String id = application.id();
		try (LockHandle handle = application.locks.acquire(LockRequest.of("orders", id))) {
			return id.length();
		}
	}

	@Benchmark
	public long intercepted(Application application) {
		return application.orders.pay(application.id());
	}

	@Benchmark
	public long interceptedWithKey(Application application) {
		return application.orders.payOne(application.id());
	}

	@Benchmark
	public long reentry(Holder holder) throws InterruptedException {
		try (LockHandle handle = holder.locks.acquire(holder.request)) {
			return handle.fencingToken();
		}
	}

	@Benchmark
	public boolean isHeld(Holder holder) {
		return holder.outer.isHeld();
	}

	@Benchmark
	public long lockAndUnlock(Watched watched) throws InterruptedException {
		try (LockHandle handle = watched.locks.acquire(watched.request)) {
			return handle.fencingToken();
		}
	}

	/**
	 * An application with the configuration of a user.
	 */
	@State(Scope.Benchmark)
	public static class Application {

		ConfigurableApplicationContext context;

		LockService locks;

		Orders orders;

		private int count;

		@Setup
		public void start() {
			this.context = LocalApplication.start();
			this.locks = this.context.getBean(LockService.class);
			this.orders = this.context.getBean(Orders.class);
		}

		@TearDown
		public void end() {
			this.context.close();
		}

		/* Not always the same, and of a limited number, so that no key stays in use. */
		String id() {
			return (((this.count++ & 1) == 0) ? "4711" : "4712");
		}

	}

	/**
	 * A thread that holds a lock. There is only one thread, because the lock belongs to
	 * it.
	 */
	@State(Scope.Thread)
	public static class Holder {

		final LockRequest request = LockRequest.of("orders", "4711");

		LockService locks;

		LockHandle outer;

		@Setup
		public void start(Application application) throws InterruptedException {
			this.locks = application.locks;
			this.outer = this.locks.acquire(this.request);
		}

		@TearDown
		public void end() {
			this.outer.close();
		}

	}

	/**
	 * The engine, with or without an application, and the observation of its locks.
	 */
	@State(Scope.Benchmark)
	public static class Watched {

		private static final String ENGINE = "engine alone";

		private static final String OBSERVED = "meters and observations on";

		/** The kind of observation. */
		@Param({ ENGINE, "meters off", "meters on", OBSERVED })
		public String watched;

		final LockRequest request = LockRequest.of("orders", "4711");

		@Nullable ConfigurableApplicationContext context;

		LockService locks;

		@Setup
		public void start() {
			if (this.watched.equals(ENGINE)) {
				InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
				this.locks = new LockEngine(EngineSettings.of("benchmark"), store, store, store);
				return;
			}
			this.context = LocalApplication.start("benchmark.registry=true",
					"benchmark.observations=" + this.watched.equals(OBSERVED),
					"watchdog-lock.metrics.enabled=" + !this.watched.equals("meters off"));
			this.locks = this.context.getBean(LockService.class);
		}

		@TearDown
		public void end() {
			if (this.context != null) {
				this.context.close();
			}
		}

	}

}
