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
 * Lock and unlock over the store in the JVM, and what it costs to watch that.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class ObservedLockBenchmark {

	private static final String ENGINE = "engine alone";

	private static final String OBSERVED = "meters and observations on";

	/**
	 * What watches: nothing at all, an application without meters, one with them, one
	 * with meters and observations.
	 */
	@Param({ ENGINE, "meters off", "meters on", OBSERVED })
	public String watched;

	private final LockRequest request = LockRequest.of("orders", "4711");

	private @Nullable ConfigurableApplicationContext context;

	private LockService locks;

	/**
	 * Start the engine, in an application or without one.
	 */
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

	/**
	 * End it.
	 */
	@TearDown
	public void end() {
		if (this.context != null) {
			this.context.close();
		}
	}

	/**
	 * Take a lock and give it back.
	 * @return the token
	 * @throws InterruptedException never
	 */
	@Benchmark
	public long lockAndUnlock() throws InterruptedException {
		try (LockHandle handle = this.locks.acquire(this.request)) {
			return handle.fencingToken();
		}
	}

}
