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

import io.github.watchdoglock.LeaderElection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.audit.AuditEventRepository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the endpoint of roles over HTTP: who may read it, and who may request that a
 * leader resigns.
 */
class LeadersEndpointHttpTests {

	private static final String[] PROPERTIES = { "watchdog-lock.store=local",
			"watchdog-lock.leaders.reports.candidate=true" };

	@Tag("slow")
	@Test
	void resignRequestIsAcceptedFromOperatorOnly() {
		try (RunningApplication application = RunningApplication.start(
				List.of(SecuredLocksEndpointTests.Security.class),
				with("management.endpoint.leaders.access=unrestricted"))) {
			LeaderElection election = application.bean(LeaderElection.class);
			await().until(() -> election.of("reports").isLeader());
			long first = election.of("reports").term().orElseThrow().number();
			assertThat(application.get("leaders").status()).isEqualTo(401);
			assertThat(application.ask("DELETE", "leaders/reports", null).status()).isEqualTo(401);
			assertThat(application.ask("DELETE", "leaders/reports", "guest:guest").status()).isEqualTo(403);
			assertThat(application.ask("GET", "leaders", "guest:guest").text()).contains("\"role\":\"reports\"",
					"\"leading\":true", "\"term\":" + first);
			assertThat(application.ask("DELETE", "leaders/reports", "operator:operator").status()).isEqualTo(202);
			await().until(() -> election.of("reports").term().filter((term) -> term.number() > first).isPresent());
			assertThat(application.ask("DELETE", "leaders/reports?force=true", "operator:operator").status())
				.isEqualTo(204);
			assertThat(application.ask("DELETE", "leaders/nobodys", "operator:operator").status()).isEqualTo(404);
			assertThat(application.ask("GET", "leaders/nobodys", "guest:guest").status()).isEqualTo(404);
			assertThat(application.ask("GET", "leaders/reports", "guest:guest").status()).isEqualTo(200);
			assertThat(application.bean(AuditEventRepository.class).find("operator", null, null)).isNotEmpty();
		}
	}

	@Test
	void resignRequestIsRejectedByDefaultAndTermContinues() {
		try (RunningApplication application = RunningApplication.start(with(RunningApplication.WITHOUT_SECURITY))) {
			LeaderElection election = application.bean(LeaderElection.class);
			await().until(() -> election.of("reports").isLeader());
			long first = election.of("reports").term().orElseThrow().number();
			assertThat(application.get("leaders").status()).isEqualTo(200);
			assertThat(application.ask("DELETE", "leaders/reports", null).status()).isEqualTo(405);
			assertThat(application.ask("DELETE", "leaders/reports?force=true", null).status()).isEqualTo(405);
			assertThat(election.of("reports").term().orElseThrow().number()).isEqualTo(first);
		}
	}

	private static String[] with(String property) {
		return new String[] { PROPERTIES[0], PROPERTIES[1], property };
	}

}
