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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.fault.Fault;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisClusterExtension;
import io.github.watchdoglock.redis.RedisServer;
import io.github.watchdoglock.support.LockNews;
import io.lettuce.core.ClientOptions.ReauthenticateBehavior;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.data.redis.core.types.RedisClientInfo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for restrictions of managed Redis services: missing commands, proxies, and
 * interrupted connections.
 */
@Tag("topologies")
@ExtendWith({ OutputCaptureExtension.class, Tally.class })
class ManagedServiceIT {

	/* Much longer than a message takes. */
	private static final Duration POLL = Duration.ofSeconds(4);

	/* Messages hand locks on between instances, as if no command was missing. */
	@ParameterizedTest
	@ValueSource(strings = { "CONFIG", "INFO", "SCRIPT", "PSUBSCRIBE", "ROLE", "CONFIG INFO SCRIPT PSUBSCRIBE ROLE" })
	void waitersGetLocksByMessageWhenCommandsAreMissing(String commands, CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.started(Stream.of(commands.split(" "))
			.map((command) -> "rename-command " + command + " \"\"")
			.toArray(String[]::new))) {
			assertThat(handOn(List.of("spring.data.redis.port=" + server.port(),
					"watchdog-lock.poll-interval=" + POLL.toSeconds() + "s")))
				.isLessThan(POLL.dividedBy(2));
		}
		assertThat(output).doesNotContain("locks fail", "The connection is retried");
	}

	@Test
	void instancesPollAndLogWarningWhenChannelsAreDenied(CapturedOutput output) throws Exception {
		try (RedisServer server = RedisServer.started()) {
			server.admin().setUser("mute", "+@all ~*");
			handOn(List.of("spring.data.redis.port=" + server.port(), "spring.data.redis.username=mute",
					"spring.data.redis.password=" + RedisAdmin.PASSWORD));
		}
		await().untilAsserted(() -> assertThat(output).contains("waiting instances poll"));
		assertThat(output).doesNotContain("locks fail");
	}

	@Test
	void missingEvalshaIsReportedWithRequiredPermission() {
		try (RedisServer server = RedisServer.started("rename-command EVALSHA \"\"");
				ConfigurableApplicationContext application = SuiteApplication
					.run(List.of("spring.data.redis.port=" + server.port()), Driver.LETTUCE)) {
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> locks(application).acquire(LockRequest.of("work")))
				.withMessageContainingAll("Redis at localhost:" + server.port() + " refused", "unknown command",
						"locks need ACL SETUSER <user> +evalsha");
		}
	}

	/*
	 * The endpoint has all slots, and rejects commands with several keys of different
	 * slots.
	 */
	@Test
	void locksOfAllSlotsAreRenewedThroughSingleClusterEndpoint() throws Exception {
		try (RedisServer server = RedisClusterExtension.servers(1).get(0)) {
			RedisClusterExtension.form(List.of(server), 1);
			try (ConfigurableApplicationContext application = SuiteApplication.connected(
					List.of("spring.data.redis.port=" + server.port(), "watchdog-lock.lease-time=3s"),
					Driver.LETTUCE)) {
				List<LockHandle> held = new ArrayList<>();
				// So many that some are due at the same moment.
				for (int i = 0; i < 100; i++) {
					held.add(locks(application).acquire(LockRequest.of("slot", "" + i)));
				}
				LockNews news = application.getBean(LockNews.class);
				held.forEach((handle) -> await().until(() -> news.count("renewed", handle.key()) > 1));
				// The first batches are rejected; from then on there is one batch for
				// each slot.
				assertThat(server.admin().info("errorstats")).containsPattern("errorstat_CROSSSLOT=count=[1-5]\n");
				assertThat(held).allMatch(LockHandle::isHeld);
				assertThat(news.losses()).isEmpty();
				held.forEach(LockHandle::close);
			}
		}
	}

	/*
	 * Pings keep the subscription alive; commands, including renewals every two seconds,
	 * find a newly opened connection.
	 */
	@Test
	void idleConnectionIsReopenedAfterCutAndSubscriptionIsKept() throws Exception {
		Duration idle = Duration.ofMillis(1_500);
		try (RedisServer server = RedisServer.started();
				FaultProxy relay = FaultProxy.to(server.port());
				ConfigurableApplicationContext application = SuiteApplication.connected(
						List.of("spring.data.redis.port=" + relay.port(), "watchdog-lock.lease-time=6s"),
						Driver.LETTUCE)) {
			relay.cutIdle(idle);
			await().until(() -> !subscribers(server).isEmpty());
			List<String> subscribers = subscribers(server);
			for (int i = 0; i < 3; i++) {
				long before = relay.effects(Fault.CUT);
				await().until(() -> relay.effects(Fault.CUT) > before);
				await().pollDelay(Duration.ofMillis(500)).until(() -> true);
				locks(application).acquire(LockRequest.of("work")).close();
			}
			LockHandle held = locks(application).acquire(LockRequest.of("long"));
			long before = relay.effects(Fault.CUT);
			LockNews news = application.getBean(LockNews.class);
			await().until(() -> relay.effects(Fault.CUT) > before && news.count("renewed", held.key()) > 1);
			assertThat(held.isHeld()).isTrue();
			assertThat(subscribers(server)).as("connections that listen").isEqualTo(subscribers);
			held.close();
		}
	}

	@Test
	void newConnectionUsesRotatedPasswordOfProvider() throws Exception {
		try (RedisServer server = RedisServer.started()) {
			server.admin().setUser("alice", "+@all ~* &*");
			Rotating.credentials.set("alice", RedisAdmin.PASSWORD);
			try (ConfigurableApplicationContext application = rotating(server)) {
				server.admin().command("ACL", "SETUSER", "alice", "resetpass", ">new");
				Rotating.credentials.set("alice", "new");
				server.admin().killClients();
				await().ignoreExceptionsInstanceOf(LockStoreException.class)
					.until(() -> locks(application).find(LockKey.of("work")).isEmpty());
				locks(application).acquire(LockRequest.of("work")).close();
			}
		}
	}

	/* With one further user, so that the server reports the user of a connection. */
	@Test
	void openConnectionsReauthenticateWhenCredentialsRotate() throws Exception {
		try (RedisServer server = RedisServer.started()) {
			Stream.of("alice", "bob").forEach((user) -> server.admin().setUser(user, "+@all ~* &*"));
			Rotating.credentials.set("alice", RedisAdmin.PASSWORD);
			try (ConfigurableApplicationContext application = rotating(server)) {
				LockHandle held = locks(application).acquire(LockRequest.of("work"));
				await().until(() -> connections(server, "alice") == 2);
				Rotating.credentials.set("bob", RedisAdmin.PASSWORD);
				await().until(() -> connections(server, "bob") == 2 && connections(server, "alice") == 0);
				assertThat(held.isHeld()).isTrue();
				held.close();
			}
		}
	}

	private static long connections(RedisServer server, String user) {
		return ours(server).filter((client) -> user.equals(client.get("user"))).count();
	}

	/* The ids of subscribed clients. */
	private static List<String> subscribers(RedisServer server) {
		return ours(server).filter((client) -> !"0".equals(client.get("sub")))
			.map((client) -> client.get("id"))
			.toList();
	}

	private static Stream<RedisClientInfo> ours(RedisServer server) {
		return server.admin()
			.clients()
			.filter((client) -> String.valueOf(client.getName()).startsWith("watchdog-lock"));
	}

	private static ConfigurableApplicationContext rotating(RedisServer server) {
		return SuiteApplication.connected(List.of("spring.data.redis.port=" + server.port()), Driver.LETTUCE,
				Rotating.class);
	}

	/* The minimum time: the first message may arrive before the subscription. */
	private static Duration handOn(List<String> properties) {
		LockRequest request = LockRequest.of("work").withWaitTime(Duration.ofSeconds(30));
		try (ConfigurableApplicationContext one = SuiteApplication.connected(properties, Driver.LETTUCE);
				ConfigurableApplicationContext other = SuiteApplication.connected(properties, Driver.LETTUCE)) {
			return Stream.of(one, other, one)
				.map((from) -> SuiteApplication.handOn(locks(from), locks((from == one) ? other : one), request))
				.min(Comparator.naturalOrder())
				.orElseThrow();
		}
	}

	private static LockService locks(ConfigurableApplicationContext application) {
		return application.getBean(LockService.class);
	}

	/**
	 * The current and future credentials.
	 */
	static final class Credentials implements RedisCredentialsProvider {

		private final Sinks.Many<RedisCredentials> changes = Sinks.many().replay().latest();

		void set(String user, String password) {
			this.changes.tryEmitNext(RedisCredentials.just(user, password));
		}

		@Override
		public Mono<RedisCredentials> resolveCredentials() {
			return credentials().next();
		}

		@Override
		public boolean supportsStreaming() {
			return true;
		}

		@Override
		public Flux<RedisCredentials> credentials() {
			return this.changes.asFlux();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Rotating {

		static final Credentials credentials = new Credentials();

		@Bean
		LettuceClientConfigurationBuilderCustomizer provider() {
			return (client) -> client.redisCredentialsProviderFactory(new RedisCredentialsProviderFactory() {

				@Override
				public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
					return credentials;
				}

			});
		}

		@Bean
		LettuceClientOptionsBuilderCustomizer onLivingConnections() {
			return (options) -> options.reauthenticateBehavior(ReauthenticateBehavior.ON_NEW_CREDENTIALS);
		}

	}

}
