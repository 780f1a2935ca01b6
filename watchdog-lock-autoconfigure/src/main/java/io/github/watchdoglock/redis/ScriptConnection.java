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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;

import io.lettuce.core.AbstractRedisAsyncCommands;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisNode;

/**
 * One connection for the commands of locks: it leads to a primary, and has the scripts
 * loaded. In a cluster Lettuce itself finds the primaries, and connects to each again.
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class ScriptConnection implements AutoCloseable {

	private final LettuceClient.CommandConnection connection;

	private final RedisClusterAsyncCommands<byte[], byte[]> commands;

	private final LettuceLiveness liveness;

	private ScriptConnection(LettuceClient client, LettuceClient.CommandConnection connection,
			BiConsumer<ScriptConnection, Throwable> broken) {
		this.connection = connection;
		this.commands = connection.commands();
		this.liveness = new LettuceLiveness(client, (reason) -> broken.accept(this, reason));
	}

	/**
	 * Open a connection. Blocks.
	 * @param client opens it
	 * @param key one that no lock has
	 * @param broken hears why the connection is of no use any more, which may be at once
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

	/* Lettuce has no other way from the commands to their connection. */
	@SuppressWarnings("deprecation")
	private void begin(byte[] key) throws ExecutionException, InterruptedException, TimeoutException {
		if (this.commands instanceof RedisAsyncCommands<byte[], byte[]> single) {
			this.liveness.watch(stateful(single));
			PrimaryCheck.ensurePrimary(single, single, key);
		}
		for (LockScript script : LockScript.VERBS) {
			this.commands.scriptLoad(script.text());
		}
	}

	/* The interface has its getter deprecated, without another one. */
	private static StatefulConnection<?, ?> stateful(RedisAsyncCommands<byte[], byte[]> commands) {
		return ((AbstractRedisAsyncCommands<?, ?>) commands).getConnection();
	}

	/* Those that there are with and without a cluster. */
	RedisClusterAsyncCommands<byte[], byte[]> commands() {
		return this.commands;
	}

	/* Null where no sentinel has named it. */
	@Nullable RedisNode address() {
		return this.connection.address();
	}

	LettuceLiveness liveness() {
		return this.liveness;
	}

	@Override
	public void close() {
		this.connection.closing().run();
	}

}
