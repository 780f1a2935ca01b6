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

import java.util.List;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.AuditEventRepository;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the endpoint of locks with Spring Security: who may read it, see keys and
 * release locks.
 */
@SuppressWarnings("NullAway.Init")
class SecuredLocksEndpointTests {

	private static RunningApplication application;

	@BeforeAll
	static void start() {
		application = RunningApplication.start(List.of(Security.class), "watchdog-lock.store=local",
				"management.endpoint.locks.access=unrestricted",
				"management.endpoint.locks.show-values=when-authorized", "management.endpoint.locks.roles=operator");
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@Test
	void unauthenticatedRequestsAreRejected() {
		assertThat(application.get("locks").status()).isEqualTo(401);
		assertThat(application.ask("GET", "locks", "guest:wrong").status()).isEqualTo(401);
		assertThat(application.ask("DELETE", "locks/orders", null).status()).isEqualTo(401);
	}

	@Test
	void keysAreShownOnlyToUsersWithConfiguredRole() throws Exception {
		try (LockHandle handle = application.locks().acquire(LockRequest.of("orders", "secret"))) {
			assertThat(handle.isHeld()).isTrue();
			for (String path : List.of("locks", "locks?scope=all", "locks/orders", "locks/orders?key=secret")) {
				assertThat(application.ask("GET", path, "guest:guest").text()).contains("******")
					.doesNotContain("secret");
				assertThat(application.ask("GET", path, "operator:operator").text()).contains("\"key\":\"secret\"");
			}
		}
	}

	@Test
	void forceReleaseRequiresOperatorRoleAndAuditsPrincipal() throws Exception {
		try (LockHandle handle = application.locks().acquire(LockRequest.of("orders", "42"))) {
			assertThat(application.ask("DELETE", "locks/orders?key=42", "guest:guest").status()).isEqualTo(403);
			assertThat(handle.isHeld()).isTrue();
			assertThat(application.ask("DELETE", "locks/orders?key=42", "operator:operator").status()).isEqualTo(204);
			assertThat(handle.isHeld()).isFalse();
		}
		assertThat(application.bean(AuditEventRepository.class).find("operator", null, "LOCK_FORCE_RELEASE"))
			.singleElement()
			.satisfies((event) -> assertThat(event.getData()).containsEntry("key", "42"))
			.extracting(AuditEvent::getPrincipal)
			.isEqualTo("operator");
	}

	@Configuration(proxyBeanMethods = false)
	static class Security {

		@Bean
		SecurityFilterChain filters(HttpSecurity http) {
			return http
				.authorizeHttpRequests((requests) -> requests.requestMatchers(HttpMethod.DELETE)
					.hasRole("operator")
					.anyRequest()
					.authenticated())
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.build();
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("guest").password("{noop}guest").roles("guest").build(),
					User.withUsername("operator").password("{noop}operator").roles("operator").build());
		}

	}

}
