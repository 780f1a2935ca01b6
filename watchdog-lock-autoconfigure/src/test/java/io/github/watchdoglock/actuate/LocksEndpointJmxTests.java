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

package io.github.watchdoglock.actuate;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import javax.management.MBeanFeatureInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for the endpoint of locks over JMX.
 */
class LocksEndpointJmxTests {

	private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

	@Test
	void operationsListFindAndForceReleaseLocksWithUnrestrictedAccess() throws Exception {
		try (ConfigurableApplicationContext application = application("management.endpoint.locks.access=unrestricted",
				"management.endpoint.locks.show-values=always");
				LockHandle handle = application.getBean(LockService.class).acquire(LockRequest.of("orders", "42"))) {
			assertThat(operations()).containsExactlyInAnyOrder("locks", "lock", "allLocks", "forceRelease");
			assertThat(invoke("locks", null, true)).extracting("held", InstanceOfAssertFactories.LIST)
				.singleElement(InstanceOfAssertFactories.MAP)
				.containsEntry("key", "42")
				.containsEntry("lease", "PT30S")
				.extractingByKey("stack", InstanceOfAssertFactories.LIST)
				.isNotEmpty();
			assertThat(invoke("lock", "orders", "42", null, null)).extracting("state").isNotNull();
			assertThat(invoke("lock", "orders", "43", null, null)).isNull();
			assertThat(invoke("allLocks", null, null)).extracting("held", InstanceOfAssertFactories.LIST)
				.singleElement(InstanceOfAssertFactories.MAP)
				.containsAllEntriesOf(Map.of("key", "42", "token", handle.fencingToken(), "waiting", 0));
			assertThatException().isThrownBy(() -> invoke("allLocks", 1_001, null));
			assertThatException().isThrownBy(() -> invoke("allLocks", null, "nonsense"))
				.withStackTraceContaining("'cursor' is not from an earlier answer");
			assertThat(invoke("forceRelease", "orders", null)).isEqualTo(Map.of("released", false));
			assertThat(invoke("forceRelease", "orders", "42")).isEqualTo(Map.of("released", true));
			assertThat(handle.whenLost()).succeedsWithin(Duration.ofSeconds(20))
				.extracting(LockLoss::reason)
				.isEqualTo(LockLoss.Reason.FORCED);
			assertThat(application.getBean(AuditEventRepository.class).find("", null, "LOCK_FORCE_RELEASE"))
				.as("audit events of force releases, one for each call")
				.hasSize(2);
		}
	}

	@Test
	void keysAreHiddenAndForceReleaseIsAbsentByDefault() throws Exception {
		try (ConfigurableApplicationContext application = application();
				LockHandle handle = application.getBean(LockService.class)
					.acquire(LockRequest.of("orders", "secret"))) {
			assertThat(handle.isHeld()).isTrue();
			assertThat(operations()).containsExactlyInAnyOrder("locks", "lock", "allLocks");
			assertThat(invoke("locks", null, null)).asString().contains("******").doesNotContain("secret");
			assertThat(invoke("allLocks", null, null)).asString().contains("******").doesNotContain("secret");
			for (Object[] asked : new Object[][] { { null, true }, { 1_001, null }, { -1, null } }) {
				assertThatException().isThrownBy(() -> invoke("locks", asked));
			}
			assertThatException().isThrownBy(() -> invoke("lock", "orders", null, null, true))
				.withStackTraceContaining("'stack' needs management.endpoint.locks.access=unrestricted");
		}
	}

	private static ConfigurableApplicationContext application(String... properties) {
		return new SpringApplicationBuilder(RunningApplication.Application.class).web(WebApplicationType.NONE)
			.properties("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=locks",
					"watchdog-lock.store=local")
			.properties(properties)
			.run();
	}

	private ObjectName name() throws Exception {
		return this.server.queryNames(new ObjectName("org.springframework.boot:type=Endpoint,name=Locks,*"), null)
			.iterator()
			.next();
	}

	private List<String> operations() throws Exception {
		return Arrays.stream(this.server.getMBeanInfo(name()).getOperations()).map(MBeanFeatureInfo::getName).toList();
	}

	private @Nullable Object invoke(String operation, @Nullable Object... arguments) throws Exception {
		return this.server.invoke(name(), operation, arguments, new String[arguments.length]);
	}

}
