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
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.redis.connection.ConnectionBackOff;
import io.github.watchdoglock.redis.connection.ReconnectingConnection;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * The sender of scripts, with Lettuce's asynchronous commands, on one connection that all
 * calls share.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceScripts implements AutoCloseable {

	/* The time until a new primary has replicas, one of them the former primary. */
	private static final Duration REPLICAS_BACK = Duration.ofSeconds(15);

	private final LettuceClient client;

	private final ReconnectingConnection<ScriptConnection> reconnecting;

	private final ServerCheck check;

	private final AddressCheck addressCheck;

	private final LettuceSubscriptions subscriptions;

	private final ScheduledExecutorService thread;

	/*
	 * The address of the sentinels' primary at the last connection; accessed by the
	 * thread only.
	 */
	private @Nullable RedisNode address;

	/**
	 * Create the sender.
	 * @param client opens connections
	 * @param check checks servers
	 * @param addressCheck checks the address
	 * @param subscriptions connect to the server on which the scripts run
	 * @param backOff delays attempts to connect
	 * @param thread opens and closes connections
	 */
	LettuceScripts(LettuceClient client, ServerCheck check, AddressCheck addressCheck,
			LettuceSubscriptions subscriptions, ConnectionBackOff backOff, ScheduledExecutorService thread) {
		this.client = client;
		this.check = check;
		this.addressCheck = addressCheck;
		this.subscriptions = subscriptions;
		this.thread = thread;
		client.whenMoved(this::move);
		client.whenNodeReconnects(subscriptions::notifyOfLoss, () -> thread.execute(subscriptions::notifyOfConnection));
		this.reconnecting = new ReconnectingConnection<>(backOff, this::open, subscriptions::notifyOfConnection,
				subscriptions::notifyOfLoss, thread);
	}

	/* The first call begins the subscriptions, which connect after this connection. */
	private ScriptConnection open() throws Exception {
		this.subscriptions.begin();
		try {
			ScriptConnection opened = ScriptConnection.open(this.client, this.check.key(), this::broken);
			try {
				this.check.begin(opened::send);
				arrive(opened.address());
				this.addressCheck.begin(this.reconnecting);
			}
			catch (Throwable ex) {
				opened.close();
				throw ex;
			}
			return opened;
		}
		catch (PrimaryCheck.NotPrimaryException ex) {
			this.subscriptions.reopen(ex);
			throw ex;
		}
	}

	/*
	 * Check a new primary again when it has replicas. Addresses are compared by identity,
	 * because each choice of the sentinels has an object of its own: returning to the
	 * same server is a move too.
	 */
	@SuppressWarnings("ReferenceEquality")
	private void arrive(@Nullable RedisNode address) {
		if (this.address != null && this.address != address) {
			this.thread.schedule(
					() -> this.reconnecting.useIfAny((connection) -> this.check.beginWithReplicas(connection::send)),
					REPLICAS_BACK.toMillis(), TimeUnit.MILLISECONDS);
		}
		this.address = address;
	}

	private void move() {
		this.reconnecting.reopenNow((connection) -> this.client.leadsToPrimary(connection.address()),
				new SocketException("the sentinels name another primary"));
		this.subscriptions.moved();
	}

	private void broken(ScriptConnection connection, Throwable reason) {
		this.reconnecting.reopen(connection, reason);
		if (reason instanceof PrimaryCheck.NotPrimaryException) {
			this.subscriptions.reopen(reason);
		}
	}

	/* Connect, unless that has begun already; the first call begins it too. */
	void begin() {
		this.reconnecting.begin();
	}

	/* Called by the thread that opens connections. */
	void suspend(Throwable reason) {
		this.reconnecting.suspend(reason);
	}

	/*
	 * Send a call. Does not block, and completes the answer of the call with the reply of
	 * Redis or the error of the driver. Calls for one key arrive in the order in which
	 * they were passed to this method.
	 */
	void send(ScriptCall<?> call) {
		if (this.reconnecting.isFirst()) {
			call.mayConnect();
		}
		this.reconnecting.use((connection) -> connection.send(call), call::notSent);
	}

	/* May throw. Whether the message arrives is not reported. */
	void publish(byte[] channel, byte[] message) {
		this.reconnecting.useIfAny((connection) -> connection.commands().publish(channel, message));
	}

	@Override
	public void close() {
		this.reconnecting.close();
	}

}
