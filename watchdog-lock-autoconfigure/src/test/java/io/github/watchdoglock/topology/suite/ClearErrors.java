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

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.fault.FaultProxy;
import io.github.watchdoglock.redis.DocumentedUser;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisClusterExtension;
import io.github.watchdoglock.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests that a wrong connection setting causes one error with the address, the reason,
 * and the action. The application starts.
 */
@SuppressWarnings("NullAway.Init")
abstract class ClearErrors {

	static RedisServer server;

	static Certificates certificates;

	static FaultProxy tls;

	private final Driver driver;

	ClearErrors(Driver driver) {
		this.driver = driver;
	}

	@BeforeAll
	static void start() {
		server = RedisServer.started();
		certificates = Certificates.valid();
		tls = FaultProxy.ofTls(server.port(), certificates.server());
	}

	@AfterAll
	static void stop() {
		tls.close();
		certificates.close();
		server.close();
	}

	@Test
	void expiredServerCertificateIsReportedWithRemedy() {
		try (Certificates expired = Certificates.expiredOfServer();
				FaultProxy relay = FaultProxy.ofTls(server.port(), expired.server())) {
			assertThat(error(relay.port(), expired.properties())).contains(at(relay.port()) + " by TLS", "NotAfter: ",
					"the server's certificate has expired: renew it there");
		}
	}

	@Test
	void expiredClientCertificateIsReportedWithRemedy() {
		try (Certificates expired = Certificates.expiredOfClient();
				FaultProxy relay = FaultProxy.ofTls(server.port(), expired.server())) {
			assertThat(error(relay.port(), expired.properties())).contains(at(relay.port()) + " by TLS",
					"the server does not accept this application's certificate", "keystore of the SSL bundle");
		}
	}

	@Test
	void untrustedAuthorityIsReportedWithRemedy() {
		assertThat(error(tls.port(), List.of("spring.data.redis.ssl.enabled=true")))
			.contains(at(tls.port()) + " by TLS", "is not trusted", "truststore of the SSL bundle");
	}

	@Test
	void plainConnectionToTlsPortIsReportedWithProperty() {
		assertThat(error(tls.port(), List.of())).contains(at(tls.port()), "if this port uses TLS",
				"set spring.data.redis.ssl.enabled to true");
	}

	@Test
	void clusterNodeConfiguredAsSingleRedisIsReportedWithProperty() {
		List<RedisServer> servers = RedisClusterExtension.servers(2);
		try (RedisServer first = servers.get(0); RedisServer second = servers.get(1)) {
			RedisClusterExtension.form(List.of(first, second), 2);
			assertThat(error(first.port(), List.of())).contains(at(first.port()) + " refused", "MOVED",
					"spring.data.redis.cluster.nodes");
		}
	}

	@Test
	void missingPermissionIsReportedWithAclCommand() {
		server.admin().setUser(DocumentedUser.NAME, DocumentedUser.rules().replace("+evalsha ", ""));
		assertThat(error(server.port(), user())).contains(at(server.port()) + " refused", "NOPERM",
				"ACL SETUSER <user> +evalsha");
	}

	static List<String> user() {
		return List.of("spring.data.redis.username=" + DocumentedUser.NAME,
				"spring.data.redis.password=" + RedisAdmin.PASSWORD);
	}

	static String at(int port) {
		return "Redis at localhost:" + port;
	}

	static List<String> with(int port, List<String> properties) {
		List<String> all = new ArrayList<>(properties);
		all.add("spring.data.redis.port=" + port);
		return all;
	}

	String error(int port, List<String> properties) {
		return error(with(port, properties));
	}

	/* A driver that waits must have ended before the call has. */
	String error(List<String> properties) {
		List<String> all = new ArrayList<>(properties);
		all.add("watchdog-lock.command-timeout=5s");
		try (ConfigurableApplicationContext application = SuiteApplication.run(all, this.driver)) {
			return error(application);
		}
	}

	/* Several locks are tried, because a node of a cluster has a part of them. */
	static String error(ConfigurableApplicationContext application) {
		LockService locks = application.getBean(LockService.class);
		return IntStream.range(0, 50)
			.mapToObj((i) -> error(locks, "work" + i))
			.filter((error) -> !error.isEmpty())
			.findFirst()
			.orElse("");
	}

	private static String error(LockService locks, String name) {
		LockStoreException failure = catchThrowableOfType(LockStoreException.class,
				() -> locks.tryAcquire(LockRequest.of(name)).ifPresent(LockHandle::close));
		return (failure != null) ? String.valueOf(failure.getMessage()) : "";
	}

}
