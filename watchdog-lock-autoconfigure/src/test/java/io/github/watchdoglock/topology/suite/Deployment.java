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
 * Servers that run, and the way of an application to them.
 *
 * @param servers those that keep data; the first one is a primary
 * @param outside a way to all data, beside the application's
 * @param others what else was opened for it
 * @param properties of an application that is to be led there, as name=value
 */
record Deployment(List<RedisServer> servers, LettuceConnectionFactory outside, List<? extends AutoCloseable> others,
		List<String> properties) implements AutoCloseable {

	/* Whether somebody listens to a channel, at any of the servers. */
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
