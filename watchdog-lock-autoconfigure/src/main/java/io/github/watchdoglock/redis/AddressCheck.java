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

import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.watchdoglock.redis.connection.BackgroundLog;
import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.connection.ReconnectingConnection;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A check whether the address still leads to the server of the open connection. After a
 * move of the address, that connection may stay, and then instances lock on two servers.
 * A mark is written over the open connection and read over a new one; if it is missing
 * twice in a row, all connections are opened again. Only for a single address: sentinels
 * and clusters name the primary themselves.
 * <p>
 * Not promised: detection of two servers before the second look, nor of a server that
 * only some new connections reach.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class AddressCheck {

	/* A random part is added, so that instances do not look at the same time. */
	static final Duration INTERVAL = Duration.ofMinutes(1);

	private static final Duration TTL = Duration.ofMinutes(1);

	/* One miss may be due to a move of the address that is not complete. */
	private static final int MAX_MISSES = 2;

	/*
	 * An address that leads elsewhere this soon again has not moved: it has two servers.
	 */
	private static final Duration SOON = Duration.ofMinutes(10);

	private static final byte[] NONE = {};

	private static final Log logger = LogFactory.getLog(AddressCheck.class);

	private final LettuceClient client;

	private final LettuceSubscriptions subscriptions;

	private final byte[] key;

	/* Not the key of the marks, because the check of the role may let its key expire. */
	private final byte[] roleKey;

	private final long intervalMillis;

	private final ScheduledExecutorService thread;

	/* A look blocks, so each has a thread of its own, which ends with it. */
	private final ThreadFactory threads = new DefaultThreadFactory("watchdog-lock-redis-address", true);

	/* Accessed by the thread only, as all that follow. True also if it is off. */
	private boolean begun;

	/** The looks in a row that did not find the mark. */
	private int misses;

	private @Nullable Long warnedAt;

	private boolean ended;

	/**
	 * Create a check that has not begun.
	 * @param client opens connections
	 * @param settings the settings of the store
	 * @param subscriptions connect to the server on which the scripts run
	 * @param roleKey a key that no lock has
	 * @param interval the time between two looks; up to a quarter of it is added
	 * @param thread runs everything that does not block
	 */
	AddressCheck(LettuceClient client, RedisLockSettings settings, LettuceSubscriptions subscriptions, String roleKey,
			Duration interval, ScheduledExecutorService thread) {
		this.client = client;
		this.subscriptions = subscriptions;
		this.begun = !settings.addressCheck() || !client.derivation().hasSingleAddress();
		this.key = bytes(settings.keyPrefix() + ":{check}:" + UUID.randomUUID());
		this.roleKey = bytes(roleKey);
		this.intervalMillis = interval.toMillis();
		this.thread = thread;
	}

	/* Begin to look, unless that has begun already. Runs on the thread. */
	void begin(ReconnectingConnection<ScriptConnection> locks) {
		if (!this.begun) {
			this.begun = true;
			long delay = this.intervalMillis + ThreadLocalRandom.current().nextLong(this.intervalMillis / 4 + 1);
			this.thread.scheduleWithFixedDelay(() -> start(locks), delay, delay, TimeUnit.MILLISECONDS);
		}
	}

	private void start(ReconnectingConnection<ScriptConnection> locks) {
		try {
			if (!this.ended) {
				locks.useIfAny((open) -> this.threads.newThread(() -> look(locks, open)).start());
			}
		}
		catch (OutOfMemoryError ex) {
			// No thread could be created: the next look may have one.
			logger.debug("The address was not checked", ex);
		}
	}

	/*
	 * Without a mark, the open connection is asked again: its server may have restarted
	 * without its data.
	 */
	private void look(ReconnectingConnection<ScriptConnection> locks, ScriptConnection open) {
		try {
			byte[] mark = bytes(UUID.randomUUID().toString());
			mark(open.commands(), mark);
			boolean found = Arrays.equals(mark, readElsewhere());
			if (found || Arrays.equals(mark, mark(open.commands(), NONE))) {
				this.thread.execute(() -> locks.useIfAny((current) -> {
					if (current == open) {
						conclude(locks, open, found);
					}
				}));
			}
		}
		catch (Exception | Error ex) {
			logger.debug("The address was not checked", ex);
		}
	}

	private byte[] readElsewhere() throws ExecutionException, InterruptedException, TimeoutException, IOException {
		StatefulRedisConnection<byte[], byte[]> other = this.client.connectSeparately();
		try {
			PrimaryCheck.ensurePrimary(other.async(), this.roleKey);
			return mark(other.async(), NONE);
		}
		finally {
			other.closeAsync();
		}
	}

	/* Lettuce sets no timeout for scripts. */
	private byte[] mark(RedisScriptingAsyncCommands<byte[], byte[]> server, byte[] mark)
			throws ExecutionException, InterruptedException, TimeoutException {
		RedisFuture<byte[]> answer = server.eval(LockScript.MARK.text(), ScriptOutputType.VALUE,
				new byte[][] { this.key }, mark, bytes(Long.toString(TTL.toMillis())));
		return answer.get(ConnectionBackOff.CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void conclude(ReconnectingConnection<ScriptConnection> locks, ScriptConnection open, boolean found) {
		this.misses = found ? 0 : this.misses + 1;
		if (this.misses < MAX_MISSES) {
			return;
		}
		this.misses = 0;
		long now = System.nanoTime();
		this.ended = this.warnedAt != null && now - this.warnedAt < SOON.toNanos();
		this.warnedAt = now;
		String what = "New connections to " + this.client.address() + " reach another server than the open ones";
		if (this.ended) {
			BackgroundLog.log(() -> logger.error(what + " again, so a lock may have two holders. Let the address lead"
					+ " to one server only, stop the other one, and restart all instances: this one does not look"
					+ " again"));
			return;
		}
		BackgroundLog.log(() -> logger.warn(what + ", so a lock may have two holders. All connections are opened"
				+ " again now, and locks that the other server does not have are lost"));
		SocketException reason = new SocketException("the address leads to another server");
		locks.reopenNow((connection) -> connection != open, reason);
		this.subscriptions.reopen(reason);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
