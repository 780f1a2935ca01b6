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
import io.github.watchdoglock.benchmarks.jvm.LocalApplication.Orders;
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
 * The same work under the same lock, by a call of the service and by an annotation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class CallBenchmark {

	private ConfigurableApplicationContext context;

	private LockService locks;

	private Orders orders;

	private int count;

	/**
	 * Start an application.
	 */
	@Setup
	public void start() {
		this.context = LocalApplication.start();
		this.locks = this.context.getBean(LockService.class);
		this.orders = this.context.getBean(Orders.class);
	}

	/**
	 * End it.
	 */
	@TearDown
	public void end() {
		this.context.close();
	}

	/**
	 * By the service, without an id.
	 * @return the work's result
	 * @throws InterruptedException never
	 */
	@Benchmark
	public long programmatic() throws InterruptedException {
		String id = id();
		try (LockHandle handle = this.locks.acquire(LockRequest.of("orders"))) {
			return id.length();
		}
	}

	/**
	 * By the service, with an id.
	 * @return the work's result
	 * @throws InterruptedException never
	 */
	@Benchmark
	public long programmaticWithKey() throws InterruptedException {
		String id = id();
		try (LockHandle handle = this.locks.acquire(LockRequest.of("orders", id))) {
			return id.length();
		}
	}

	/**
	 * By the annotation, without a key.
	 * @return the work's result
	 */
	@Benchmark
	public long intercepted() {
		return this.orders.pay(id());
	}

	/**
	 * By the annotation, with a key by expression.
	 * @return the work's result
	 */
	@Benchmark
	public long interceptedWithKey() {
		return this.orders.payOne(id());
	}

	/* Not always the same, and bounded, so that no key stays in use. */
	private String id() {
		return (((this.count++ & 1) == 0) ? "4711" : "4712");
	}

}
