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

package io.github.watchdoglock.topology.suite;

import java.util.List;

import io.github.watchdoglock.redis.RedisServer;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Running servers, and the connection of an application to them.
 *
 * @param servers the servers with data; the first one is a primary
 * @param outside a connection to all data, separate from the application's
 * @param others further resources to close
 * @param properties connect an application to these servers, as name=value
 */
record Deployment(List<RedisServer> servers, LettuceConnectionFactory outside, List<? extends AutoCloseable> others,
		List<String> properties) implements AutoCloseable {

	/* Whether a client is subscribed to a channel, at any of the servers. */
	boolean isHeard(String channel) {
		return this.servers.stream()
			.anyMatch((server) -> server.admin().raw("PUBSUB NUMSUB " + channel).endsWith(":1\r\n"));
	}

	void onAll(String command, String... arguments) {
		this.servers.forEach((server) -> server.admin().command(command, arguments));
	}

	void killClients() {
		this.servers.forEach((server) -> server.admin().killClients());
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable other : this.others) {
			other.close();
		}
		this.servers.forEach(RedisServer::close);
	}

}
