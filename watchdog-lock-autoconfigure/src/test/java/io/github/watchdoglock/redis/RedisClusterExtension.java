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

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * A cluster of three primaries for a test class, each with the same number of replicas. A
 * lost primary affects its own keys only.
 */
public final class RedisClusterExtension implements BeforeAllCallback, AfterAllCallback {

	private static final int SLOTS = 16_384;

	private static final int PRIMARIES = 3;

	private final List<RedisServer> servers;

	private @Nullable RedisLocks locks;

	/**
	 * Create a cluster without replicas.
	 */
	public RedisClusterExtension() {
		this(0);
	}

	/**
	 * Create a cluster.
	 * @param replicas of each primary; they take over from a primary that was away for 2
	 * s
	 */
	public RedisClusterExtension(int replicas) {
		this.servers = servers(PRIMARIES * (1 + replicas), "cluster-require-full-coverage no",
				"cluster-node-timeout " + ((replicas > 0) ? 2_000 : 15_000));
	}

	/**
	 * Create the servers of a cluster.
	 * @param count the number of servers
	 * @param settings further lines of their configuration
	 * @return servers that are not started
	 */
	public static List<RedisServer> servers(int count, String... settings) {
		String[] all = Stream.concat(Stream.of("cluster-enabled yes"), Stream.of(settings)).toArray(String[]::new);
		return Stream.generate(() -> new RedisServer(all)).limit(count).toList();
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		form(this.servers, PRIMARIES);
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (this.locks != null) {
			this.locks.close();
		}
		this.servers.forEach(RedisServer::close);
	}

	/**
	 * Start a cluster.
	 * @param servers its nodes: first the primaries, then replicas, one for each of them
	 * in turn
	 * @param primaries the number of primaries
	 */
	public static void form(List<RedisServer> servers, int primaries) {
		servers.forEach(RedisServer::start);
		RedisServer first = servers.get(0);
		for (int i = 0; i < primaries; i++) {
			servers.get(i).admin().command("CLUSTER", addSlots(i * SLOTS / primaries, (i + 1) * SLOTS / primaries));
			servers.get(i).admin().command("CLUSTER", "SET-CONFIG-EPOCH", "" + (i + 1));
		}
		servers.stream()
			.skip(1)
			.forEach((server) -> first.admin().command("CLUSTER", "MEET", "127.0.0.1", "" + server.port()));
		servers.forEach((server) -> await().until(() -> links(server) == servers.size() - 1));
		for (int i = primaries; i < servers.size(); i++) {
			servers.get(i)
				.admin()
				.command("CLUSTER", "REPLICATE", servers.get(i % primaries).admin().text("CLUSTER", "MYID"));
		}
		servers.forEach((server) -> await().until(() -> isComplete(server.admin(), servers.size() - primaries)));
	}

	private static String[] addSlots(int from, int to) {
		return Stream.concat(Stream.of("ADDSLOTS"), IntStream.range(from, to).mapToObj(Integer::toString))
			.toArray(String[]::new);
	}

	/* The number of links to other nodes, in both directions. */
	private static long links(RedisServer server) {
		return server.admin()
			.text("CLUSTER", "NODES")
			.lines()
			.filter((line) -> line.contains(" connected") && !line.contains("myself") && !line.contains("handshake"))
			.count();
	}

	/*
	 * A node that knows only a part of the slots may report that the cluster is well, and
	 * then clients do not learn of the other nodes.
	 */
	private static boolean isComplete(RedisAdmin admin, int replicas) {
		String info = admin.text("CLUSTER", "INFO");
		return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS)
				&& admin.text("CLUSTER", "NODES").lines().filter((line) -> line.contains("slave")).count() == replicas
				&& (replicas == 0 || admin.info("replication").matches("(?s).*(master_link_status=up|state=online).*"));
	}

	/**
	 * Return locks in this cluster, with the default settings.
	 * @return always the same ones, which are connected
	 */
	public RedisLocks locks() {
		if (this.locks == null) {
			this.locks = new RedisLocks(factory(), RedisServer.settings());
			this.locks.connect();
		}
		return this.locks;
	}

	/**
	 * Return the initial primaries.
	 * @return their ports, in the order of their slots
	 */
	public List<Integer> ports() {
		return this.servers.stream().limit(PRIMARIES).map(RedisServer::port).toList();
	}

	/**
	 * Return a node.
	 * @param port on which it listens
	 * @return the node
	 */
	public RedisServer at(int port) {
		return this.servers.stream().filter((server) -> server.port() == port).findFirst().orElseThrow();
	}

	/**
	 * Create a factory like that of an application.
	 * @return a factory to be destroyed
	 */
	public LettuceConnectionFactory factory() {
		return factory(this.servers);
	}

	/**
	 * Create a factory like that of an application.
	 * @param servers nodes of a cluster
	 * @return a factory to be destroyed
	 */
	public static LettuceConnectionFactory factory(List<RedisServer> servers) {
		return RedisServer.initialized(new LettuceConnectionFactory(configuration(servers)));
	}

	/**
	 * Return the nodes in the configuration of an application.
	 * @return the first node
	 */
	public RedisClusterConfiguration configuration() {
		return configuration(this.servers);
	}

	private static RedisClusterConfiguration configuration(List<RedisServer> servers) {
		return new RedisClusterConfiguration(List.of(servers.get(0).address()));
	}

	/**
	 * Return the initial node of a lock.
	 * @param key the lock
	 * @return the port of that node
	 */
	public int node(LockKey key) {
		int slot = slot(key);
		return ports().get(IntStream.range(0, PRIMARIES)
			.filter((i) -> slot < (i + 1) * SLOTS / PRIMARIES)
			.findFirst()
			.orElseThrow());
	}

	/**
	 * Return keys of a node, always the same ones.
	 * @param name of the locks
	 * @param port of the node
	 * @return as many as needed
	 */
	public Stream<LockKey> keys(String name, int port) {
		return IntStream.iterate(0, (i) -> i + 1)
			.mapToObj((i) -> LockKey.of(name, "" + i))
			.filter((key) -> node(key) == port);
	}

	/**
	 * Return the slot of a lock.
	 * @param key the lock
	 * @return its slot
	 */
	public static int slot(LockKey key) {
		return ClusterSlotHashUtil.calculateSlot(RedisRecord.name(key));
	}

}
