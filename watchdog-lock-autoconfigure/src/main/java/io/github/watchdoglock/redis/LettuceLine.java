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

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * One connection and when it last answered. Thread-safe.
 */
final class LettuceLine {

	private final RedisConnection connection;

	private final RedisClusterAsyncCommands<byte[], byte[]> commands;

	private volatile long lastAnswer = System.nanoTime();

	@SuppressWarnings("unchecked")
	LettuceLine(RedisConnection connection) {
		this.connection = connection;
		this.commands = (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
	}

	RedisConnection connection() {
		return this.connection;
	}

	/* Those that there are with and without a cluster. */
	RedisClusterAsyncCommands<byte[], byte[]> commands() {
		return this.commands;
	}

	void answered() {
		this.lastAnswer = System.nanoTime();
	}

	boolean isSilentSince(long time) {
		return this.lastAnswer - time < 0;
	}

}
