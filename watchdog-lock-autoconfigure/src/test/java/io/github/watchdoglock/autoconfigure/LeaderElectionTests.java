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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.actuate.LeadersEndpoint;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.engine.LockEngine;
import io.github.watchdoglock.event.LeadershipEvent;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.leader.RoleStatus;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.support.SlowWork;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.SingletonTargetSource;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for leader election in an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeaderElectionTests {

	private static final LockKey ROLE = LockKey.ofRole("reports");

	private final ApplicationContextRunner plain = LockContexts.plain();

	private final ApplicationContextRunner local = LockContexts.local()
		.withPropertyValues("management.endpoints.web.exposure.include=leaders");

	@Test
	void applicationWithoutRolesStartsWithoutStore() {
		this.plain.run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(LeaderElection.class);
			assertThat(context.getBean(LeaderElection.class).of("reports").isLeader()).isFalse();
		});
	}

	@Test
	void candidateWithoutStoreIsRejectedAtStartup() {
		this.plain.withPropertyValues("watchdog-lock.leaders.reports.candidate=true")
			.run(LockContexts.rejected("Locks cannot be stored"));
	}

	@Test
	void roleOfPropertiesIsLedWithItsLeaseTime() {
		this.local.withPropertyValues("watchdog-lock.leaders.reports=", "watchdog-lock.leaders.billing.lease-time=5s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				LeaderElection election = context.getBean(LeaderElection.class);
				await().until(() -> election.of("reports").isLeader() && election.of("billing").isLeader());
				assertThat(election.of("billing").term().map(LeaderTerm::remaining).orElseThrow())
					.isBetween(Duration.ofMillis(1), Duration.ofSeconds(5));
			});
	}

	@Test
	void wrongLeaderPropertiesAreReportedTogether() {
		this.local
			.withPropertyValues("watchdog-lock.leaders.reports.lease-time=10ms",
					"watchdog-lock.leaders[" + "x".repeat(81) + "].candidate=true")
			.run(LockContexts.rejected("watchdog-lock.leaders.reports.lease-time is '10ms'",
					"longer than 80 characters"));
	}

	@Test
	void workRunsInEachTermUntilResignationOrClose() {
		this.local.withUserConfiguration(Working.class).run((context) -> {
			Reports reports = context.getBean(Reports.class);
			await().until(() -> reports.terms.size() == 1);
			LeaderTerm first = reports.terms.get(0);
			context.getBean(LeaderElection.class).of("reports").resign();
			await().until(() -> reports.terms.size() == 2);
			assertThat(reports.terms.get(1).number()).isGreaterThan(first.number());
			await().untilAsserted(
					() -> assertThat(reports.heard).containsExactly("granted", "revoked RESIGNED", "granted"));
			await()
				.untilAsserted(() -> assertThat(reports.events).extracting((event) -> event.getClass().getSimpleName())
					.containsExactly("LeadershipGrantedEvent", "LeadershipRevokedEvent", "LeadershipGrantedEvent"));
			context.close();
			assertThat(reports.interrupts).hasValue(2);
			assertThat(reports.terms.get(1).isLeading()).isFalse();
		});
	}

	@Test
	void secondCandidacyForSameRoleIsRejectedAtStartup() {
		this.local.withUserConfiguration(Working.class, WorkingAgain.class)
			.run(LockContexts.rejected("is a candidate for role 'reports' twice"));
	}

	@Test
	void leaderOnlyMethodRunsOnlyWhileInstanceLeads() {
		this.local.withBean(Nightly.class).run((context) -> {
			Nightly nightly = context.getBean(Nightly.class);
			LockContexts.awaitLeader(context);
			assertThat(nightly.count()).contains(1);
			assertThat(nightly.stage()).isCompletedWithValue(2);
			nightly.run();
			assertThat(nightly.calls()).isEqualTo(3);
			try (LockHandle taken = takeElsewhere(context)) {
				assertThat(taken.isHeld()).isTrue();
				assertThat(nightly.count()).as("result of the method while another instance leads").isEmpty();
				assertThat(nightly.stage()).isCompletedWithValue(null);
				nightly.run();
				assertThat(nightly.calls()).isEqualTo(3);
			}
			await().until(() -> nightly.count().isPresent());
		});
	}

	@Test
	void runningLeaderOnlyMethodDelaysNextTerm() {
		this.local.withBean(Nightly.class).run((context) -> {
			Nightly nightly = context.getBean(Nightly.class);
			Leadership leadership = LockContexts.awaitLeader(context);
			CompletableFuture<Void> running = CompletableFuture.runAsync(nightly::block);
			await().until(() -> nightly.calls() == 1);
			leadership.resign();
			assertThat(leadership.isLeader()).isFalse();
			// Listeners are notified meanwhile; the term is kept until they return.
			await().until(() -> context.getBean(LeaderElections.class).status("reports").overdue() == 1);
			assertThat(nightly.count()).isEmpty();
			nightly.open();
			running.join();
			await().until(leadership::isLeader);
		});
	}

	@Test
	void leaderOnlyMethodIsInterruptedOrFailsWhenTermEnds() {
		this.local.withBean(Nightly.class).run((context) -> {
			Nightly nightly = context.getBean(Nightly.class);
			Leadership leadership = LockContexts.awaitLeader(context);
			CompletableFuture<Boolean> interrupted = CompletableFuture.supplyAsync(nightly::blockUntilInterrupted);
			await().until(() -> nightly.calls() == 1);
			leadership.resign();
			assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
			await().until(leadership::isLeader);
			CompletableFuture<Void> failing = CompletableFuture.runAsync(nightly::blockAndFail);
			await().until(() -> nightly.calls() == 2);
			try (LockHandle taken = takeElsewhere(context)) {
				nightly.open();
				assertThat(taken.isHeld()).isTrue();
				assertThatExceptionOfType(CompletionException.class).isThrownBy(failing::join)
					.withMessageContainingAll("%role:reports", "forced");
			}
		});
	}

	@Test
	void lifecycleBeansAreStartedAndStoppedWithTerm() {
		this.local.withUserConfiguration(Consumers.class).run((context) -> {
			List<SmartLifecycle> consumers = Stream.of("byClass", "byMethod", "finalClass", "finalMethods", "proxied")
				.map((name) -> context.getBean(name, SmartLifecycle.class))
				.toList();
			await().until(() -> consumers.stream().allMatch(SmartLifecycle::isRunning));
			assertThat(context.getBean(LeaderElections.class).list()).extracting(RoleStatus::role)
				.containsExactly("reports");
			try (LockHandle taken = takeElsewhere(context)) {
				assertThat(taken.isHeld()).isTrue();
				await().until(() -> consumers.stream().noneMatch(SmartLifecycle::isRunning));
				context.start();
				context.getBean("proxied", SmartLifecycle.class).start();
				assertThat(consumers).as("started by somebody else").noneMatch(SmartLifecycle::isRunning);
			}
			await().until(() -> consumers.stream().allMatch(SmartLifecycle::isRunning));
			assertThat(context.getBean("byClass", Consumer.class).starts()).isEqualTo(2);
			context.close();
			assertThat(consumers).noneMatch(SmartLifecycle::isRunning);
		});
	}

	@Test
	void lifecycleBeanIsRejectedWhenApplicationReplacesElection() {
		this.local.withBean(LeaderElection.class, () -> Mockito.mock(LeaderElection.class))
			.withUserConfiguration(Consumers.class)
			.run(LockContexts
				.rejected("@LeaderOnly has no effect, because the application defines its own LeaderElection bean"));
	}

	@Test
	void candidateLogsUnstubbedMockOfLockServiceOnce() {
		assertThat(lineWith(Mockito.mock(LockService.class, (call) -> null))).contains("of role 'reports' failed",
				"LockService.acquireAsync returned null");
		assertThat(lineWith(Mockito.mock(LockService.class))).contains("of role 'reports' failed",
				"LockService.acquireAsync returned no LockHandle");
	}

	private String lineWith(LockService service) {
		try (Logged logged = new Logged(LeaderElections.class.getPackageName() + ".Candidacy")) {
			this.plain.withBean(LockService.class, () -> service)
				.withPropertyValues("watchdog-lock.leaders.reports.candidate=true")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					assertThat(context.getBean(LeaderElection.class).of("reports").isLeader()).isFalse();
				});
			await().until(() -> !refusals(logged).isEmpty());
			assertThat(refusals(logged)).hasSize(1);
			return refusals(logged).get(0);
		}
	}

	/* Log lines of other applications may arrive late. */
	private static List<String> refusals(Logged logged) {
		return logged.lines().stream().filter((line) -> line.contains("The request for leadership of role")).toList();
	}

	@Test
	void leaderOnlyBeanMethodWithoutLifecycleIsRejected() {
		this.local.withUserConfiguration(Lifeless.class)
			.run(LockContexts.rejected("on the @Bean method", "has no effect"));
	}

	@Test
	void everyInstanceLeadsWhenLocksAreDisabled(CapturedOutput output) {
		this.local.withPropertyValues("watchdog-lock.enabled=false", "watchdog-lock.leaders.reports.candidate=true")
			.withBean(Nightly.class)
			.run((context) -> {
				assertThat(context.getBean(LeadersEndpoint.class).leaders("all", null).off())
					.contains("watchdog-lock.enabled is false");
				assertThat(context.getBean(LeaderElection.class).of("reports").isLeader()).isTrue();
				assertThat(context.getBean(Nightly.class).count()).isPresent();
				assertThat(output.toString().split("every instance leads its roles"))
					.as("log lines that every instance leads")
					.hasSize(2);
				context.getBean(LeaderElection.class).of("reports").resign();
				LockContexts.awaitLeader(context);
			});
	}

	@Test
	void metersCountGrantedAndRevokedTerms() {
		this.local.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("watchdog-lock.leaders.reports.candidate=true")
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				await().until(() -> registry.get("watchdog.leader").tag("role", "reports").gauge().value() == 1);
				context.getBean(LeaderElection.class).of("reports").resign();
				await().until(() -> changes(registry, "revoked") == 1);
				await().until(() -> changes(registry, "granted") == 2);
				assertThat(registry.get("watchdog.leader.overdue").tag("role", "reports").gauge().value()).isZero();
				assertThat(registry.find("watchdog.lock.acquire").meters()).as("no lock's").isEmpty();
			});
	}

	private static double changes(MeterRegistry registry, String outcome) {
		return registry.get("watchdog.leader.changes").tags("role", "reports", "outcome", outcome).counter().count();
	}

	@Test
	void endpointShowsLeaderAndTermOfOwnRole() {
		this.local
			.withPropertyValues("watchdog-lock.leaders.reports.candidate=true", "watchdog-lock.instance-name=shop")
			.run((context) -> {
				LeadersEndpoint endpoint = context.getBean(LeadersEndpoint.class);
				Leadership leadership = LockContexts.awaitLeader(context);
				long term = leadership.term().orElseThrow().number();
				assertThat(endpoint.leaders(null, null).roles()).singleElement().satisfies((role) -> {
					assertThat(role.leader()).startsWith("shop@");
					assertThat(role.term()).isEqualTo(term);
					assertThat(role.leading()).isTrue();
					assertThat(role.candidates()).isNull();
				});
				assertThat(endpoint.leaders("all", null).roles()).singleElement().satisfies((role) -> {
					assertThat(role.leader()).startsWith("shop@");
					assertThat(role.candidates()).isZero();
					assertThat(role.remaining()).isPositive();
				});
				assertThatExceptionOfType(InvalidEndpointRequestException.class)
					.isThrownBy(() -> endpoint.leaders("some", null));
			});
	}

	@Test
	void endpointListsRolesLedByOtherInstances() {
		this.local.withPropertyValues("watchdog-lock.leaders.reports.candidate=true").run((context) -> {
			LeadersEndpoint endpoint = context.getBean(LeadersEndpoint.class);
			LockContexts.awaitLeader(context);
			LockEngine other = LockContexts.other(context);
			other.acquireAsync(LockRequest.of(LockKey.ofRole("billing"))).join();
			other.acquireAsync(LockRequest.of("no-role")).join();
			assertThat(endpoint.leaders(null, null).roles()).extracting(LeadersEndpoint.RoleDescriptor::role)
				.containsExactly("reports");
			LeadersEndpoint.LeadersDescriptor all = endpoint.leaders("all", null);
			assertThat(all.roles()).extracting(LeadersEndpoint.RoleDescriptor::role)
				.containsExactly("billing", "reports");
			assertThat(all.roles().get(0).leader()).isEqualTo("other");
			assertThat(all.roles().get(0).candidate()).isFalse();
			assertThat(all.incomplete()).isFalse();
			assertThat(all.off()).isNull();
			assertThat(endpoint.leaders("all", "0").roles()).as("own ones are on the first page alone")
				.extracting(LeadersEndpoint.RoleDescriptor::role)
				.containsExactly("billing");
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.leaders(null, "1"));
			assertThatExceptionOfType(InvalidEndpointRequestException.class)
				.isThrownBy(() -> endpoint.leaders("all", "none"));
		});
	}

	@Test
	void leaderOnlyPublisherIsEmptyWhileInstanceDoesNotLead() {
		this.local.withBean(Streams.class).run((context) -> {
			Streams streams = context.getBean(Streams.class);
			LockContexts.awaitLeader(context);
			assertThat(streams.one().block()).isEqualTo("one");
			assertThat(streams.many().collectList().block()).containsExactly("one", "two");
			try (LockHandle taken = takeElsewhere(context)) {
				assertThat(taken.isHeld()).isTrue();
				assertThat(streams.one().blockOptional()).isEmpty();
				assertThat(streams.many().collectList().block()).isEmpty();
			}
		});
	}

	@Test
	void subscriptionDelaysNextTermAndFailsAfterLossOfTerm() {
		this.local.withBean(Streams.class).run((context) -> {
			Streams streams = context.getBean(Streams.class);
			Leadership leadership = LockContexts.awaitLeader(context);
			long term = leadership.term().orElseThrow().number();
			Disposable running = streams.deaf().subscribe();
			leadership.resign();
			assertThat(leadership.isLeader()).isFalse();
			assertThat(context.getBean(LockService.class).find(ROLE)).map(LockState::token).contains(term);
			running.dispose();
			await().until(leadership::isLeader);
			CompletableFuture<String> failing = streams.endless().toFuture();
			context.getBean(LockService.class).forceRelease(ROLE);
			assertThat(failing).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.withCauseInstanceOf(LockLostException.class);
		});
	}

	/*
	 * Acquire the lock by force, as if it had been lost and another instance had acquired
	 * it first.
	 */
	private static LockHandle takeElsewhere(ApplicationContext context) {
		LockEngine other = LockContexts.other(context);
		CompletableFuture<LockHandle> asked = other
			.acquireAsync(LockRequest.of(ROLE).withWaitTime(Duration.ofMillis(-1)));
		other.forceRelease(ROLE);
		return asked.orTimeout(10, TimeUnit.SECONDS).join();
	}

	@Configuration(proxyBeanMethods = false)
	static class Working {

		@Bean
		Reports reports() {
			return new Reports();
		}

		@Bean
		Leadership leadership(LeaderElection election, Reports reports) {
			return election.join("reports", reports);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WorkingAgain {

		@Bean
		Leadership secondLeadership(LeaderElection election, Reports reports) {
			return election.join("reports", reports);
		}

	}

	static class Reports implements LeaderWork, LeaderListener {

		private final List<LeaderTerm> terms = new CopyOnWriteArrayList<>();

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private final List<LeadershipEvent> events = new CopyOnWriteArrayList<>();

		private final AtomicInteger interrupts = new AtomicInteger();

		@Override
		public void lead(LeaderTerm term) throws InterruptedException {
			this.terms.add(term);
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.interrupts.incrementAndGet();
				throw ex;
			}
		}

		@Override
		public void granted(LeaderTerm term) {
			this.heard.add("granted");
		}

		@Override
		public void revoked(LeaderTerm term, LockLoss.Reason reason) {
			this.heard.add("revoked " + reason);
		}

		@EventListener
		void on(LeadershipEvent event) {
			this.events.add(event);
		}

	}

	static class Nightly {

		private final AtomicInteger calls = new AtomicInteger();

		private final CountDownLatch gate = new CountDownLatch(1);

		int calls() {
			return this.calls.get();
		}

		void open() {
			this.gate.countDown();
		}

		@LeaderOnly("reports")
		Optional<Integer> count() {
			return Optional.of(this.calls.incrementAndGet());
		}

		@LeaderOnly("reports")
		CompletableFuture<@Nullable Integer> stage() {
			return CompletableFuture.completedFuture(this.calls.incrementAndGet());
		}

		@LeaderOnly("${role:reports}")
		void run() {
			this.calls.incrementAndGet();
		}

		@LeaderOnly("reports")
		void block() {
			this.calls.incrementAndGet();
			SlowWork.uninterrupted(this.gate, Duration.ofMinutes(1));
		}

		@LeaderOnly(value = "reports", onLoss = OnLoss.INTERRUPT)
		Boolean blockUntilInterrupted() {
			this.calls.incrementAndGet();
			try {
				new CountDownLatch(1).await();
				return false;
			}
			catch (InterruptedException ex) {
				return true;
			}
		}

		@LeaderOnly(value = "reports", onLoss = OnLoss.FAIL)
		void blockAndFail() {
			block();
		}

	}

	static class Streams {

		@LeaderOnly("reports")
		Mono<String> one() {
			return Mono.just("one");
		}

		@LeaderOnly("reports")
		Flux<String> many() {
			return Flux.just("one", "two");
		}

		@LeaderOnly(value = "reports", onLoss = OnLoss.REPORT)
		Mono<String> deaf() {
			return Mono.never();
		}

		@LeaderOnly(value = "reports", onLoss = OnLoss.INTERRUPT)
		Mono<String> endless() {
			return Mono.never();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Consumers {

		@Bean
		Consumer byClass() {
			return new LeadingConsumer();
		}

		@Bean
		@LeaderOnly("reports")
		Consumer byMethod() {
			return new Consumer();
		}

		@Bean
		@LeaderOnly("reports")
		SmartLifecycle finalClass() {
			return new FinalConsumer();
		}

		@Bean
		@LeaderOnly("reports")
		SmartLifecycle finalMethods() {
			return new Container();
		}

		@Bean
		@LeaderOnly("reports")
		SmartLifecycle proxied() {
			return ProxyFactory.getProxy(SmartLifecycle.class, new SingletonTargetSource(new Consumer()));
		}

	}

	static final class FinalConsumer extends Consumer {

	}

	/* A bean with a lifecycle, as containers of message listeners are. */
	static class Container implements SmartLifecycle {

		private final Consumer inside = new Consumer();

		@Override
		public final void start() {
			this.inside.start();
		}

		@Override
		public final void stop() {
			this.inside.stop();
		}

		@Override
		public boolean isRunning() {
			return this.inside.isRunning();
		}

	}

	static class Consumer implements SmartLifecycle {

		private volatile boolean running;

		private final AtomicInteger starts = new AtomicInteger();

		@Override
		public void start() {
			this.starts.incrementAndGet();
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		int starts() {
			return this.starts.get();
		}

	}

	@LeaderOnly("reports")
	static class LeadingConsumer extends Consumer {

	}

	@Configuration(proxyBeanMethods = false)
	static class Lifeless {

		@Bean
		@LeaderOnly("reports")
		String text() {
			return "text";
		}

	}

}
