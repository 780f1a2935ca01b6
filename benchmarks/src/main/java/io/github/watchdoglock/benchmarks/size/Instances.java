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

package io.github.watchdoglock.benchmarks.size;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.benchmarks.lock.Application;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * Instances of a service: applications with the configuration of a user, each with its
 * own connections, watchdog and subscription, all of them in this JVM.
 */
final class Instances implements AutoCloseable {

	private static final String NAME = "size";

	private static final Duration WAIT = Duration.ofMinutes(2);

	private static final int AT_ONCE = 100;

	/* Without it, the callers' threads would use all processors. */
	private static final long PAUSE_MILLIS = 100;

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private final List<LockService> services = new ArrayList<>();

	private final List<LockHandle> held = new ArrayList<>();

	static Instances start(int count, String... properties) {
		Instances instances = new Instances();
		for (int i = 0; i < count; i++) {
			ConfigurableApplicationContext context = Application.with()
				.properties("spring.main.log-startup-info=false", "watchdog-lock.instance-name=instance-" + i)
				.properties(properties)
				.run();
			instances.contexts.add(context);
			instances.services.add(Application.locks(context));
		}
		return instances;
	}

	private static LockRequest request(String id) {
		return LockRequest.of(NAME, id).withWaitTime(WAIT);
	}

	/* Each instance holds the same number, with the default lease. */
	void hold(int count) {
		for (int begin = 0; begin < count; begin += AT_ONCE) {
			List<CompletableFuture<LockHandle>> some = new ArrayList<>();
			for (int i = begin; i < Math.min(begin + AT_ONCE, count); i++) {
				some.add(this.services.get(i % this.services.size()).acquireAsync(request("held-" + i)));
			}
			for (int i = 0; i < some.size(); i++) {
				this.held.add(held(some.get(i), begin + i));
			}
		}
	}

	/*
	 * With this number of instances on one machine, a request may have to wait for its
	 * turn.
	 */
	private LockHandle held(CompletableFuture<LockHandle> asked, int number) {
		try {
			return asked.join();
		}
		catch (CompletionException ex) {
			LockService locks = this.services.get(number % this.services.size());
			return Application.insist(() -> locks.acquireAsync(request("held-" + number)).join());
		}
	}

	long lost() {
		return this.held.stream().filter((handle) -> !handle.isHeld()).count();
	}

	/**
	 * Let one caller of each instance acquire and release locks, until it is stopped.
	 * @param key the key for the number of an instance
	 * @return the work of the callers
	 */
	Work work(IntFunction<String> key) {
		Work work = new Work(new AtomicBoolean(), new LongAdder(), Executors.newFixedThreadPool(this.services.size()),
				new ArrayList<>());
		for (int i = 0; i < this.services.size(); i++) {
			LockService locks = this.services.get(i);
			LockRequest request = request(key.apply(i));
			work.callers.add(work.threads.submit(() -> {
				while (!work.over.get()) {
					locks.acquire(request).close();
					work.done.increment();
					TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
				}
				return null;
			}));
		}
		return work;
	}

	@Override
	public void close() {
		CompletableFuture.allOf(this.held.stream().map(LockHandle::closeAsync).toArray(CompletableFuture[]::new))
			.join();
		this.contexts.parallelStream().forEach(ConfigurableApplicationContext::close);
	}

	/**
	 * Callers at work.
	 *
	 * @param over whether they must stop
	 * @param done the number of acquisitions
	 * @param threads the threads of the callers
	 * @param callers the callers, one for each instance
	 */
	record Work(AtomicBoolean over, LongAdder done, ExecutorService threads,
			List<Future<?>> callers) implements AutoCloseable {

		/* Fails if one of them has failed. */
		void end() throws InterruptedException, ExecutionException {
			close();
			for (Future<?> caller : this.callers) {
				caller.get();
			}
			this.threads.awaitTermination(WAIT.toSeconds(), TimeUnit.SECONDS);
		}

		@Override
		public void close() {
			this.over.set(true);
			this.threads.shutdown();
		}

	}

}
