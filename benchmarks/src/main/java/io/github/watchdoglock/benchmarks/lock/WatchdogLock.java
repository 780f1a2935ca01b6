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

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * This project, in an application as a user has it. Waits without end, as the others do.
 */
final class WatchdogLock implements Competitor.Renewed, Competitor.Kinds {

	/*
	 * An earlier build may be in place of the present one, so that only what both have is
	 * called here, but for kinds, for which it is not asked. A call of this method that
	 * is compiled works where LockRequest is an interface, or where it is a class, and
	 * not in both; a constant handle costs no more.
	 */
	private static final MethodHandle REQUEST = request();

	static final String NAME = "benchmark";

	private static final Duration CONNECTING = Duration.ofSeconds(30);

	private final LockService locks;

	WatchdogLock(int port, Duration lease, String... properties) {
		this(start(port, lease, properties));
	}

	WatchdogLock(ConfigurableApplicationContext context) {
		this.locks = context.getBean(LockService.class);
		awaitConnection();
	}

	static ConfigurableApplicationContext start(int port, Duration lease, String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("spring.main.banner-mode=off", "spring.jmx.enabled=false", "spring.data.redis.host=127.0.0.1",
					"spring.data.redis.port=" + port, "watchdog-lock.lease-time=" + lease.toMillis() + "ms",
					"watchdog-lock.wait-time=-1")
			.run(Stream.of(properties).map("--"::concat).toArray(String[]::new));
	}

	/* A JVM that has just begun may need longer to connect than a command may take. */
	private void awaitConnection() {
		long start = System.nanoTime();
		while (true) {
			try {
				this.locks.find(LockKey.of("none"));
				return;
			}
			catch (LockStoreException ex) {
				if (System.nanoTime() - start > CONNECTING.toNanos()) {
					throw ex;
				}
			}
		}
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

	static LockRequest request(String id) {
		try {
			return (LockRequest) REQUEST.invokeExact(NAME, id);
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static MethodHandle request() {
		try {
			return MethodHandles.publicLookup()
				.findStatic(LockRequest.class, "of",
						MethodType.methodType(LockRequest.class, String.class, String.class));
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
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
	 * Has nothing but what the starter brings.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
