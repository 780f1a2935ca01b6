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
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.types.RedisClientInfo;

import static org.awaitility.Awaitility.await;

/**
 * Administration of a server by a test, without locks.
 */
public final class RedisAdmin {

	/**
	 * The password of all users that tests create.
	 */
	public static final String PASSWORD = "secret";

	private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha=calls=(\\d+)");

	private final LettuceConnectionFactory factory;

	private final StringRedisTemplate template;

	/**
	 * Create the administration of a server.
	 * @param factory connects to it
	 */
	public RedisAdmin(LettuceConnectionFactory factory) {
		this.factory = factory;
		this.template = new StringRedisTemplate(factory);
	}

	/**
	 * Send a command.
	 * @param name its name
	 * @param arguments its arguments
	 * @return its answer
	 */
	public @Nullable Object command(String name, String... arguments) {
		byte[][] bytes = Stream.of(arguments)
			.map((argument) -> argument.getBytes(StandardCharsets.UTF_8))
			.toArray(byte[][]::new);
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.execute(name, bytes);
		}
	}

	/**
	 * Send a command whose answer is a string.
	 * @param name its name
	 * @param arguments its arguments
	 * @return its answer
	 */
	public String text(String name, String... arguments) {
		return new String((byte[]) Objects.requireNonNull(command(name, arguments)), StandardCharsets.UTF_8);
	}

	/**
	 * Send a command on a separate connection, without a driver.
	 * @param command a line
	 * @return the first bytes of the answer
	 */
	public String raw(String command) {
		try (Socket socket = send(command)) {
			socket.setSoTimeout(1_000);
			byte[] answer = new byte[8_192];
			return new String(answer, 0, Math.max(0, socket.getInputStream().read(answer)), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Socket send(String command) throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.factory.getPort());
		socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	/*
	 * Send a command and ignore its result: the server reads nothing more from this
	 * connection.
	 */
	private void sendAside(String command) {
		try {
			send(command).close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Change a setting.
	 * @param setting its name
	 * @param value its value
	 */
	public void set(String setting, String value) {
		command("CONFIG", "SET", setting, value);
	}

	/**
	 * Change a setting while an action runs.
	 * @param setting its name
	 * @param value its value meanwhile
	 * @param meanwhile the action
	 */
	public void with(String setting, String value, Runnable meanwhile) {
		String before = setting(setting);
		set(setting, value);
		try {
			meanwhile.run();
		}
		finally {
			set(setting, before);
		}
	}

	private String setting(String name) {
		try (RedisConnection connection = this.factory.getConnection()) {
			return Objects.requireNonNull(connection.serverCommands().getConfig(name)).getProperty(name);
		}
	}

	/**
	 * Reject writes, because of too few replicas, while an action runs.
	 * @param meanwhile the action
	 */
	public void refusingWrites(Runnable meanwhile) {
		with("min-replicas-to-write", "1", meanwhile);
	}

	/**
	 * Reject commands that need memory while an action runs, and evict nothing.
	 * @param meanwhile the action
	 */
	public void withoutMemory(Runnable meanwhile) {
		set("maxmemory-policy", "noeviction");
		with("maxmemory", "1", meanwhile);
	}

	/**
	 * Create or change a user.
	 * @param name of the user
	 * @param rules all of its permissions
	 */
	public void setUser(String name, String rules) {
		command("ACL", ("SETUSER " + name + " reset resetchannels on >" + PASSWORD + " " + rules).split(" ", -1));
	}

	/**
	 * Become a replica.
	 * @param port on which the primary listens; nothing needs to listen there
	 */
	public void follow(int port) {
		command("REPLICAOF", "127.0.0.1", "" + port);
	}

	/**
	 * Become a primary, and keep the data.
	 */
	public void lead() {
		command("REPLICAOF", "NO", "ONE");
	}

	/**
	 * Wait until replicas are connected and have the data.
	 * @param replicas the number of replicas
	 */
	public void awaitReplicas(int replicas) {
		await().atMost(Duration.ofSeconds(30))
			.until(() -> info("replication").lines()
				.filter((line) -> line.matches("slave\\d+=.*state=online.*"))
				.count() == replicas);
	}

	/**
	 * Pause all clients.
	 * @param time for how long
	 */
	public void pause(Duration time) {
		command("CLIENT", "PAUSE", Long.toString(time.toMillis()));
	}

	/**
	 * Close the connections of all clients.
	 */
	public void killClients() {
		Stream.of("normal", "pubsub").forEach((type) -> raw("CLIENT KILL TYPE " + type));
	}

	/**
	 * Return the number of connections.
	 * @param name of their clients
	 * @return the count
	 */
	public long clients(String name) {
		return clients().filter((client) -> name.equals(client.getName())).count();
	}

	/**
	 * Return the connections of all clients.
	 * @return the server's data about each
	 */
	public Stream<RedisClientInfo> clients() {
		return Objects.requireNonNull(this.template.getClientList()).stream();
	}

	/**
	 * Remove all scripts from the server.
	 */
	public void flushScripts() {
		command("SCRIPT", "FLUSH");
	}

	/**
	 * Run a script that does not end.
	 * @return an action that ends it
	 */
	public Runnable beBusy() {
		set("lua-time-limit", "1");
		sendAside("EVAL \"while true do end\" 0");
		return () -> command("SCRIPT", "KILL");
	}

	/**
	 * Load all data from disk again, for about half a second. The server must have an
	 * append-only file: without a snapshot, nothing waits for the disk. It is loading
	 * when this returns, unless it was faster than its client.
	 */
	public void load() {
		// While it loads, a server answers after each thousand commands.
		command("EVAL", "redis.replicate_commands() for i = 1, 5000 do redis.call('INCR', 'filler') end", "0");
		set("key-load-delay", "50");
		try (Socket socket = send("DEBUG LOADAOF")) {
			await().pollInterval(Duration.ofMillis(5))
				.until(() -> fact("persistence", "loading") == 1 || socket.getInputStream().available() > 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Wait until an instance is subscribed to its messages.
	 * @param instance its id
	 */
	public void awaitListener(String instance) {
		await().until(() -> isHeard("watchdog-lock:instance:" + instance));
	}

	/**
	 * Return whether one client is subscribed to a channel.
	 * @param channel its name
	 * @return false if there is none, or more than one
	 */
	public boolean isHeard(String channel) {
		return Long.valueOf(1).equals(this.template.convertAndSend(channel, "nothing"));
	}

	/**
	 * Return how many scripts the server has run by their digests.
	 * @return the count since its start
	 */
	public long scripts() {
		Matcher calls = CALLS.matcher(info("commandstats"));
		return calls.find() ? Long.parseLong(calls.group(1)) : 0;
	}

	/**
	 * Return the facts that the server reports.
	 * @param section the section
	 * @return a line for each fact
	 */
	public String info(String section) {
		try (RedisConnection connection = this.factory.getConnection()) {
			StringBuilder lines = new StringBuilder();
			Properties facts = connection.serverCommands().info(section);
			if (facts != null) {
				facts.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
			}
			return lines.toString();
		}
	}

	/**
	 * Return one fact.
	 * @param section the section
	 * @param name of the fact
	 * @return a number
	 */
	public long fact(String section, String name) {
		return info(section).lines()
			.filter((line) -> line.startsWith(name + "="))
			.mapToLong((line) -> Long.parseLong(line.substring(name.length() + 1)))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Return all keys.
	 * @return their names
	 */
	public Set<String> keys() {
		Set<String> keys = this.template.keys("*");
		return (keys != null) ? keys : Set.of();
	}

	/**
	 * Return whether no lock is held or waited for.
	 * @return false if one is
	 */
	public boolean isAllFree() {
		return taken().isEmpty();
	}

	/**
	 * Return the locks that are held or waited for.
	 * @return their records
	 */
	public List<RedisRecord> taken() {
		return RedisRecord.readAll(this.template, keys()).stream().filter((record) -> !record.isFree()).toList();
	}

	/**
	 * Return whether a lock is held or reserved.
	 * @param lock its name
	 * @return true if it is
	 */
	public boolean isTaken(String lock) {
		RedisRecord record = RedisRecord.read(this.template, "watchdog-lock:{" + lock + "}");
		return record != null && record.left() > 0;
	}

	/**
	 * Return the length of the queue of a lock.
	 * @param lock its name
	 * @return the number of places
	 */
	public int places(String lock) {
		RedisRecord record = RedisRecord.read(this.template, "watchdog-lock:{" + lock + "}");
		return (record != null) ? record.places() : 0;
	}

}
