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

package io.github.watchdoglock.benchmarks.lock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.metrics.LockObservationContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The locks of this project, in an application with the configuration of a user. They
 * wait indefinitely, as the others do.
 */
final class WatchdogLock implements Competitor.Renewed, Competitor.Kinds {

	/*
	 * An earlier build may replace the present one, so this class calls only methods that
	 * both have, except for modes, which are not measured with an earlier build.
	 */
	static final String NAME = "benchmark";

	private final LockService locks;

	private final AtomicLong unended;

	WatchdogLock(int port, Duration lease, String... properties) {
		this(start(port, lease, properties));
	}

	WatchdogLock(ConfigurableApplicationContext context) {
		this.locks = Application.locks(context);
		this.unended = context.getBeanProvider(Observations.class)
			.stream()
			.findFirst()
			.map((each) -> each.unended)
			.orElseGet(AtomicLong::new);
	}

	static WatchdogLock observed(int port, Duration lease) {
		return new WatchdogLock(run(Application.with(Observations.class), port, lease));
	}

	static ConfigurableApplicationContext start(int port, Duration lease, String... properties) {
		return run(Application.with(), port, lease, properties);
	}

	private static ConfigurableApplicationContext run(SpringApplicationBuilder application, int port, Duration lease,
			String... properties) {
		return application
			.properties("spring.data.redis.port=" + port, "watchdog-lock.lease-time=" + lease.toMillis() + "ms",
					"watchdog-lock.wait-time=-1")
			.run(Stream.of(properties).map("--"::concat).toArray(String[]::new));
	}

	@Override
	public Held lock(String key) throws InterruptedException {
		return new Hold(this.locks.acquire(request(key)));
	}

	@Override
	public Held read(String key) throws InterruptedException {
		return new Hold(this.locks.acquire(request(key).withMode(LockMode.READ)));
	}

	@Override
	public Held write(String key) throws InterruptedException {
		return lock(key);
	}

	@Override
	public Held permit(String key, int permits) throws InterruptedException {
		return new Hold(this.locks.acquire(request(key).withPermits(permits)));
	}

	@Override
	public long unendedObservations() {
		return this.unended.get();
	}

	private static LockRequest request(String id) {
		return LockRequest.of(NAME, id);
	}

	@Override
	public boolean isTaken(String key) {
		return this.locks.find(LockKey.of(NAME, key)).isPresent();
	}

	private record Hold(LockHandle handle) implements Held {

		@Override
		public long token() {
			return this.handle.fencingToken();
		}

		@Override
		public void unlock() {
			this.handle.close();
		}

	}

	/**
	 * Counts the observations of locks that have started and not ended.
	 */
	static final class Observations implements ObservationHandler<LockObservationContext> {

		private final AtomicLong unended = new AtomicLong();

		@Override
		public void onStart(LockObservationContext context) {
			this.unended.incrementAndGet();
		}

		@Override
		public void onStop(LockObservationContext context) {
			this.unended.decrementAndGet();
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof LockObservationContext;
		}

	}

}
