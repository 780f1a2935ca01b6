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

import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.core.RedisServerBuilder;

/**
 * A Redis in a process of its own, which writes nothing to disk, and its statistics.
 *
 * @param program the program that is started
 * @param port its port
 * @param server its process
 * @param client the client that reads its statistics
 * @param commands the connection of the client
 */
public record Redis(ExecutableProvider program, int port, RedisServer server, RedisClient client,
		RedisCommands<String, String> commands) implements AutoCloseable {

	private static final int TRIES = 300;

	private static final int SLOTS = 16_384;

	/**
	 * Start a server, at a free port.
	 * @param executable the program, by its path or from the {@code PATH}; null for the
	 * program in a jar
	 * @return the server
	 * @throws IOException if it cannot be started
	 */
	public static Redis start(@Nullable String executable) throws IOException {
		return start(program(executable), "");
	}

	/**
	 * Start a cluster of primaries without replicas.
	 * @param count the number of nodes
	 * @return the nodes, in the order of their slots
	 * @throws IOException if a node cannot be started
	 * @throws InterruptedException if the thread is interrupted
	 */
	public static List<Redis> startCluster(int count) throws IOException, InterruptedException {
		List<Redis> nodes = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Redis node = start(ExecutableProvider.newJarResourceProvider(), "cluster-enabled yes");
			node.commands.clusterAddSlots(IntStream.range(i * SLOTS / count, (i + 1) * SLOTS / count).toArray());
			nodes.add(node);
			node.commands.clusterMeet("127.0.0.1", nodes.get(0).port);
		}
		for (Redis node : nodes) {
			for (int i = 0; !node.commands.clusterInfo().contains("cluster_state:ok")
					|| node.commands.clusterNodes().lines().count() < count; i++) {
				if (i == TRIES) {
					throw new IllegalStateException("The nodes did not become a cluster");
				}
				Thread.sleep(100);
			}
		}
		return nodes;
	}

	private static ExecutableProvider program(@Nullable String executable) throws IOException {
		if (executable == null) {
			return ExecutableProvider.newJarResourceProvider();
		}
		File file = new File(executable);
		return file.isFile() ? () -> file : ExecutableProvider.newExecutableInPath(executable);
	}

	/*
	 * Start another server with the same program, as a replica of this one, and wait
	 * until it is in sync.
	 */
	Redis startReplica() throws IOException, InterruptedException {
		Redis replica = start(this.program, "replicaof 127.0.0.1 " + this.port);
		for (int i = 0; !info("replication").getProperty("slave0", "").contains("state=online"); i++) {
			if (i == TRIES) {
				throw new IllegalStateException("The replica at port " + replica.port + " did not become one");
			}
			Thread.sleep(100);
		}
		return replica;
	}

	/*
	 * Replicas come and go: no server writes to disk or waits for a replica, and the
	 * backlog of a replica that has gone is dropped soon.
	 */
	private static Redis start(ExecutableProvider program, String role) throws IOException {
		int port = freePort();
		RedisServerBuilder builder = RedisServer.newRedisServer().executableProvider(program).port(port);
		for (String setting : new String[] { "save \"\"", "appendonly no", "repl-diskless-sync yes",
				"repl-diskless-sync-delay 0", "repl-diskless-load on-empty-db", "repl-backlog-ttl 1",
				"cluster-config-file nodes-" + port + ".conf", role }) {
			builder.setting(setting);
		}
		RedisServer server = builder.soutListener((line) -> {
		}).serrListener(System.err::println).build();
		server.start();
		RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
		return new Redis(program, port, server, client, client.connect().sync());
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Return the version of the server.
	 * @return the version, after the name if it is not Redis
	 */
	public String version() {
		Properties server = info("server");
		String valkey = server.getProperty("valkey_version");
		return (valkey != null) ? "Valkey " + valkey : server.getProperty("redis_version", "unknown");
	}

	/**
	 * Return how often the server has executed some commands, including those that
	 * scripts call.
	 * @param names the names of the commands, in lower case
	 * @return the sum
	 */
	public long calls(Collection<String> names) {
		return commandStats(names, (stats) -> Long.parseLong(stats[1]));
	}

	/* Return how long the server has executed these commands, in microseconds. */
	long micros(Collection<String> names) {
		return commandStats(names, (stats) -> Long.parseLong(stats[3]));
	}

	/* Such as "calls=3,usec=20,usec_per_call=6.67,...". */
	private long commandStats(Collection<String> names, ToLongFunction<String[]> value) {
		Properties stats = info("commandstats");
		return names.stream()
			.map((name) -> stats.getProperty("cmdstat_" + name, "calls=0,usec=0").split("[=,]", -1))
			.mapToLong(value)
			.sum();
	}

	/**
	 * Return the traffic of the connections of clients, in both directions.
	 * @return bytes
	 */
	public long trafficBytes() {
		Properties stats = info("stats");
		return Long.parseLong(stats.getProperty("total_net_input_bytes", "0"))
				+ Long.parseLong(stats.getProperty("total_net_output_bytes", "0"));
	}

	/**
	 * Return the CPU time of the server.
	 * @return seconds
	 */
	public double cpuSeconds() {
		Properties cpu = info("cpu");
		return Double.parseDouble(cpu.getProperty("used_cpu_sys", "0"))
				+ Double.parseDouble(cpu.getProperty("used_cpu_user", "0"));
	}

	/**
	 * Return the memory of all data of the server.
	 * @return bytes
	 */
	public long memory() {
		return Long.parseLong(info("memory").getProperty("used_memory", "0"));
	}

	/* The bytes that replicas have received. */
	long replicated() {
		return Long.parseLong(info("replication").getProperty("master_repl_offset", "0"));
	}

	/* The longest TTL of all keys, in milliseconds. */
	long longestTtl() {
		return ScanIterator.scan(this.commands).stream().mapToLong(this.commands::pttl).max().orElse(0);
	}

	void clear() {
		this.commands.flushall();
	}

	private Properties info(String section) {
		Properties lines = new Properties();
		try {
			lines.load(new StringReader(this.commands.info(section)));
			return lines;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.client.shutdown();
		try {
			this.server.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
