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

import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A lock that its thread has already. One thread, since the lock belongs to it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class HeldLockBenchmark {

	private final LockRequest request = LockRequest.of("orders", "4711");

	private ConfigurableApplicationContext context;

	private LockService locks;

	private LockHandle outer;

	/**
	 * Take the lock.
	 * @throws InterruptedException never
	 */
	@Setup
	public void start() throws InterruptedException {
		this.context = LocalApplication.start();
		this.locks = this.context.getBean(LockService.class);
		this.outer = this.locks.acquire(this.request);
	}

	/**
	 * Give it back.
	 */
	@TearDown
	public void end() {
		this.outer.close();
		this.context.close();
	}

	/**
	 * Take it once more and give that back.
	 * @return the token
	 * @throws InterruptedException never
	 */
	@Benchmark
	public long reentry() throws InterruptedException {
		try (LockHandle handle = this.locks.acquire(this.request)) {
			return handle.fencingToken();
		}
	}

	/**
	 * Ask whether it is held.
	 * @return whether it is held
	 */
	@Benchmark
	public boolean isHeld() {
		return this.outer.isHeld();
	}

}
