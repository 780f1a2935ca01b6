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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.store.WakeUps.Hints;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Hints over a listener container of our own and the application's connection factory,
 * for drivers without asynchronous commands.
 */
final class ContainerSubscriptions implements Subscriptions {

	private static final Log logger = LogFactory.getLog(ContainerSubscriptions.class);

	private static final long SHORTEST_BACKOFF_MILLIS = 1_000;

	private static final long LONGEST_BACKOFF_MILLIS = 60_000;

	private final String prefix;

	private final RedisMessageListenerContainer container = new RedisMessageListenerContainer();

	/* Adding a listener waits for Redis, which callers must not. */
	private final SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("watchdog-lock-redis-subscription-");

	private final Map<String, MessageListener> listeners = new ConcurrentHashMap<>();

	private final ExponentialBackOff backOff = new ExponentialBackOff(SHORTEST_BACKOFF_MILLIS, 2);

	private final AtomicBoolean begun = new AtomicBoolean();

	ContainerSubscriptions(RedisConnectionFactory factory, RedisLockSettings settings) {
		this.prefix = RedisWakeUps.channelPrefix(settings.keyPrefix());
		this.threads.setDaemon(true);
		this.backOff.setMaxInterval(LONGEST_BACKOFF_MILLIS);
		this.container.setConnectionFactory(factory);
		this.container.setTaskExecutor(new SyncTaskExecutor());
		this.container.setSubscriptionExecutor(this.threads);
		this.container.setRecoveryBackoff(this.backOff);
		this.container.afterPropertiesSet();
	}

	@Override
	public void begin() {
		if (!this.begun.get() && this.begun.compareAndSet(false, true)) {
			this.listeners.forEach(this::listen);
		}
	}

	/* The container connects anew when its connection ends; it is not told to. */
	@Override
	public void reopen(Throwable reason) {
	}

	@Override
	public void moved() {
	}

	@Override
	public void subscribe(String instance, Hints hints) {
		MessageListener listener = (message, pattern) -> RedisWakeUps
			.deliver(new String(message.getBody(), StandardCharsets.UTF_8), hints);
		this.listeners.put(instance, listener);
		if (this.begun.get()) {
			listen(instance, listener);
		}
	}

	/* Twice does no harm. */
	private void listen(String instance, MessageListener listener) {
		this.threads.execute(() -> {
			BackOffExecution pauses = this.backOff.start();
			while (this.listeners.get(instance) == listener && !isListening(instance, listener)) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff()));
			}
		});
	}

	/*
	 * Where Redis is down at first, the container of Spring Data Redis 3.5 does not try
	 * again by itself.
	 */
	private boolean isListening(String instance, MessageListener listener) {
		try {
			this.container.addMessageListener(listener, new ChannelTopic(this.prefix + instance));
			this.container.start();
			if (this.listeners.get(instance) != listener) {
				// Guard against the end having come meanwhile.
				this.container.stop();
			}
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("The subscription of wake-ups is tried again", ex);
			return false;
		}
	}

	@Override
	public void unsubscribe(String instance) {
		MessageListener listener = this.listeners.remove(instance);
		if (listener != null && this.begun.get()) {
			this.threads.execute(() -> this.container.removeMessageListener(listener));
		}
	}

	@Override
	public void close() {
		this.listeners.clear();
		try {
			this.container.destroy();
		}
		catch (Exception ex) {
			throw new IllegalStateException("The listener container of the locks was not closed", ex);
		}
	}

}
