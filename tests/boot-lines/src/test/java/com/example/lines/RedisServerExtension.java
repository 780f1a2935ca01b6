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

package com.example.lines;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

/**
 * One Redis for all tests of a JVM. It ends with the JVM.
 */
class RedisServerExtension implements BeforeAllCallback {

	private static final String PORT = "spring.data.redis.port";

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		if (System.getProperty(PORT) == null) {
			int port = freePort();
			start(port);
			System.setProperty(PORT, String.valueOf(port));
		}
	}

	static RedisServer start(int port) throws IOException {
		RedisServerBuilder builder = RedisServer.newRedisServer()
			.port(port)
			.bind("127.0.0.1")
			.setting("save \"\"")
			.setting("appendonly no");
		String executable = System.getenv("EMBEDDED_REDIS_EXECUTABLE");
		if (executable != null) {
			builder.executableProvider(() -> new File(executable));
		}
		RedisServer server = builder.build();
		server.start();
		return server;
	}

	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

}
