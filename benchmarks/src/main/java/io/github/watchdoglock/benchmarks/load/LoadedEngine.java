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

package io.github.watchdoglock.benchmarks.load;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.benchmarks.lock.Application;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.time.Ticker;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An engine, its observer, and locks that are held all the time, which the watchdog must
 * renew under any load.
 *
 * @param locks the service that is called
 * @param probe the observer of the engine
 * @param held the locks that are held
 */
record LoadedEngine(LockService locks, LoadProbe probe, List<LockHandle> held) {

	private static final String NAME = "load";

	private static final int AT_ONCE = 100;

	/* Uses the store in memory, without an application. */
	static LoadedEngine alone() {
		LoadProbe probe = new LoadProbe();
		InMemoryLeaseStore store = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		return new LoadedEngine(new LockEngine(EngineSettings.of(NAME), store, store, store, probe), probe,
				new ArrayList<>());
	}

	/* Uses an application with the configuration of a user. */
	static LoadedEngine over(int redisPort) {
		LoadProbe probe = new LoadProbe();
		return new LoadedEngine(Application.locks(start(redisPort, probe)), probe, new ArrayList<>());
	}

	static ConfigurableApplicationContext start(int redisPort, LoadProbe probe) {
		return start("spring.data.redis.port=" + redisPort, probe);
	}

	/* Adds a probe and the beans that it uses. */
	static ConfigurableApplicationContext start(String property, Object... beans) {
		return Application.with(Probed.class)
			.initializers((context) -> Stream.of(beans)
				.forEach((bean) -> context.getBeanFactory().registerSingleton(bean.getClass().getName(), bean)))
			.properties(property)
			.run();
	}

	/* The wait time is sufficient for any number of callers. */
	static LockRequest request(String id) {
		return LockRequest.of(NAME, id).withWaitTime(Duration.ofMinutes(2));
	}

	/*
	 * Locks that were lost meanwhile, under more load than the system can handle, are
	 * acquired again.
	 */
	void hold(int count, Duration lease) {
		this.held.removeIf((handle) -> !handle.isHeld());
		while (this.held.size() < count) {
			List<CompletableFuture<LockHandle>> some = new ArrayList<>();
			for (int i = 0; i < Math.min(AT_ONCE, count - this.held.size()); i++) {
				some.add(this.locks.acquireAsync(request("held-" + UUID.randomUUID()).withLease(Lease.renewed(lease))));
			}
			some.forEach((handle) -> this.held.add(handle.join()));
		}
	}

	/**
	 * Registers the probe as a listener.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Probed {

		@Bean(defaultCandidate = false)
		@Qualifier("watchdogLockObserver")
		LockListener loadObserver(LoadProbe probe) {
			return probe;
		}

	}

}
