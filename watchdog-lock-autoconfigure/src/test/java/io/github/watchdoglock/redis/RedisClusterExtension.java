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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.fault.ServerProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import redis.embedded.RedisShardedCluster;
import redis.embedded.core.RedisServerBuilder;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * A cluster of three primaries for a test class, each with as many replicas. A primary
 * that is gone takes its own keys along, not all.
 */
@SuppressWarnings("NullAway.Init")
public final class RedisClusterExtension implements BeforeAllCallback, AfterAllCallback {

	private static final int SLOTS = 16_384;

	private static final int PRIMARIES = 3;

	private final int replicas;

	/* Of each primary, and its replicas behind it. */
	private final List<Integer> all;

	private final List<Integer> ports;

	private Path directory;

	private RedisShardedCluster cluster;

	/* Of what a test does to one node. */
	private final Map<Integer, LettuceConnectionFactory> nodes = new ConcurrentHashMap<>();

	/**
	 * Create, without replicas.
	 */
	public RedisClusterExtension() {
		this(0);
	}

	/**
	 * Create.
	 * @param replicas of each primary; they take over from one that was away for 2 s
	 */
	public RedisClusterExtension(int replicas) {
		this.replicas = replicas;
		this.all = IntStream.range(0, PRIMARIES * (1 + replicas))
			.mapToObj((i) -> RedisServerExtension.freePort())
			.toList();
		this.ports = IntStream.range(0, PRIMARIES).mapToObj((i) -> this.all.get(i * (1 + replicas))).toList();
	}

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		this.directory = Files.createTempDirectory("cluster");
		RedisServerBuilder node = new RedisServerBuilder().setting("save \"\"")
			.setting("dir " + this.directory)
			.setting("cluster-require-full-coverage no")
			.setting("cluster-node-timeout " + ((this.replicas > 0) ? 2_000 : 15_000))
			.bind("127.0.0.1")
			.executableProvider(RedisExecutable::file);
		this.cluster = RedisShardedCluster.newRedisCluster()
			.withServerBuilder(node)
			.serverPorts(this.all)
			.shard("one", this.replicas)
			.shard("two", this.replicas)
			.shard("three", this.replicas)
			.build();
		this.cluster.start();
		// With a part of the slots, a node says that it is well, and clients learn of no
		// others from it.
		this.all.forEach((port) -> await()
			.until(() -> new RedisAdmin(at(port)).text("CLUSTER", "INFO").contains("cluster_slots_ok:" + SLOTS)));
	}

	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		this.nodes.values().forEach(LettuceConnectionFactory::destroy);
		this.cluster.stop();
		FileSystemUtils.deleteRecursively(this.directory);
	}

	/**
	 * Where the first primaries listen.
	 * @return their ports on the loopback address, in the order of their slots
	 */
	public List<Integer> ports() {
		return this.ports;
	}

	/**
	 * A factory as an application has it.
	 * @return a factory to be destroyed
	 */
	public LettuceConnectionFactory factory() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisClusterConfiguration(List.of("127.0.0.1:" + this.ports.get(0))));
		factory.afterPropertiesSet();
		return factory;
	}

	/**
	 * The process of a node.
	 * @param port where it listens
	 * @return the process
	 */
	public ServerProcess process(int port) {
		return ServerProcess.of(at(port));
	}

	/**
	 * Send any command to one node.
	 * @param port where it listens
	 * @param name of the command
	 * @param arguments of the command
	 * @return its answer
	 */
	public @Nullable Object command(int port, String name, String... arguments) {
		return new RedisAdmin(at(port)).command(name, arguments);
	}

	/**
	 * What one node says of itself.
	 * @param port where it listens
	 * @param section about what
	 * @return a line for each fact
	 */
	public String info(int port, String section) {
		return new RedisAdmin(at(port)).info(section);
	}

	/**
	 * Which node has a lock.
	 * @param key the lock
	 * @return where that node listens
	 */
	public int node(LockKey key) {
		int slot = slot(key);
		int node = IntStream.range(0, PRIMARIES).filter((i) -> slot < boundary(i + 1)).findFirst().orElseThrow();
		return this.ports.get(node);
	}

	/**
	 * Where a lock is in the cluster, whichever node has that.
	 * @param key the lock
	 * @return its slot
	 */
	public static int slot(LockKey key) {
		return ClusterSlotHashUtil.calculateSlot(RedisRecord.name(key));
	}

	/* As the embedded cluster divides them. */
	private static int boundary(int node) {
		return node * (SLOTS / PRIMARIES) + ((node == PRIMARIES) ? SLOTS % PRIMARIES : 0);
	}

	private LettuceConnectionFactory at(int port) {
		return this.nodes.computeIfAbsent(port, RedisServerExtension::factory);
	}

}
