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

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Opens lines that lead to a primary, and loads the scripts. In a cluster Lettuce itself
 * finds the primaries, and connects to each again.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class LettuceLineOpening implements ConnectionOpening<LettuceLine> {

	private final LettuceSource source;

	private final byte[] key;

	private final BiConsumer<LettuceLine, Throwable> broken;

	/* The key is one that no lock has. */
	LettuceLineOpening(LettuceSource source, String key, BiConsumer<LettuceLine, Throwable> broken) {
		this.source = source;
		this.key = key.getBytes(StandardCharsets.UTF_8);
		this.broken = broken;
	}

	/* Lettuce has no other way from the commands to their connection. */
	@Override
	@SuppressWarnings("deprecation")
	public LettuceLine open() throws ExecutionException, InterruptedException, TimeoutException {
		RedisConnection connection = this.source.connect();
		try {
			LettuceLine line = new LettuceLine(connection);
			if (line.commands() instanceof RedisAsyncCommands<byte[], byte[]> commands) {
				LettuceBreaks.tell(stateful(commands), (reason) -> this.broken.accept(line, reason));
				PrimaryCheck.ensurePrimary(commands, commands, this.key);
			}
			for (LockScript script : LockScript.VERBS) {
				line.commands().scriptLoad(script.text());
			}
			return line;
		}
		catch (Throwable ex) {
			this.source.disconnect(connection);
			throw ex;
		}
	}

	/* The interface has its getter deprecated, without another one. */
	private static StatefulConnection<?, ?> stateful(RedisAsyncCommands<byte[], byte[]> commands) {
		return ((AbstractRedisAsyncCommands<?, ?>) commands).getConnection();
	}

	@Override
	public void close(LettuceLine line) {
		this.source.disconnect(line.connection());
	}

}
