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

import java.time.Duration;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * What a running server can be made to do wrong.
 */
public final class RedisFaults {

	private final RedisAdmin admin;

	private final LettuceConnectionFactory factory;

	private final int port;

	/**
	 * Have a server at hand.
	 * @param server the server
	 */
	public RedisFaults(RedisServerExtension server) {
		this.factory = server.factory();
		this.admin = new RedisAdmin(this.factory);
		this.port = server.port();
	}

	/**
	 * Let all clients wait.
	 * @param time for how long
	 */
	public void pause(Duration time) {
		this.admin.command("CLIENT", "PAUSE", Long.toString(time.toMillis()));
	}

	/**
	 * Let all clients wait that want to write.
	 * @return lets them go on
	 */
	public Runnable holdWrites() {
		this.admin.command("CLIENT", "PAUSE", "60000", "WRITE");
		return () -> this.admin.command("CLIENT", "UNPAUSE");
	}

	/**
	 * Cut the connections of all instances.
	 */
	public void killConnections() {
		StringRedisTemplate template = new StringRedisTemplate(this.factory);
		template.getClientList()
			.stream()
			.filter((client) -> client.getName() != null && !client.getName().isEmpty())
			.map((client) -> String.valueOf(client.getAddressPort()).split(":"))
			.forEach((address) -> template.killClient(address[0], Integer.parseInt(address[1])));
	}

	/**
	 * Forget all scripts.
	 */
	public void flushScripts() {
		this.admin.command("SCRIPT", "FLUSH");
	}

	/**
	 * Refuse what needs memory, and evict nothing.
	 */
	public void exhaustMemory() {
		this.admin.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
		this.admin.command("CONFIG", "SET", "maxmemory", "1");
	}

	/**
	 * Have memory again.
	 */
	public void freeMemory() {
		this.admin.command("CONFIG", "SET", "maxmemory", "0");
	}

	/**
	 * Refuse writes, as a replica of a primary that is not there.
	 */
	public void becomeReplica() {
		this.admin.command("REPLICAOF", "127.0.0.1", "1");
	}

	/**
	 * Take writes again, with what it has.
	 */
	public void becomePrimary() {
		this.admin.command("REPLICAOF", "NO", "ONE");
	}

	/**
	 * Run a script that does not end.
	 * @return ends it
	 */
	public Runnable beBusy() {
		this.admin.command("CONFIG", "SET", "lua-time-limit", "1");
		aside("EVAL", "while true do end", "0");
		return () -> this.admin.command("SCRIPT", "KILL");
	}

	/**
	 * Read everything from disk again, slowly.
	 * @param time for how long, about
	 */
	public void load(Duration time) {
		int keys = 12;
		this.admin.command("EVAL",
				"for i = 1, ARGV[1] do redis.call('SET', 'filler-' .. i, string.rep('x', 1048576), 'EX', 60) end", "0",
				"" + keys);
		this.admin.command("CONFIG", "SET", "rdbcompression", "no");
		this.admin.command("CONFIG", "SET", "key-load-delay", "" + time.toNanos() / 1_000 / keys);
		aside("DEBUG", "RELOAD");
	}

	/**
	 * Whether it has read everything.
	 * @return false while it refuses commands for that
	 */
	public boolean isLoaded() {
		return this.admin.info("persistence").contains("loading=0");
	}

	/* On a connection of its own, since the server reads nothing more from it. */
	private void aside(String name, String... arguments) {
		Thread thread = new Thread(() -> {
			LettuceConnectionFactory factory = RedisServerExtension.factory(this.port);
			try {
				new RedisAdmin(factory).command(name, arguments);
			}
			catch (RuntimeException ex) {
				// Ended from outside.
			}
			finally {
				factory.destroy();
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

}
