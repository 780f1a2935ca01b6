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

package io.github.watchdoglock.topology.failover;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServer;
import org.awaitility.core.ConditionTimeoutException;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * A primary with replicas and three sentinels, as processes of this machine. A sentinel
 * considers a server that is silent for a second as down, and tries a failover again
 * after four.
 */
final class SentinelGroup implements AutoCloseable {

	static final String MASTER = "locks";

	private static final int SENTINELS = 3;

	private static final int MAX_TRIES = 3;

	/* The servers by the ports that others use. */
	private final Map<Integer, RedisServer> servers = new LinkedHashMap<>();

	/* The relays of servers that all others reach through one, by the same ports. */
	private final Map<Integer, FaultProxy> relays = new LinkedHashMap<>();

	private final Map<Integer, RedisServer> sentinels = new LinkedHashMap<>();

	private SentinelGroup(int replicas, boolean relays, String... settings) {
		String[] all = Stream
			.concat(Stream.of("repl-diskless-sync yes", "repl-ping-replica-period 1"), Stream.of(settings))
			.toArray(String[]::new);
		for (int i = 0; i <= replicas; i++) {
			RedisServer server = new RedisServer(all);
			if (relays) {
				FaultProxy relay = FaultProxy.ofReplication(server.port());
				this.relays.put(relay.port(), relay);
				this.servers.put(relay.port(), server);
			}
			else {
				this.servers.put(server.port(), server);
			}
		}
	}

	/**
	 * Start all of them, and wait until they know each other.
	 * @param replicas the number of replicas
	 * @param settings further lines of each server's configuration
	 * @return the group
	 */
	static SentinelGroup start(int replicas, String... settings) {
		return new SentinelGroup(replicas, false, settings).started();
	}

	/**
	 * Start a group in which servers, sentinels and applications reach each server
	 * through a relay.
	 * @param replicas the number of replicas
	 * @param settings further lines of each server's configuration
	 * @return the group
	 */
	static SentinelGroup startBehindRelays(int replicas, String... settings) {
		return new SentinelGroup(replicas, true, settings).started();
	}

	private SentinelGroup started() {
		try {
			begin();
			return this;
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private void begin() {
		servers().forEach(this::startServer);
		int primary = servers().get(0);
		for (int replica : servers().subList(1, this.servers.size())) {
			at(replica).follow(primary);
			await().atMost(Duration.ofSeconds(20)).until(() -> isReplica(replica, primary));
		}
		for (int i = 0; i < SENTINELS; i++) {
			RedisServer sentinel = RedisServer.sentinel("sentinel monitor " + MASTER + " 127.0.0.1 " + primary + " 2",
					"sentinel down-after-milliseconds " + MASTER + " 1000",
					"sentinel failover-timeout " + MASTER + " 2000", "sentinel parallel-syncs " + MASTER + " 2");
			this.sentinels.put(sentinel.port(), sentinel);
		}
		awaitReady();
	}

	/**
	 * Start a server that was killed, without data, with its previous configuration.
	 * @param port where others reach it
	 */
	void startServer(int port) {
		server(port).stop();
		if (this.relays.containsKey(port)) {
			server(port).start("replica-announce-ip 127.0.0.1", "replica-announce-port " + port);
		}
		else {
			server(port).start();
		}
	}

	/* Return a server by the port where others reach it. */
	RedisServer server(int port) {
		return this.servers.getOrDefault(port, this.sentinels.get(port));
	}

	FaultProxy relay(int port) {
		return this.relays.get(port);
	}

	List<Integer> servers() {
		return List.copyOf(this.servers.keySet());
	}

	List<Integer> sentinels() {
		return List.copyOf(this.sentinels.keySet());
	}

	/**
	 * Wait until all sentinels are ready, and a replica of the primary has its data.
	 */
	void awaitReady() {
		try {
			await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
				int primary = primary();
				return !replicas(primary).isEmpty()
						&& sentinels().stream().allMatch((sentinel) -> isReady(sentinel, primary));
			});
		}
		catch (ConditionTimeoutException ex) {
			throw new IllegalStateException("The sentinels say " + sentinels().stream().map(this::facts).toList(), ex);
		}
	}

	/*
	 * Also wait until each server is a replica with all data, so that none receives lost
	 * data later.
	 */
	void awaitReplicas() {
		awaitReady();
		await().atMost(Duration.ofSeconds(60))
			.ignoreExceptions()
			.until(() -> replicas(primary()).size() == this.servers.size() - 1);
	}

	private boolean isReady(int sentinel, int primary) {
		Map<String, String> facts = facts(sentinel);
		return "%d".formatted(primary).equals(facts.get("port")) && "master".equals(facts.get("flags"))
				&& "%d".formatted(this.servers.size() - 1).equals(facts.get("num-slaves"))
				&& "%d".formatted(SENTINELS - 1).equals(facts.get("num-other-sentinels"));
	}

	private boolean isReplica(int port, int primary) {
		String info = at(port).info("replication");
		return info.contains("role=slave") && info.contains("master_port=" + primary + "\n")
				&& info.contains("master_link_status=up");
	}

	private Map<String, String> facts(int sentinel) {
		List<String> words = ask(sentinel, "MASTER");
		return IntStream.range(0, words.size() / 2)
			.boxed()
			.collect(Collectors.toMap((i) -> words.get(2 * i), (i) -> words.get(2 * i + 1)));
	}

	/* Ask a sentinel about the primary; returns the strings of the answer. */
	private List<String> ask(int sentinel, String what) {
		return at(sentinel).raw("SENTINEL " + what + " " + MASTER)
			.lines()
			.filter((line) -> !line.startsWith("*") && !line.startsWith("$"))
			.toList();
	}

	/**
	 * Remove keys from the replicas, as if they had not received them before the primary
	 * was lost.
	 * @param primary the port of the primary
	 * @param keys names of records that they have, or will receive soon
	 */
	void forget(int primary, List<String> keys) {
		for (int replica : replicas(primary)) {
			await().until(() -> at(replica).keys().containsAll(keys));
			keys.forEach((key) -> atReplica(replica, "DEL", key));
		}
	}

	/**
	 * Run a write command on a replica, which rejects it normally.
	 * @param replica the port of the replica
	 * @param command a command that writes
	 * @param arguments of the command
	 */
	void atReplica(int replica, String command, String... arguments) {
		at(replica).with("replica-read-only", "no", () -> at(replica).command(command, arguments));
	}

	/**
	 * Return how many connections of locks a server has.
	 * @param port where others reach it
	 * @return the count
	 */
	long connections(int port) {
		return at(port).clients("watchdog-lock");
	}

	/**
	 * Return the primary, according to one sentinel.
	 * @param sentinel the port of the sentinel
	 * @return the primary's port
	 */
	int primary(int sentinel) {
		return Integer.parseInt(ask(sentinel, "GET-MASTER-ADDR-BY-NAME").get(1));
	}

	/**
	 * Return the primary, according to the first sentinel.
	 * @return its port
	 */
	int primary() {
		return primary(sentinels().get(0));
	}

	/**
	 * Return the replicas that have the data of the primary.
	 * @param primary the port of the primary
	 * @return their ports
	 */
	List<Integer> replicas(int primary) {
		return servers().stream().filter((port) -> server(port).isRunning() && isReplica(port, primary)).toList();
	}

	RedisAdmin at(int port) {
		return server(port).admin();
	}

	/**
	 * Let the sentinels fail over to another primary.
	 * @return when the first sentinel named the new primary, in nanoseconds
	 */
	long failOver() {
		int primary = primary();
		for (int tries = 1; true; tries++) {
			await().atMost(Duration.ofSeconds(30))
				.until(() -> at(sentinels().get(0)).raw("SENTINEL FAILOVER " + MASTER).startsWith("+OK"));
			try {
				return awaitSwitch(primary);
			}
			catch (ConditionTimeoutException ex) {
				// A sentinel gives up if the new primary is late.
				if (tries == MAX_TRIES) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Wait until a sentinel names another primary.
	 * @param primary the port of the previous primary
	 * @return when that was, in nanoseconds
	 */
	long awaitSwitch(int primary) {
		await().atMost(Duration.ofSeconds(30))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.ignoreExceptions()
			.until(() -> sentinels().stream().anyMatch((sentinel) -> primary(sentinel) != primary));
		return System.nanoTime();
	}

	/**
	 * Create a factory like that of an application.
	 * @return a factory to be destroyed
	 */
	LettuceConnectionFactory factory() {
		return RedisServer.initialized(new LettuceConnectionFactory(configuration()));
	}

	RedisSentinelConfiguration configuration() {
		return configuration(MASTER, sentinels());
	}

	/**
	 * Create the configuration of an application.
	 * @param master the name of the primary
	 * @param sentinels their ports
	 * @return without a password
	 */
	static RedisSentinelConfiguration configuration(String master, List<Integer> sentinels) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(master);
		sentinels.forEach((port) -> configuration.sentinel("127.0.0.1", port));
		return configuration;
	}

	@Override
	public void close() {
		this.relays.values().forEach(FaultProxy::close);
		this.servers.values().forEach(RedisServer::close);
		this.sentinels.values().forEach(RedisServer::close);
	}

}
