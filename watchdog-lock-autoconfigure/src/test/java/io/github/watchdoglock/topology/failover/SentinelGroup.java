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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.watchdoglock.fault.ServerProcess;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.github.watchdoglock.topology.Relay;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.awaitility.core.ConditionTimeoutException;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.awaitility.Awaitility.await;

/**
 * A primary with replicas and three sentinels, as processes of this machine. A sentinel
 * takes a server that is silent for a second for dead, and tries a failover again after
 * four.
 */
public final class SentinelGroup implements AutoCloseable {

	static final String MASTER = "locks";

	private static final int SENTINELS = 3;

	private static final int MOST_TRIES = 3;

	private final Path directory;

	private final List<String> settings;

	private final Map<Integer, Process> processes = new ConcurrentHashMap<>();

	private final Map<Integer, LettuceConnectionFactory> factories = new ConcurrentHashMap<>();

	private final List<Integer> servers;

	private final List<Integer> sentinels;

	/* Of the servers that all others reach through one, by the port that they know. */
	private final Map<Integer, Relay> relays = new HashMap<>();

	/* Where such a server listens. */
	private final Map<Integer, Integer> behind = new HashMap<>();

	private SentinelGroup(int replicas, boolean relays, List<String> settings) throws IOException {
		this.directory = Files.createTempDirectory("sentinels");
		this.settings = settings;
		List<Integer> ports = ports(1 + replicas);
		if (relays) {
			ports.forEach(this::putBehindRelay);
		}
		this.servers = relays ? List.copyOf(this.relays.keySet()) : ports;
		this.sentinels = ports(SENTINELS);
	}

	private void putBehindRelay(int port) {
		Relay relay = Relay.to(port);
		this.relays.put(relay.port(), relay);
		this.behind.put(relay.port(), port);
	}

	private static List<Integer> ports(int count) {
		Set<Integer> ports = new HashSet<>();
		while (ports.size() < count) {
			ports.add(RedisServerExtension.freePort());
		}
		return List.copyOf(ports);
	}

	/**
	 * Start all of them, and wait until they know each other.
	 * @param replicas how many there are
	 * @param settings further lines of each server's configuration
	 * @return the group
	 */
	public static SentinelGroup start(int replicas, String... settings) {
		return start(replicas, false, settings);
	}

	/**
	 * The same, where servers, sentinels and applications reach each server through a
	 * relay.
	 * @param replicas how many there are
	 * @param settings further lines of each server's configuration
	 * @return the group
	 */
	static SentinelGroup startBehindRelays(int replicas, String... settings) {
		return start(replicas, true, settings);
	}

	private static SentinelGroup start(int replicas, boolean relays, String... settings) {
		try {
			SentinelGroup group = new SentinelGroup(replicas, relays, List.of(settings));
			try {
				group.begin();
				return group;
			}
			catch (RuntimeException ex) {
				group.close();
				throw ex;
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void begin() {
		this.servers.forEach(this::startServer);
		int primary = this.servers.get(0);
		for (int replica : this.servers.subList(1, this.servers.size())) {
			await().ignoreExceptions().until(() -> at(replica).command("REPLICAOF", "127.0.0.1", "" + primary) != null);
			await().atMost(Duration.ofSeconds(20)).ignoreExceptions().until(() -> isReplica(replica, primary));
		}
		for (int sentinel : this.sentinels) {
			this.processes.put(sentinel, new ServerSpec(this.directory, sentinel, true)
				.start(List.of("sentinel monitor " + MASTER + " 127.0.0.1 " + primary + " 2",
						"sentinel down-after-milliseconds " + MASTER + " 1000",
						"sentinel failover-timeout " + MASTER + " 2000", "sentinel parallel-syncs " + MASTER + " 2")));
		}
		awaitReady();
	}

	/**
	 * Start a server that was killed, empty, with the configuration that it had.
	 * @param port where it listens
	 */
	public void startServer(int port) {
		List<String> lines = new ArrayList<>(List.of("save \"\"", "appendonly no", "repl-diskless-sync yes",
				"repl-diskless-sync-delay 0", "repl-ping-replica-period 1"));
		lines.addAll(this.settings);
		if (this.relays.containsKey(port)) {
			lines.addAll(List.of("replica-announce-ip 127.0.0.1", "replica-announce-port " + port));
		}
		this.processes.put(port, new ServerSpec(this.directory, listening(port), false).start(lines));
	}

	/**
	 * Where a server itself listens.
	 * @param port where others reach it
	 * @return the same, unless a relay is between
	 */
	int listening(int port) {
		return this.behind.getOrDefault(port, port);
	}

	/**
	 * What is between a server and all others.
	 * @param port where they reach it
	 * @return its relay
	 */
	Relay relay(int port) {
		return Objects.requireNonNull(this.relays.get(port));
	}

	/**
	 * The primary and its replicas, in no order.
	 * @return where others reach them
	 */
	List<Integer> servers() {
		return this.servers;
	}

	/**
	 * Wait until all sentinels name the same primary, and it has a replica at least. The
	 * former primary of a planned failover becomes one about ten seconds later.
	 */
	public void awaitReady() {
		try {
			await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
				int primary = primary();
				return !replicas(primary).isEmpty()
						&& this.sentinels.stream().allMatch((sentinel) -> isReady(sentinel, primary));
			});
		}
		catch (ConditionTimeoutException ex) {
			throw new IllegalStateException("The sentinels say " + this.sentinels.stream().map(this::facts).toList(),
					ex);
		}
	}

	/*
	 * And each server is a replica that has all, so that none gets later what it had
	 * lost.
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

	/* About the primary. */
	private List<String> ask(int sentinel, String what) {
		return run(sentinel,
				(commands) -> commands.dispatch(CommandType.SENTINEL, new ArrayOutput<>(ByteArrayCodec.INSTANCE),
						new CommandArgs<>(ByteArrayCodec.INSTANCE).add(what).add(MASTER)))
			.stream()
			.map((word) -> new String((byte[]) word, StandardCharsets.UTF_8))
			.toList();
	}

	/**
	 * Have the replicas forget keys, as if they had not heard of them before the primary
	 * was lost.
	 * @param primary where that is
	 * @param keys names of records that they have, or have soon
	 */
	void forget(int primary, List<String> keys) {
		for (int replica : replicas(primary)) {
			await().until(() -> at(replica).keys().containsAll(keys));
			keys.forEach((key) -> atReplica(replica, "DEL", key));
		}
	}

	/**
	 * Have a replica do what it does not by itself.
	 * @param replica where it is
	 * @param command a command that writes
	 * @param arguments of the command
	 */
	void atReplica(int replica, String command, String... arguments) {
		RedisAdmin admin = at(replica);
		admin.command("CONFIG", "SET", "replica-read-only", "no");
		admin.command(command, arguments);
		admin.command("CONFIG", "SET", "replica-read-only", "yes");
	}

	/**
	 * How many connections a server has that locks have opened.
	 * @param port where it listens
	 * @return the count
	 */
	public int connections(int port) {
		return run(port, RedisClusterAsyncCommands::clientList).split("name=watchdog-lock ", -1).length - 1;
	}

	@SuppressWarnings("unchecked")
	private <T> T run(int port, Function<RedisClusterAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
		try (RedisConnection connection = factory(port).getConnection()) {
			return command.apply((RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection())
				.get(5, TimeUnit.SECONDS);
		}
		catch (ExecutionException | InterruptedException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Where the primary is, as one sentinel says.
	 * @param sentinel where that listens
	 * @return the primary's port
	 */
	public int primary(int sentinel) {
		return Integer.parseInt(ask(sentinel, "GET-MASTER-ADDR-BY-NAME").get(1));
	}

	/**
	 * Where the primary is, as the first sentinel says.
	 * @return its port
	 */
	public int primary() {
		return primary(this.sentinels.get(0));
	}

	/**
	 * The servers that replicate a primary at the moment.
	 * @param primary its port
	 * @return their ports
	 */
	public List<Integer> replicas(int primary) {
		return this.servers.stream().filter((port) -> isReplicaNow(port, primary)).toList();
	}

	private boolean isReplicaNow(int port, int primary) {
		try {
			return isReplica(port, primary);
		}
		catch (RuntimeException ex) {
			// It was killed.
			return false;
		}
	}

	/**
	 * Where the sentinels listen.
	 * @return their ports
	 */
	public List<Integer> sentinels() {
		return this.sentinels;
	}

	/**
	 * A server or a sentinel, as its operator sees it.
	 * @param port where it listens
	 * @return always the same object
	 */
	public RedisAdmin at(int port) {
		return new RedisAdmin(factory(port));
	}

	/**
	 * A connection to one server or sentinel.
	 * @param port where it listens
	 * @return always the same factory
	 */
	public LettuceConnectionFactory factory(int port) {
		return this.factories.computeIfAbsent(listening(port), RedisServerExtension::factory);
	}

	/**
	 * Have a sentinel move the primary, and wait for its first word of that.
	 * @return when any of them named another primary, by {@link System#nanoTime()}
	 */
	public long failOver() {
		int primary = primary();
		for (int tries = 1; true; tries++) {
			await().atMost(Duration.ofSeconds(30))
				.ignoreExceptions()
				.until(() -> at(this.sentinels.get(0)).text("SENTINEL", "FAILOVER", MASTER).equals("OK"));
			try {
				return awaitSwitch(primary);
			}
			catch (ConditionTimeoutException ex) {
				// A sentinel gives up where the new primary is late.
				if (tries == MOST_TRIES) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Wait until any sentinel names another primary.
	 * @param primary where it was
	 * @return when one was seen to, by {@link System#nanoTime()}
	 */
	public long awaitSwitch(int primary) {
		await().atMost(Duration.ofSeconds(30))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(2))
			.ignoreExceptions()
			.until(() -> this.sentinels.stream().anyMatch((sentinel) -> primary(sentinel) != primary));
		return System.nanoTime();
	}

	/**
	 * A process.
	 * @param port where it listens
	 * @return what the operating system can do to it
	 */
	public ServerProcess process(int port) {
		return new ServerProcess(this.processes.get(port).pid());
	}

	/**
	 * A factory as an application has it.
	 * @return a factory to be destroyed
	 */
	public LettuceConnectionFactory factory() {
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration());
		factory.afterPropertiesSet();
		return factory;
	}

	/**
	 * The configuration of an application.
	 * @return a new one
	 */
	public RedisSentinelConfiguration configuration() {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(MASTER);
		this.sentinels.forEach((port) -> configuration.sentinel("127.0.0.1", port));
		return configuration;
	}

	@Override
	public void close() {
		this.factories.values().forEach(LettuceConnectionFactory::destroy);
		this.relays.values().forEach(Relay::close);
		this.processes.values().forEach(ServerSpec::end);
		try (Stream<Path> files = Files.walk(this.directory)) {
			for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
				Files.delete(file);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
