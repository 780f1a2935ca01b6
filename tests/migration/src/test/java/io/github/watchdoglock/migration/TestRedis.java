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

package io.github.watchdoglock.migration;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;

import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/**
 * A Redis on a free port.
 */
final class TestRedis implements AutoCloseable {

	private final int port = freePort();

	private final RedisServer server;

	TestRedis() throws IOException {
		RedisServerBuilder builder = RedisServer.newRedisServer()
			.port(this.port)
			.bind("127.0.0.1")
			.setting("save \"\"")
			.setting("appendonly no");
		String executable = System.getenv("EMBEDDED_REDIS_EXECUTABLE");
		if (executable != null) {
			builder.executableProvider(() -> new File(executable));
		}
		this.server = builder.build();
		this.server.start();
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() throws IOException {
		this.server.stop();
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
