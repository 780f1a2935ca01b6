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

package io.github.watchdoglock.benchmarks.run;

import java.util.HashMap;
import java.util.Map;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * Asks a Redis what it has done.
 */
final class RedisAdmin implements AutoCloseable {

	private final RedisClient client;

	private final RedisCommands<String, String> commands;

	RedisAdmin(int port) {
		this.client = RedisClient.create(RedisURI.create("127.0.0.1", port));
		this.commands = this.client.connect().sync();
	}

	String version() {
		return info("server").getOrDefault("redis_version", "unknown");
	}

	RedisUsage usage() {
		Map<String, String> cpu = info("cpu");
		double seconds = Double.parseDouble(cpu.getOrDefault("used_cpu_sys", "0"))
				+ Double.parseDouble(cpu.getOrDefault("used_cpu_user", "0"));
		Map<String, RedisUsage.Command> commands = new HashMap<>();
		info("commandstats")
			.forEach((name, stats) -> commands.put(name.substring("cmdstat_".length()), command(stats)));
		return new RedisUsage(seconds, commands);
	}

	/* As in "calls=3,usec=20,usec_per_call=6.67,...". */
	private static RedisUsage.Command command(String stats) {
		String[] parts = stats.split("[=,]", -1);
		return new RedisUsage.Command(Long.parseLong(parts[1]), Long.parseLong(parts[3]));
	}

	private Map<String, String> info(String section) {
		Map<String, String> lines = new HashMap<>();
		this.commands.info(section).lines().filter((line) -> line.contains(":")).forEach((line) -> {
			int colon = line.indexOf(':');
			lines.put(line.substring(0, colon), line.substring(colon + 1));
		});
		return lines;
	}

	/* Of all that it has in memory, in bytes. */
	long memory() {
		return number("memory", "used_memory");
	}

	/*
	 * For how long that of its keys is there which is there the longest, in milliseconds.
	 */
	long longestTtl() {
		return ScanIterator.scan(this.commands).stream().mapToLong(this.commands::pttl).max().orElse(0);
	}

	/* Whether there is a replica that has all. */
	boolean hasReplica() {
		return info("replication").getOrDefault("slave0", "").contains("state=online");
	}

	/* What replicas were sent, in bytes. */
	long replicated() {
		return number("replication", "master_repl_offset");
	}

	private long number(String section, String name) {
		return Long.parseLong(info(section).getOrDefault(name, "0"));
	}

	void clear() {
		this.commands.flushall();
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
