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

import java.util.List;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.redis.DocumentedUser;
import io.github.watchdoglock.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The tests with Lettuce, and tests for the interaction of two contexts.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class ClearErrorsTests extends ClearErrors {

	private static final LockRequest REQUEST = LockRequest.of("work");

	ClearErrorsTests() {
		super(Driver.LETTUCE);
	}

	/* Redis waits for the end of the line. */
	@Test
	void tlsConnectionToPlainPortIsReportedWithCause() {
		assertThat(error(server.port(), certificates.properties())).contains(at(server.port()) + " by TLS",
				"no response within 2 s (if it never responds, this port may not use TLS");
	}

	@Test
	void singleRedisConfiguredAsClusterIsReportedWithProperty() {
		assertThat(error(List.of("spring.data.redis.cluster.nodes=" + server.address()))).contains(server.address(),
				"this is not a cluster", "spring.data.redis.host");
	}

	/* Open connections are not affected. */
	@Test
	void rotatedPasswordFailsNewConnectionsWithOneLogLine(CapturedOutput output) throws Exception {
		server.admin().setUser(DocumentedUser.NAME, DocumentedUser.rules());
		try (ConfigurableApplicationContext application = SuiteApplication.connected(with(server.port(), user()),
				Driver.LETTUCE)) {
			server.admin().command("ACL", "SETUSER", DocumentedUser.NAME, "resetpass", ">new");
			LockService locks = application.getBean(LockService.class);
			locks.acquire(REQUEST).close();
			server.admin().killClients();
			await().untilAsserted(() -> assertThat(error(application)).contains(at(server.port()), "WRONGPASS",
					"check user name and password", "RedisCredentialsProvider"));
		}
		await().untilAsserted(() -> assertThat(output).containsOnlyOnce(at(server.port()) + " for locks: "));
	}

	@Test
	void unreachableRedisIsReportedWithAddressInErrorsAndLog(CapturedOutput output) {
		int one = RedisServer.freePort();
		int other = RedisServer.freePort();
		assertThat(error(one, List.of())).contains(at(one), "refused");
		assertThat(error(other, List.of())).contains(at(other), "refused");
		assertThat(error(List.of("spring.data.redis.cluster.nodes=127.0.0.1:" + one)))
			.contains("a Redis cluster at [127.0.0.1:" + one + "]", "refused");
		await().untilAsserted(() -> assertThat(output).contains("No connection to " + at(one) + " for locks: "));
	}

	@Test
	void contextsWithDifferentRedisServersLockSameKeyIndependently() throws Exception {
		try (RedisServer second = RedisServer.started();
				ConfigurableApplicationContext one = several("first", server, second);
				ConfigurableApplicationContext other = several("second", server, second)) {
			LockHandle held = one.getBean(LockService.class).acquire(REQUEST);
			LockHandle alsoHeld = other.getBean(LockService.class).acquire(REQUEST);
			assertThat(server.admin().isTaken("work"))
				.as("key is held at the first Redis (lines 102, 104, 106: name the server in the same way)")
				.isTrue();
			assertThat(second.admin().isTaken("work")).isTrue();
			held.close();
			assertThat(server.admin().isTaken("work")).isFalse();
			assertThat(alsoHeld.isHeld()).isTrue();
			assertThat(second.admin().isTaken("work")).isTrue();
			second.process().kill();
			await().untilAsserted(() -> assertThat(error(other)).contains("127.0.0.1:" + second.port()));
			one.getBean(LockService.class).acquire(REQUEST).close();
		}
	}

	private static ConfigurableApplicationContext several(String name, RedisServer first, RedisServer second) {
		return SuiteApplication.connected(List.of("watchdog-lock.connection-factory=" + name,
				"first.port=" + first.port(), "second.port=" + second.port()), Driver.LETTUCE, TwoFactories.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoFactories {

		@Bean
		LettuceConnectionFactory first(Environment environment) {
			return RedisServer.factory(environment.getRequiredProperty("first.port", Integer.class));
		}

		@Bean
		LettuceConnectionFactory second(Environment environment) {
			return RedisServer.factory(environment.getRequiredProperty("second.port", Integer.class));
		}

	}

}
