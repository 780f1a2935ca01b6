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

import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * Scripts by Lettuce's asynchronous commands, on one connection that all calls share.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceScripts implements ScriptExecutor {

	/* Until a new primary has replicas, one of them the former primary. */
	private static final Duration REPLICAS_BACK = Duration.ofSeconds(15);

	private final LettuceClient client;

	private final Connector<ScriptConnection> connector;

	private final ServerCheck check;

	private final Subscriptions subscriptions;

	private final ScheduledExecutorService thread;

	private volatile Runnable whenMoved = () -> {
	};

	private volatile Runnable whenReachable = () -> {
	};

	/*
	 * Where the sentinels' primary was when it was last connected to; the thread's own.
	 */
	private @Nullable RedisNode address;

	/**
	 * Create what runs scripts.
	 * @param client opens connections
	 * @param check looks at servers
	 * @param subscriptions go where the scripts go
	 * @param thread opens and closes connections
	 */
	LettuceScripts(LettuceClient client, ServerCheck check, Subscriptions subscriptions,
			ScheduledExecutorService thread) {
		this.client = client;
		this.check = check;
		this.subscriptions = subscriptions;
		this.thread = thread;
		client.whenMoved(this::move);
		this.connector = new Connector<>(client.backOff(), this::open, () -> this.whenReachable.run(), thread);
	}

	@Override
	public void whenMoved(Runnable action) {
		this.whenMoved = action;
	}

	@Override
	public void whenReachable(Runnable action) {
		this.whenReachable = action;
	}

	/* The first one begins the subscriptions, which come behind it. */
	private ScriptConnection open() throws Exception {
		this.subscriptions.begin();
		try {
			ScriptConnection opened = ScriptConnection.open(this.client, this.check.key(), this::broken);
			try {
				this.check.begin((call) -> send(call, opened, false));
				arrive(opened.address());
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
	 * What is held is asked for behind this, when the connection is in use. Each choice
	 * of the sentinels has an address of its own: back at the same server is a move too.
	 */
	@SuppressWarnings("ReferenceEquality")
	private void arrive(@Nullable RedisNode address) {
		if (this.address != null && this.address != address) {
			this.thread.execute(this.whenMoved);
			this.thread.schedule(
					() -> this.connector.useIfAny(
							(connection) -> this.check.beginWithReplicas((call) -> send(call, connection, false))),
					REPLICAS_BACK.toMillis(), TimeUnit.MILLISECONDS);
		}
		this.address = address;
	}

	private void move() {
		this.connector.hurry((connection) -> this.client.leadsToPrimary(connection.address()),
				new SocketException("the sentinels name another primary"));
		this.subscriptions.moved();
	}

	private void broken(ScriptConnection connection, Throwable reason) {
		this.connector.reopen(connection, reason);
		if (reason instanceof PrimaryCheck.NotPrimaryException) {
			this.subscriptions.reopen(reason);
		}
	}

	@Override
	public void begin() {
		this.connector.begin();
	}

	@Override
	public void run(ScriptCall call) {
		if (this.connector.isFirst()) {
			call.mayConnect();
		}
		this.client.inOrder(() -> this.connector.use((connection) -> send(call, connection, false), call::notSent));
	}

	@Override
	public void publish(byte[] channel, byte[] message) {
		this.connector.useIfAny((connection) -> connection.commands().publish(channel, message));
	}

	@Override
	public boolean isClustered() {
		return this.client.isClustered();
	}

	/* From wherever it is led to Lettuce finds the primaries, but not for messages. */
	@Override
	public boolean countsListeners() {
		return !this.client.findsPrimaries();
	}

	@Override
	public void close() {
		this.connector.close();
	}

	/* By its digest; by its text where Redis has said that it does not know it. */
	private static void send(ScriptCall call, ScriptConnection connection, boolean text) {
		if (!call.send()) {
			call.notSent(new IllegalStateException("given up"));
			return;
		}
		long sentAt = System.nanoTime();
		ScriptOutputType type = call.script().answersList() ? ScriptOutputType.MULTI : ScriptOutputType.VALUE;
		RedisFuture<Object> reply = text
				? connection.commands().eval(call.script().text(), type, call.keys(), call.arguments())
				: connection.commands().evalsha(call.script().sha1(), type, call.keys(), call.arguments());
		call.carriedBy(new OnConnection(connection, reply, sentAt));
		reply.whenComplete((answer, failure) -> {
			Throwable cause = (failure != null) ? StoreFailures.unwrap(failure) : null;
			connection.liveness().completed(cause);
			if (cause == null) {
				call.complete(answer);
			}
			else if (!text && cause instanceof RedisNoScriptException) {
				call.unsend();
				send(call, connection, true);
			}
			else {
				call.answer().completeExceptionally(cause);
			}
		});
	}

	/**
	 * A call that was sent on a connection at some moment.
	 *
	 * @param connection the connection
	 * @param reply its answer
	 * @param sentAt when, by {@link System#nanoTime()}
	 */
	private record OnConnection(ScriptConnection connection, RedisFuture<?> reply,
			long sentAt) implements ScriptCall.Carrier {

		@Override
		public void unanswered(Duration timeout) {
			this.connection.liveness().unanswered(this.sentAt, timeout);
		}

		@Override
		public void cancel() {
			this.reply.cancel(true);
		}

	}

}
