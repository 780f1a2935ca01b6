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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.watchdoglock.redis.connection.ReconnectingConnection;
import io.github.watchdoglock.redis.connection.StoreFailures;
import io.lettuce.core.AbstractRedisAsyncCommands;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * A connection for the commands of locks, which leads to a primary and has the scripts
 * loaded. In a cluster, Lettuce itself finds the primaries, and reconnects to each of
 * them. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class ScriptConnection implements AutoCloseable {

	private static final byte[] RELEASED = "lease nobody".getBytes(StandardCharsets.UTF_8);

	private static final long A_WHILE = TimeUnit.MINUTES.toNanos(1);

	/* For the lifetime of a connection. */
	private static final long FOREVER = Long.MAX_VALUE / 2;

	private final LettuceClient.CommandConnection connection;

	private final LettuceClient client;

	private final Consumer<Throwable> broken;

	private volatile long lastAnswer = System.nanoTime();

	/**
	 * Until when no other command is tried in place of a script, because the server has
	 * rejected it.
	 */
	private volatile long scriptsUntil = System.nanoTime();

	private ScriptConnection(LettuceClient client, LettuceClient.CommandConnection connection,
			BiConsumer<ScriptConnection, Throwable> broken) {
		this.connection = connection;
		this.client = client;
		this.broken = (reason) -> broken.accept(this, reason);
	}

	/**
	 * Open a connection. Blocks.
	 * @param client opens it
	 * @param key a key that no lock has
	 * @param broken receives the reason when the connection cannot be used any more,
	 * possibly at once
	 * @return the connection
	 */
	static ScriptConnection open(LettuceClient client, String key, BiConsumer<ScriptConnection, Throwable> broken)
			throws ExecutionException, InterruptedException, TimeoutException {
		LettuceClient.CommandConnection connection = client.connect();
		try {
			ScriptConnection opened = new ScriptConnection(client, connection, broken);
			opened.begin(key.getBytes(StandardCharsets.UTF_8));
			return opened;
		}
		catch (Throwable ex) {
			connection.closing().run();
			throw ex;
		}
	}

	private void begin(byte[] key) throws ExecutionException, InterruptedException, TimeoutException {
		if (commands() instanceof RedisAsyncCommands<byte[], byte[]> single) {
			ReconnectingConnection.whenLost(stateful(single), this.broken);
			PrimaryCheck.ensurePrimary(single, key);
		}
		for (LockScript script : LockScript.VERBS) {
			commands().scriptLoad(script.text());
		}
	}

	/* Lettuce offers no other way to get the connection of its commands. */
	static StatefulConnection<?, ?> stateful(RedisClusterAsyncCommands<byte[], byte[]> commands) {
		return ((AbstractRedisAsyncCommands<?, ?>) commands).getConnection();
	}

	/* The commands that exist both with and without a cluster. */
	RedisClusterAsyncCommands<byte[], byte[]> commands() {
		return this.connection.commands();
	}

	/* Null if no sentinel has named the address. */
	@Nullable RedisNode address() {
		return this.connection.address();
	}

	/* Send a call after everything that was sent before. */
	void send(ScriptCall<?> call) {
		ScriptCall.SetIfEqual first = (System.nanoTime() - this.scriptsUntil >= 0) ? call.first() : null;
		this.connection.channels().inOrder(() -> {
			if (first != null) {
				sendSetIfEqual(call, first);
			}
			else {
				sendScript(call, false);
			}
		});
	}

	/*
	 * If the record has changed, the script finds out how. A server that rejects the
	 * command has not executed it. One that is out of memory executes the script.
	 */
	private void sendSetIfEqual(ScriptCall<?> call, ScriptCall.SetIfEqual command) {
		send(call, CommandType.SET, new ValueOutput<>(ByteArrayCodec.INSTANCE), command.arguments(),
				(answer, failure) -> {
					if (failure == null && command.isEqual(answer)) {
						call.reply(RELEASED);
					}
					else if (failure == null) {
						sendScript(call, false);
					}
					else if (failure instanceof RedisCommandExecutionException) {
						boolean unknown = String.valueOf(failure.getMessage()).contains("syntax error");
						this.scriptsUntil = System.nanoTime() + (unknown ? FOREVER : A_WHILE);
						sendScript(call, false);
					}
					else {
						call.fail(failure);
					}
				});
	}

	/*
	 * Send the digest of the script, or its source if Redis has answered that it does not
	 * know the script.
	 */
	private void sendScript(ScriptCall<?> call, boolean source) {
		CommandOutput<byte[], byte[], ?> output = call.script().answersList()
				? new NestedMultiOutput<>(ByteArrayCodec.INSTANCE) : new ValueOutput<>(ByteArrayCodec.INSTANCE);
		send(call, source ? CommandType.EVAL : CommandType.EVALSHA, output,
				source ? call.arguments().withSource(call.script()) : call.arguments(), (answer, failure) -> {
					if (failure == null) {
						call.reply(answer);
					}
					else if (!source && failure instanceof RedisNoScriptException) {
						sendScript(call, true);
					}
					else {
						call.fail(failure);
					}
				});
	}

	private void send(ScriptCall<?> call, CommandType type, CommandOutput<byte[], byte[], ?> output,
			EncodedArguments arguments, BiConsumer<@Nullable Object, @Nullable Throwable> then) {
		if (!call.send()) {
			call.notSent(new IllegalStateException("given up"));
			return;
		}
		long sentAt = System.nanoTime();
		RedisFuture<?> reply = commands().dispatch(type, output, arguments);
		call.sentBy((waited) -> unanswered(sentAt, waited), reply);
		reply.whenComplete((answer, failure) -> {
			Throwable cause = (failure != null) ? StoreFailures.unwrap(failure) : null;
			completed(cause);
			then.accept(answer, cause);
		});
	}

	/* Evaluate the result of a command. */
	private void completed(@Nullable Throwable failure) {
		if (failure == null || failure instanceof RedisCommandExecutionException) {
			this.lastAnswer = System.nanoTime();
		}
		if (failure == null || this.client.derivation().isClustered()) {
			return;
		}
		String error = String.valueOf(failure.getMessage());
		if (failure instanceof RedisCommandExecutionException) {
			if (StoreFailures.isOfReplica(error)) {
				// It would reject all commands for as long as it is a replica.
				this.broken.accept(PrimaryCheck.NotPrimaryException.ofReplica(error));
			}
		}
		else if (StoreFailures.isRejection(failure)) {
			// Lettuce may be reconnecting to the former address of the primary.
			this.broken.accept(failure);
		}
	}

	/*
	 * A call that was sent at that time had no reply in time, so the connection may be
	 * broken. In a cluster, the connections to other nodes may work.
	 */
	private void unanswered(long sentAt, Duration waited) {
		if (this.client.derivation().isClustered()) {
			this.connection.channels().close(sentAt);
		}
		else if (this.lastAnswer - sentAt < 0) {
			this.broken.accept(StoreFailures.noResponse(waited));
		}
	}

	@Override
	public void close() {
		this.connection.closing().run();
	}

}
