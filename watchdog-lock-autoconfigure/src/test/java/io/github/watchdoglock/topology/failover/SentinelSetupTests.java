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
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * What an application hears of sentinels that are configured as they should not be, and
 * what it leaves behind.
 */
@SuppressWarnings("NullAway.Init")
class SentinelSetupTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final Duration SOON = Duration.ofSeconds(10);

	@TempDir
	private Path directory;

	private final List<Process> processes = new ArrayList<>();

	@AfterEach
	void stop() {
		this.processes.forEach(ServerSpec::end);
	}

	@Test
	void aNameThatTheSentinelsDoNotKnowIsNamedWithThoseThatTheyKnow() {
		int sentinel = sentinel(redis.port());
		assertRefused(factory("lokcs", sentinel, ""), "know no primary 'lokcs', but [locks]",
				"spring.data.redis.sentinel.master");
	}

	@Test
	void anAddressThatCannotBeReachedIsNamedWithItsCauseAndWhatToDo() {
		int nowhere = RedisServerExtension.freePort();
		int sentinel = sentinel(nowhere);
		assertRefused(factory("locks", sentinel, ""), "name 127.0.0.1:" + nowhere, "Connection refused",
				"replica-announce-ip", "sentinel announce-ip");
	}

	@Test
	void sentinelsThatCannotBeReachedAreNamed() {
		int nowhere = RedisServerExtension.freePort();
		assertRefused(factory("locks", nowhere, ""), "no sentinel tells where the primary 'locks' is",
				"127.0.0.1:" + nowhere + "=Connection refused");
	}

	@Test
	void aWrongPasswordOfTheSentinelsIsNamed() {
		int sentinel = sentinel(redis.port(), "requirepass right");
		assertRefused(factory("locks", sentinel, "wrong"), "WRONGPASS", "spring.data.redis.sentinel");
	}

	@Test
	void thePasswordOfTheSentinelsIsTheirOwn() throws Exception {
		int sentinel = sentinel(redis.port(), "requirepass right");
		try (RedisInstance instance = instance(factory("locks", sentinel, "right")).connected()) {
			instance.engine().acquire(LockRequest.of("work")).close();
		}
	}

	@Test
	void theDocumentedUserOfTheSentinelsHearsOfFailovers() throws Exception {
		int sentinel = sentinel(redis.port(),
				"user locks on >right -@all +hello +subscribe +sentinel resetchannels &+switch-master &+promoted-slave");
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master("locks")
			.sentinel("127.0.0.1", sentinel);
		configuration.setSentinelUsername("locks");
		configuration.setSentinelPassword("right");
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
		factory.afterPropertiesSet();
		LettuceConnectionFactory admin = RedisServerExtension.factory(sentinel);
		try (RedisInstance instance = instance(factory).connected()) {
			instance.engine().acquire(LockRequest.of("work")).close();
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(new RedisAdmin(admin).command("CLIENT", "LIST")).asString()
					.containsPattern("sub=2 .*user=locks"));
		}
		finally {
			admin.destroy();
		}
	}

	@Test
	void anApplicationThatSpeaksAnOlderProtocolHasItsLocks() throws Exception {
		int sentinel = sentinel(redis.port());
		LettuceConnectionFactory factory = new LettuceConnectionFactory(
				new RedisSentinelConfiguration().master("locks").sentinel("127.0.0.1", sentinel),
				LettuceClientConfiguration.builder()
					.clientOptions(ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build())
					.build());
		factory.afterPropertiesSet();
		try (RedisInstance instance = instance(factory).connected()) {
			instance.engine().acquire(LockRequest.of("work")).close();
		}
	}

	@Test
	void nothingIsLeftOfAnInstanceThatHasClosed() throws Exception {
		int sentinel = sentinel(redis.port());
		LettuceConnectionFactory admin = RedisServerExtension.factory(sentinel);
		try {
			RedisAdmin sentinels = new RedisAdmin(admin);
			assertThat(sentinels.info("clients")).contains("connected_clients=1\n");
			int before = threads();
			try (RedisInstance instance = instance(factory("locks", sentinel, "")).connected()) {
				LockHandle held = instance.engine().acquire(LockRequest.of("work"));
				assertThat(sentinels.info("clients")).contains("connected_clients=2\n");
				held.close();
			}
			await().atMost(SOON).untilAsserted(() -> assertThat(threads()).isLessThanOrEqualTo(before));
			await().atMost(SOON)
				.untilAsserted(() -> assertThat(sentinels.info("clients")).contains("connected_clients=1\n"));
		}
		finally {
			admin.destroy();
		}
	}

	private static int threads() {
		return (int) Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("watchdog-lock") || thread.getName().startsWith("lettuce"))
			.count();
	}

	private static void assertRefused(LettuceConnectionFactory factory, String... words) {
		try (RedisInstance instance = instance(factory)) {
			await().atMost(SOON).untilAsserted(() -> {
				Throwable failure = catchThrowable(() -> instance.engine().tryAcquire(LockRequest.of("work")));
				assertThat(failure).isInstanceOf(LockStoreException.class).hasMessageContainingAll(words);
			});
		}
	}

	private static RedisInstance instance(LettuceConnectionFactory factory) {
		return new RedisInstance(factory, new EngineObserver() {
		});
	}

	private static LettuceConnectionFactory factory(String master, int sentinel, String password) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(master)
			.sentinel("127.0.0.1", sentinel);
		if (!password.isEmpty()) {
			configuration.setSentinelPassword(password);
		}
		LettuceConnectionFactory factory = new LettuceConnectionFactory(configuration);
		factory.afterPropertiesSet();
		return factory;
	}

	private int sentinel(int primary, String... settings) {
		int port = RedisServerExtension.freePort();
		this.processes.add(new ServerSpec(this.directory, port, true)
			.start(Stream.concat(Stream.of("sentinel monitor locks 127.0.0.1 " + primary + " 1"), Stream.of(settings))
				.toList()));
		await().atMost(SOON).ignoreExceptions().until(() -> {
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				return socket.isConnected();
			}
			catch (IOException ex) {
				return false;
			}
		});
		return port;
	}

}
