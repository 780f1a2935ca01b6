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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.actuate.LeadersEndpoint;
import io.github.watchdoglock.actuate.LeadersEndpointWebExtension;
import io.github.watchdoglock.actuate.LockHealth;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.event.LeadershipAtRiskEvent;
import io.github.watchdoglock.event.LeadershipEvent;
import io.github.watchdoglock.event.LeadershipRecoveredEvent;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.listener.EngineObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for promises to an application and its operators about leaders, in addition to
 * the election.
 */
class LeaderPromisesTests {

	private static final LockKey ROLE = LockKey.ofRole("reports");

	private final ApplicationContextRunner runner = LockContexts.local(AopAutoConfiguration.class)
		.withPropertyValues("management.endpoints.web.exposure.include=leaders");

	private final ApplicationContextRunner standing = this.runner
		.withPropertyValues("watchdog-lock.leaders.reports.candidate=true");

	@Test
	void instanceDoesNotJoinRoleWhenCandidateIsFalse() {
		this.runner
			.withPropertyValues("watchdog-lock.leaders.reports.candidate=false",
					"watchdog-lock.leaders.reports.lease-time=5s", "watchdog-lock.leaders.billing.candidate=true")
			.run((context) -> {
				await().until(() -> context.getBean(LeaderElection.class).of("billing").isLeader());
				assertThat(context.getBean(LeaderElection.class).of("reports").isLeader()).isFalse();
				assertThat(context.getBean(LeaderElections.class).status("reports").declared()).isFalse();
				assertThat(context.getBean(LockService.class).find(ROLE)).isEmpty();
			});
	}

	@Test
	void riskAndRecoveryOfTermArePublishedAsEvents() {
		this.standing.withBean(Events.class).run((context) -> {
			Leadership leadership = LockContexts.awaitLeader(context);
			long term = leadership.term().orElseThrow().number();
			LeaderElections elections = context.getBean(LeaderElections.class);
			elections.observer().atRisk(ROLE, term, Duration.ofSeconds(3), new IllegalStateException("of the test"));
			elections.observer().recovered(ROLE, term);
			List<LeadershipEvent> events = context.getBean(Events.class).all;
			await().until(() -> events.size() == 3);
			assertThat(events.get(1)).asInstanceOf(InstanceOfAssertFactories.type(LeadershipAtRiskEvent.class))
				.satisfies((event) -> assertThat(event.remaining()).isEqualTo(Duration.ofSeconds(3)));
			assertThat(events.get(2)).isInstanceOf(LeadershipRecoveredEvent.class);
		});
	}

	@Test
	void transactionRollsBackWhenTermIsLostBeforeCommit() {
		this.standing
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
					TransactionAutoConfiguration.class))
			.withBean(Writer.class)
			.run((context) -> {
				JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
				jdbc.execute("create table report (id int primary key)");
				LockContexts.awaitLeader(context);
				Writer writer = context.getBean(Writer.class);
				writer.write(1, () -> {
				});
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> writer.write(2, () -> context.getBean(LockService.class).forceRelease(ROLE)))
					.withMessageContaining("%role:reports");
				assertThat(jdbc.queryForList("select id from report", Integer.class)).containsExactly(1);
			});
	}

	@Test
	void healthAndMetersShowLeaderAndOverdueWork() {
		this.runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run((context) -> {
			CompletableFuture<Void> gate = new CompletableFuture<>();
			// Waits and ignores interrupts.
			Leadership leadership = context.getBean(LeaderElection.class).join("reports", (term) -> gate.join());
			await().until(leadership::isLeader);
			LockHealth health = context.getBean(LockHealth.class);
			assertThat(health.report().details()).extractingByKey("leaders", InstanceOfAssertFactories.MAP)
				.extractingByKey("reports", InstanceOfAssertFactories.MAP)
				.containsEntry("leading", true)
				.containsKey("since")
				.doesNotContainKey("overdueWork");
			leadership.resign();
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			await().until(() -> registry.get("watchdog.leader.overdue").tag("role", "reports").gauge().value() == 1);
			assertThat(health.report().inService()).as("not to lead is no illness").isTrue();
			assertThat(health.report().details()).extractingByKey("leaders", InstanceOfAssertFactories.MAP)
				.extractingByKey("reports", InstanceOfAssertFactories.MAP)
				.containsEntry("leading", false)
				.containsEntry("overdueWork", 1)
				.doesNotContainKey("since");
			gate.complete(null);
		});
	}

	@Test
	void endpointRequestsResignationOfOtherInstance() {
		this.runner.run((context) -> {
			List<LockKey> asked = new CopyOnWriteArrayList<>();
			LockEngine other = LockContexts.other(context);
			other.setRoleObserver(new EngineObserver() {

				@Override
				public void resignRequested(LockKey key, long token) {
					asked.add(key);
				}

			});
			LockHandle led = other.acquireAsync(LockRequest.of(ROLE)).join();
			LeadersEndpointWebExtension web = new LeadersEndpointWebExtension(context.getBean(LeadersEndpoint.class));
			assertThat(web.resign(SecurityContext.NONE, "reports", null).getStatus()).isEqualTo(202);
			await().until(() -> asked.contains(ROLE));
			assertThat(led.isHeld()).as("asked, not taken").isTrue();
			assertThat(web.resign(SecurityContext.NONE, "nobody", null).getStatus()).isEqualTo(404);
			assertThat(context.getBean(LeaderElections.class).list()).as("known by being asked for").isEmpty();
		});
	}

	static class Events {

		private final List<LeadershipEvent> all = new CopyOnWriteArrayList<>();

		@EventListener
		void on(LeadershipEvent event) {
			this.all.add(event);
		}

	}

	public static class Writer {

		private final JdbcTemplate jdbc;

		Writer(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@LeaderOnly(value = "reports", onLoss = OnLoss.FAIL)
		@Transactional
		public void write(int id, Runnable meanwhile) {
			this.jdbc.update("insert into report values (?)", id);
			meanwhile.run();
		}

	}

}
