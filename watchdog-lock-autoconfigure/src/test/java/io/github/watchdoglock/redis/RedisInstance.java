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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.LingerRules;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.LeaseSurvey;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.WakeUps;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * An instance of a service as far as locks are concerned.
 */
public final class RedisInstance implements AutoCloseable {

	private final RedisConnectionFactory factory;

	private final RedisLocks locks;

	private final LockEngine engine;

	/* By whom its messages are asked for. */
	private @Nullable String subscriber;

	/**
	 * Create an instance.
	 * @param port where its Redis listens
	 */
	public RedisInstance(int port) {
		this(port, new EngineObserver() {
		});
	}

	/**
	 * Create an instance.
	 * @param port where its Redis listens
	 * @param listener hears what happens to its locks
	 */
	public RedisInstance(int port, EngineObserver listener) {
		this(RedisServerExtension.factory(port), listener);
	}

	/**
	 * Create an instance.
	 * @param factory its own, which it destroys
	 * @param listener hears what happens to its locks
	 */
	public RedisInstance(RedisConnectionFactory factory, EngineObserver listener) {
		this(factory, new RedisLocks(factory, RedisLockSettings.defaults()), listener, true);
	}

	private RedisInstance(RedisConnectionFactory factory, RedisLocks locks, EngineObserver listener, boolean hears) {
		this(factory, locks, listener, hears, EngineSettings.of("test"));
	}

	private RedisInstance(RedisConnectionFactory factory, RedisLocks locks, EngineObserver listener, boolean hears,
			EngineSettings settings) {
		this.factory = factory;
		this.locks = locks;
		this.engine = new LockEngine(settings, locks.store(), locks.inspector(),
				hears ? new Subscribing(locks.wakeUps()) : new NoWakeUps(), listener);
		locks.connect();
	}

	/**
	 * An instance that no message reaches.
	 * @param port where its Redis listens
	 * @return an instance
	 */
	public static RedisInstance deaf(int port) {
		RedisConnectionFactory factory = RedisServerExtension.factory(port);
		return new RedisInstance(factory, new RedisLocks(factory, RedisLockSettings.defaults()), new EngineObserver() {
		}, false);
	}

	/**
	 * An instance that keeps grants for a minute though nobody holds them.
	 * @param port where its Redis listens
	 * @param hears whether messages reach it
	 * @return an instance
	 */
	public static RedisInstance lingering(int port, boolean hears) {
		RedisConnectionFactory factory = RedisServerExtension.factory(port);
		return new RedisInstance(factory, new RedisLocks(factory, RedisLockSettings.defaults()), new EngineObserver() {
		}, hears, EngineSettings.of("test").withLinger(new LingerRules(Duration.ofMinutes(1), Map.of())));
	}

	/**
	 * Wait until Redis has answered; a JVM that has just begun may need longer to connect
	 * than a command may take.
	 * @return this
	 */
	public RedisInstance connected() {
		await().atMost(Duration.ofSeconds(30))
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.until(() -> this.engine.find(LockKey.of("none")).isEmpty());
		return this;
	}

	/**
	 * Wait until messages arrive too.
	 * @return this
	 */
	public RedisInstance listening() {
		await().atMost(Duration.ofSeconds(30)).until(this::isSubscribed);
		return connected();
	}

	private boolean isSubscribed() throws Exception {
		String subscriber = this.subscriber;
		if (subscriber == null) {
			return false;
		}
		try (RedisConnection connection = this.factory.getConnection()) {
			RedisClusterAsyncCommands<?, ?> commands = (RedisClusterAsyncCommands<?, ?>) connection
				.getNativeConnection();
			return commands.pubsubChannels()
				.get(5, TimeUnit.SECONDS)
				.stream()
				.anyMatch((name) -> new String((byte[]) name, StandardCharsets.US_ASCII).contains(subscriber));
		}
	}

	/**
	 * Its locks.
	 * @return the engine
	 */
	public LockEngine engine() {
		return this.engine;
	}

	/**
	 * What Redis knows of the locks of all instances.
	 * @return the survey
	 */
	public LeaseSurvey survey() {
		return this.locks.survey();
	}

	@Override
	public void close() {
		this.engine.close();
		this.locks.close();
		try {
			((DisposableBean) this.factory).destroy();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Tells who subscribes.
	 */
	private final class Subscribing implements WakeUps {

		private final WakeUps wakeUps;

		private Subscribing(WakeUps wakeUps) {
			this.wakeUps = wakeUps;
		}

		@Override
		public void subscribe(String instance, Hints hints) {
			RedisInstance.this.subscriber = instance;
			this.wakeUps.subscribe(instance, hints);
		}

		@Override
		public void unsubscribe(String instance) {
			this.wakeUps.unsubscribe(instance);
		}

		@Override
		public void inUse(LockKey key, AttemptId attempt) {
			this.wakeUps.inUse(key, attempt);
		}

		@Override
		public boolean tellsOfMoves() {
			return this.wakeUps.tellsOfMoves();
		}

	}

}
