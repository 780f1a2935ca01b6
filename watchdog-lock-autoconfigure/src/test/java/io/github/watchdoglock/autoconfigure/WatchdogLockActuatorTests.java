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

package io.github.watchdoglock.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.actuate.LockHealth;
import io.github.watchdoglock.actuate.LockHealthIndicator;
import io.github.watchdoglock.actuate.LocksEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WatchdogLockEndpointAutoConfiguration} and
 * {@link WatchdogLockHealthAutoConfiguration}.
 */
class WatchdogLockActuatorTests {

	private final ApplicationContextRunner contexts = LockContexts.local()
		.withPropertyValues("management.endpoints.web.exposure.include=*");

	@Test
	void endpointBeanIsAbsentWhenNotExposed() {
		this.contexts.withPropertyValues("management.endpoints.web.exposure.exclude=locks")
			.run((context) -> assertThat(context).doesNotHaveBean(LocksEndpoint.class)
				.hasSingleBean(LockHealthIndicator.class));
	}

	@Test
	void healthIndicatorIsAbsentWhenDisabledByProperty() {
		for (String property : new String[] { "watchdog-lock", "watchdogLock", "watchdoglock" }) {
			this.contexts.withPropertyValues("management.health." + property + ".enabled=false")
				.run((context) -> assertThat(context).hasNotFailed()
					.hasSingleBean(LocksEndpoint.class)
					.doesNotHaveBean(LockHealthIndicator.class)
					.doesNotHaveBean("watchdogLockRenewalHealth"));
		}
	}

	@Test
	void healthIndicatorIsUpWhenLocksAreDisabled() {
		this.contexts.withPropertyValues("watchdog-lock.enabled=false").run((context) -> {
			assertThat(context.getBean(LockHealthIndicator.class).health().getStatus()).isEqualTo(Status.UP);
			assertThat(context.getBean(LocksEndpoint.class).locks(null, null).heldCount()).isZero();
		});
	}

	@Test
	void renewalLatenessIsReadFromMeterRegistry() {
		this.contexts.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("watchdog-lock.metrics.enabled=false")
			.run((context) -> {
				LockHealth.Lateness lateness = context.getBean(LockHealth.Lateness.class);
				assertThat(lateness.greatest()).isNull();
				context.getBean(MeterRegistry.class)
					.timer("watchdog.lock.renewal.lateness")
					.record(7, TimeUnit.MILLISECONDS);
				assertThat(lateness.greatest()).isEqualTo(Duration.ofMillis(7));
			});
	}

	@Test
	void sanitizingFunctionHidesKeysOfSingleLockName() {
		this.contexts.withPropertyValues("management.endpoint.locks.show-values=always")
			.withBean(SanitizingFunction.class, () -> SanitizingFunction.sanitizeValue().ifKeyEquals("accounts"))
			.run((context) -> {
				LockService locks = context.getBean(LockService.class);
				try (LockHandle account = locks.acquire(LockRequest.of("accounts", "alice"));
						LockHandle order = locks.acquire(LockRequest.of("orders", "42"))) {
					assertThat(account.isHeld() && order.isHeld()).isTrue();
					assertThat(context.getBean(LocksEndpoint.class).locks(null, null).held())
						.extracting((held) -> held.name() + ":" + held.key())
						.containsExactlyInAnyOrder("accounts:******", "orders:42");
				}
			});
	}

}
