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

package io.github.watchdoglock.benchmarks.lock;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;

/**
 * A lock of two scripts for one key, set-if-absent and compare-and-delete, on a
 * connection like the one that this project opens. It tries once: no queue, no token, no
 * renewal.
 */
final class BarePair implements Competitor {

	private static final String SET = "return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0";

	private static final String DELETE = """
			if redis.call('GET', KEYS[1]) == ARGV[1] then
				return redis.call('DEL', KEYS[1])
			end
			return 0""";

	private final String instance = UUID.randomUUID().toString();

	private final AtomicLong count = new AtomicLong();

	private final RedisAsyncCommands<byte[], byte[]> commands;

	private final String set;

	private final String delete;

	private final byte[] lease;

	BarePair(int port, Duration lease) {
		RedisClient client = RedisClient.create(ClientResources.builder()
			.eventLoopGroupProvider(new DefaultEventLoopGroupProvider(1))
			.computationThreadPoolSize(2)
			.commandLatencyRecorder(CommandLatencyRecorder.disabled())
			.build(), RedisURI.create("127.0.0.1", port));
		client.setOptions(ClientOptions.builder()
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
			.build());
		this.commands = client.connect(ByteArrayCodec.INSTANCE).async();
		this.set = this.commands.scriptLoad(bytes(SET)).toCompletableFuture().join();
		this.delete = this.commands.scriptLoad(bytes(DELETE)).toCompletableFuture().join();
		this.lease = bytes(String.valueOf(lease.toMillis()));
	}

	@Override
	public Held lock(String key) {
		byte[][] keys = { bytes(key) };
		byte[] owner = bytes(this.instance + ":" + this.count.incrementAndGet());
		require(run(this.set, keys, owner, this.lease), key, "taken, and the bare pair does not wait");
		return () -> require(run(this.delete, keys, owner), key, "not ours any more");
	}

	private long run(String script, byte[][] keys, byte[]... arguments) {
		Long answer = this.commands.<Long>evalsha(script, ScriptOutputType.INTEGER, keys, arguments)
			.toCompletableFuture()
			.join();
		return answer;
	}

	private static void require(long answer, String key, String problem) {
		if (answer != 1) {
			throw new IllegalStateException("'" + key + "' is " + problem);
		}
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
