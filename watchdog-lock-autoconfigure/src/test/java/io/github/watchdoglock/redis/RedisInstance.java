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

package io.github.watchdoglock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.store.LeaseSurvey;
import io.github.watchdoglock.store.NoWakeUps;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * The locks of one instance of a service.
 */
public final class RedisInstance implements AutoCloseable {

	private static final EngineObserver NOBODY = new EngineObserver() {
	};

	private final LettuceConnectionFactory factory;

	private final RedisLocks locks;

	private final LockEngine engine;

	/**
	 * Create an instance.
	 * @param port where its Redis listens
	 */
	public RedisInstance(int port) {
		this(port, NOBODY);
	}

	/**
	 * Create an instance.
	 * @param port where its Redis listens
	 * @param listener is notified of events of its locks
	 */
	public RedisInstance(int port, EngineObserver listener) {
		this(RedisServer.factory(port), listener);
	}

	/**
	 * Create an instance.
	 * @param factory its own, which it destroys
	 */
	public RedisInstance(LettuceConnectionFactory factory) {
		this(factory, NOBODY);
	}

	/**
	 * Create an instance.
	 * @param factory its own, which it destroys
	 * @param listener is notified of events of its locks
	 */
	public RedisInstance(LettuceConnectionFactory factory, EngineObserver listener) {
		this(factory, listener, true, EngineSettings.of("test"));
	}

	private RedisInstance(LettuceConnectionFactory factory, EngineObserver listener, boolean hears,
			EngineSettings settings) {
		this.factory = factory;
		this.locks = new RedisLocks(factory, RedisServer.settings());
		this.engine = new LockEngine(settings, this.locks.store(), this.locks.inspector(),
				hears ? this.locks.wakeUps() : new NoWakeUps(), listener);
		this.locks.connect();
	}

	/**
	 * Create an instance that receives no messages.
	 * @param port where its Redis listens
	 * @return an instance
	 */
	public static RedisInstance deaf(int port) {
		return new RedisInstance(RedisServer.factory(port), NOBODY, false, EngineSettings.of("test"));
	}

	/**
	 * Create an instance that keeps idle leases for a minute.
	 * @param port where its Redis listens
	 * @param hears whether it receives messages
	 * @return an instance
	 */
	public static RedisInstance lingering(int port, boolean hears) {
		return new RedisInstance(RedisServer.factory(port), NOBODY, hears,
				EngineSettings.of("test").withLinger(new TimeRules(Duration.ofMinutes(1), Map.of())));
	}

	/**
	 * Wait until Redis has answered; a new JVM may need longer to connect than the
	 * timeout of a command.
	 * @return this
	 */
	public RedisInstance connected() {
		awaitConnection(this.engine);
		return this;
	}

	/**
	 * Wait until Redis has answered an application; a new JVM may need longer to connect
	 * than the timeout of a command.
	 * @param locks of the application
	 */
	public static void awaitConnection(LockService locks) {
		await().atMost(Duration.ofSeconds(30))
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.until(() -> locks.find(LockKey.of("none")).isEmpty());
	}

	/**
	 * Acquire locks.
	 * @param name their name
	 * @param count the number of locks; their ids are numbers from zero on
	 * @param lease the length of the leases
	 * @return the locks
	 * @throws InterruptedException if the thread is interrupted meanwhile
	 */
	public List<LockHandle> acquire(String name, int count, Duration lease) throws InterruptedException {
		List<LockHandle> handles = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			handles.add(this.engine.acquire(LockRequest.of(name, "" + i).withLease(Lease.renewed(lease))));
		}
		return handles;
	}

	/**
	 * Return its locks.
	 * @return the engine
	 */
	public LockEngine engine() {
		return this.engine;
	}

	/**
	 * Return the survey of the locks of all instances in Redis.
	 * @return the survey
	 */
	public LeaseSurvey survey() {
		return this.locks.survey();
	}

	@Override
	public void close() {
		this.engine.close();
		this.locks.close();
		this.factory.destroy();
	}

}
