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

import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.github.watchdoglock.redis.connection.BackgroundLog;
import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.connection.ReconnectingConnection;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.github.watchdoglock.store.WakeUps.Hints;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions to hints, with one channel for each instance, on one connection of
 * Lettuce, which subscribes again by itself after a reconnect. Hints are delivered on
 * Lettuce's I/O thread, without a separate thread for each message.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceSubscriptions implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(LettuceSubscriptions.class);

	private final LettuceClient client;

	private final RedisLockSettings settings;

	private final String prefix;

	private final ScheduledExecutorService thread;

	private final Map<String, Hints> subscribers = new ConcurrentHashMap<>();

	private final ReconnectingConnection<SubscriptionConnection> reconnecting;

	LettuceSubscriptions(LettuceClient client, RedisLockSettings settings, ConnectionBackOff ofScripts,
			ScheduledExecutorService thread) {
		this.settings = settings;
		this.prefix = RedisWakeUps.channelPrefix(settings.keyPrefix());
		this.client = client;
		this.thread = thread;
		this.reconnecting = new ReconnectingConnection<>(
				new ConnectionBackOff(client.address(), " for wake-ups", ofScripts), this::open, () -> {
				}, () -> {
				}, thread);
	}

	/* Connect, unless that has begun already or wake-ups are off. */
	void begin() {
		if (this.settings.wakeUps() && this.reconnecting.begin()) {
			long interval = this.settings.pollInterval().toMillis();
			this.thread.scheduleWithFixedDelay(this::ping, interval, interval, TimeUnit.MILLISECONDS);
		}
	}

	private SubscriptionConnection open() throws ExecutionException, InterruptedException, TimeoutException {
		SubscriptionConnection subscription = new SubscriptionConnection(this.client, new Listener(),
				this.reconnecting::reopen);
		try {
			subscription.begin();
			for (String instance : this.subscribers.keySet()) {
				subscription.subscribe(this.prefix + instance)
					.get(ConnectionBackOff.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
			}
			return subscription;
		}
		catch (Throwable ex) {
			subscription.close();
			throw ex;
		}
	}

	/* Connect again, because Redis has moved. */
	void reopen(Throwable reason) {
		this.reconnecting.reopen(reason);
	}

	/* Called by the thread that opens connections. */
	void suspend(Throwable reason) {
		this.reconnecting.suspend(reason);
	}

	/* Connect again at once, unless the connection leads to the current primary. */
	void moved() {
		this.reconnecting.reopenNow((subscription) -> this.client.leadsToPrimary(subscription.address()),
				new SocketException("the sentinels name another primary"));
	}

	/*
	 * Deliver the hints for an instance from now on. Whether there is a connection is not
	 * known before the next one was opened.
	 */
	void subscribe(String instance, Hints hints) {
		hints.disconnected();
		this.subscribers.put(instance, hints);
		change((subscription) -> subscription.subscribe(this.prefix + instance).whenComplete((nothing, failure) -> {
			if (failure != null) {
				this.reconnecting.reopen(subscription, StoreFailures.unwrap(failure));
			}
		}));
	}

	void unsubscribe(String instance) {
		this.subscribers.remove(instance);
		change((subscription) -> subscription.unsubscribe(this.prefix + instance));
	}

	/*
	 * Runs on the thread that opens connections, so that every opening either sees the
	 * change or precedes it. The first opening sees all changes that were made before it
	 * began.
	 */
	private void change(Consumer<SubscriptionConnection> change) {
		if (this.reconnecting.isBegun()) {
			this.thread.execute(() -> this.reconnecting.useIfAny(change));
		}
	}

	/* Notify all instances that a connection for commands was lost. Does not block. */
	void notifyOfLoss() {
		this.subscribers.values().forEach(Hints::disconnected);
	}

	/* Notify all instances that a connection for commands was opened. */
	void notifyOfConnection() {
		this.subscribers.values()
			.forEach((hints) -> notify(hints, Hints::connected,
					"Held locks were not checked after a connection to Redis had been opened; their next renewals check"
							+ " them"));
	}

	/* A failure of one of them must not keep the others from being notified. */
	private static void notify(Hints hints, Consumer<Hints> notification, String warning) {
		try {
			notification.accept(hints);
		}
		catch (RuntimeException | Error ex) {
			BackgroundLog.log(() -> logger.warn(warning, ex));
		}
	}

	private void ping() {
		try {
			this.reconnecting.useIfAny(SubscriptionConnection::ping);
		}
		catch (RuntimeException ex) {
			// An exception from here would end the pings permanently, and the next one
			// may reveal more.
			logger.debug("The subscription could not be pinged", ex);
		}
	}

	private @Nullable Hints subscriber(byte[] channel) {
		return this.subscribers.get(new String(channel, StandardCharsets.UTF_8).substring(this.prefix.length()));
	}

	@Override
	public void close() {
		this.reconnecting.close();
	}

	/**
	 * Delivers messages to the instances of their channels.
	 */
	private final class Listener extends RedisPubSubAdapter<byte[], byte[]> {

		@Override
		public void message(byte[] channel, byte[] message) {
			Hints hints = subscriber(channel);
			if (hints != null) {
				RedisWakeUps.deliver(new String(message, StandardCharsets.UTF_8), hints);
			}
		}

		/* Notify an instance that its messages arrive from now on. */
		@Override
		public void subscribed(byte[] channel, long count) {
			Hints hints = subscriber(channel);
			if (hints != null) {
				LettuceSubscriptions.this.thread.execute(() -> LettuceSubscriptions.notify(hints, Hints::subscribed,
						"Waiting callers were not notified that messages arrive, and ask at their next poll"));
			}
		}

	}

}
