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

package io.github.watchdoglock.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.support.Logged;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for candidates of a role, in instances whose time moves by hand.
 */
class CandidacyTests {

	private static final String ROLE = "reports";

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final WorkThreads threads = new WorkThreads(this.ticker, false);

	private final TestInstance a = new TestInstance(this.ticker, this.memory, this.threads);

	private final TestInstance b = new TestInstance(this.ticker, this.memory);

	private final TestInstance c = new TestInstance(this.ticker, this.memory);

	@Test
	void firstCandidateStaysOnlyLeaderForTwentyLeases() {
		standAll();
		assertThat(this.a.leads(ROLE)).isTrue();
		pass(Duration.ofMinutes(10));
		int before = this.a.store.commands;
		assertThat(this.a.leads(ROLE)).as("after twenty leases").isTrue();
		assertThat(this.a.term(ROLE).isLeading()).as("term of the leader is leading").isTrue();
		assertThat(this.a.store.commands).as("asked nobody").isEqualTo(before);
		assertThat(this.b.leads(ROLE) || this.c.leads(ROLE)).as("b or c leads while a leads").isFalse();
		assertThat(this.a.heard).containsExactly("granted reports");
		assertThat(this.b.heard).isEmpty();
	}

	@Test
	void lockLostBeforeItsAnswerArrivesStartsNoTerm() {
		CompletableFuture<Void> gate = new CompletableFuture<>();
		this.a.gate = gate;
		this.a.elections.declare(ROLE, null);
		this.b.elections.declare(ROLE, null);
		this.a.stepped.engine.forceRelease(LockKey.ofRole(ROLE));
		pass(Duration.ofSeconds(2));
		assertThat(this.b.leads(ROLE)).as("b leads after the forced release").isTrue();
		this.a.gate = null;
		gate.complete(null);
		pass(Duration.ofMinutes(1));
		assertThat(this.a.heard).isEmpty();
		this.b.elections.of(ROLE).resign();
		pass(Duration.ofSeconds(2));
		assertThat(this.a.leads(ROLE)).as("a leads after b has resigned").isTrue();
	}

	@Test
	void resignedLeaderLeadsAgainAfterAllOtherCandidates() {
		standAll();
		List<Long> numbers = new ArrayList<>();
		for (TestInstance leader : List.of(this.a, this.b, this.c, this.a, this.b)) {
			assertThat(leader.leads(ROLE))
				.as("next candidate leads after the resignation before it (name the instance)")
				.isTrue();
			numbers.add(leader.term(ROLE).number());
			leader.elections.of(ROLE).resign();
			assertThat(leader.leads(ROLE)).as("instance leads after its resignation").isFalse();
		}
		assertThat(numbers).isSorted().doesNotHaveDuplicates();
		assertThat(this.a.heard).startsWith("granted reports", "revoked reports RESIGNED", "granted reports");
	}

	@Test
	void resignedTermIsNotLeadingAndFailsEnsureLeading() {
		standAll();
		LeaderTerm term = this.a.term(ROLE);
		term.ensureLeading();
		assertThat(term.remaining()).isPositive();
		this.a.elections.of(ROLE).resign();
		assertThat(term.isLeading()).isFalse();
		assertThat(term.remaining()).isZero();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(term::ensureLeading)
			.withMessage("Lock '%%role:reports' (token %d) was lost: the leader resigned (resigned)", term.number());
		assertThat(this.a.elections.of(ROLE).term()).isEmpty();
	}

	@Test
	void disconnectedLeaderIsRevokedMarginBeforeSuccessorLeads() {
		GatedWork work = lead(GatedWork.willing());
		this.b.elections.declare(ROLE, null);
		LeaderTerm term = this.a.term(ROLE);
		this.a.store.cut = true;
		pass(Duration.ofSeconds(40));
		assertThat(this.a.heard).containsExactly("granted reports", "at risk reports", "revoked reports EXPIRED");
		assertThat(this.b.momentOf("granted reports") - this.a.momentOf("revoked reports EXPIRED"))
			.isGreaterThanOrEqualTo(TestInstance.MARGIN.toMillis());
		work.awaitEnd();
		assertThat(term.isLeading()).isFalse();
		assertThat(this.b.term(ROLE).number()).isGreaterThan(term.number());
	}

	@Test
	void pausedLeaderNoLongerLeadsBeforeItsNotification() {
		standAll();
		LeaderTerm term = this.a.term(ROLE);
		for (int i = 0; i < 70; i++) {
			// The instance does nothing meanwhile, and does not read the clock.
			this.ticker.advance(Duration.ofSeconds(1));
			this.b.turn();
			this.c.turn();
		}
		assertThat(this.b.leads(ROLE)).isTrue();
		assertThat(term.isLeading()).as("before it is told").isFalse();
		assertThat(this.a.leads(ROLE)).isFalse();
		this.a.turn();
		assertThat(this.a.heard).contains("revoked reports EXPIRED");
		pass(Duration.ofSeconds(30));
		assertThat(this.b.leads(ROLE)).as("unharmed").isTrue();
	}

	@Test
	void outageShorterThanLeaseIsReportedAsRiskAndRecovery() {
		standAll();
		long term = this.a.term(ROLE).number();
		try (Logged logged = new Logged(LeaderElections.class.getName())) {
			this.a.store.cut = true;
			pass(Duration.ofSeconds(15));
			this.a.store.cut = false;
			pass(Duration.ofSeconds(5));
			assertThat(this.a.heard).containsExactly("granted reports", "at risk reports", "recovered reports");
			assertThat(this.a.leads(ROLE)).isTrue();
			this.a.store.cut = true;
			this.a.elections.of(ROLE).resign();
			pass(Duration.ofSeconds(1));
			assertThat(logged.lines()).hasSize(3);
			assertThat(logged.lines().get(0)).startsWith("WARN")
				.contains("The term " + term + " of role 'reports' is at risk: it cannot be renewed, and ends in ");
			assertThat(logged.lines().get(1)).startsWith("INFO").contains("is no longer at risk");
			assertThat(logged.lines().get(2)).startsWith("WARN").contains("its lock could not be released");
		}
	}

	@Test
	void forcedReleaseRevokesTermAndNextCandidateLeads() {
		standAll();
		this.b.stepped.engine.forceRelease(LockKey.ofRole(ROLE));
		assertThat(this.a.heard).contains("revoked reports FORCED");
		assertThat(this.b.leads(ROLE)).isTrue();
	}

	@Test
	void workThatIgnoresInterruptBlocksNextTermOfItsInstance() {
		GatedWork work = lead(GatedWork.stubborn());
		this.a.store.cut = true;
		pass(Duration.ofSeconds(40));
		this.a.store.cut = false;
		try (Logged logged = new Logged(Candidacy.class.getName())) {
			pass(Duration.ofMinutes(5));
			assertThat(this.a.leads(ROLE)).as("a leads while its overdue work continues").isFalse();
			assertThat(this.a.elections.list()).singleElement()
				.isEqualTo(new RoleStatus(ROLE, true, true, false, null, work.terms.get(0).number(), 1));
			assertThat(logged.lines()).isEmpty();
		}
		work.end();
		work.awaitBegin(2);
		assertThat(work.mostAtOnce()).isOne();
		assertThat(this.a.elections.list().get(0).overdue()).isZero();
	}

	@Test
	void overdueWorkIsLoggedWithItsStackTrace() {
		GatedWork work = lead(GatedWork.stubborn());
		try (Logged logged = new Logged(Candidacy.class.getName())) {
			this.a.elections.of(ROLE).resign();
			pass(TestInstance.MARGIN.plusSeconds(1));
			assertThat(logged.lines()).filteredOn((line) -> line.contains("continues, although the term ended"))
				.singleElement()
				.asString()
				.contains("reports", "GatedWork.lead");
		}
		work.end();
	}

	@Test
	void resignedTermKeepsLeaseUntilWorkEnds() {
		GatedWork work = lead(GatedWork.stubborn());
		this.b.elections.declare(ROLE, null);
		this.a.elections.of(ROLE).resign();
		pass(TestInstance.PATIENCE.minusSeconds(1));
		assertThat(this.b.leads(ROLE)).as("b leads while the work of the resigned term continues").isFalse();
		work.end();
		await().until(() -> this.b.leads(ROLE));
	}

	@Test
	void leaseOfResignedTermExpiresWhenWorkNeverEnds() {
		GatedWork work = lead(GatedWork.stubborn());
		this.b.elections.declare(ROLE, null);
		this.a.elections.of(ROLE).resign();
		pass(TestInstance.PATIENCE);
		assertThat(this.b.leads(ROLE)).as("at once").isFalse();
		pass(TestInstance.LEASE.plusSeconds(2));
		assertThat(this.b.leads(ROLE)).isTrue();
		assertThat(work.works()).isTrue();
		work.end();
		pass(TestInstance.LEASE);
		assertThat(this.b.leads(ROLE)).as("unharmed").isTrue();
		assertThat(this.a.heard).containsExactly("granted reports", "revoked reports RESIGNED");
	}

	@Test
	void failingWorkDoublesDelayOfNextTermUpToOneMinute() {
		GatedWork work = GatedWork.willing();
		this.a.elections.join(ROLE, work);
		int[] seconds = { 1, 2, 4, 8, 16, 32, 60, 60 };
		for (int i = 0; i < seconds.length; i++) {
			work.awaitBegin(i + 1);
			work.fail();
			await()
				.until(() -> !this.a.elections.list().get(0).leading() && this.a.elections.list().get(0).term() == 0);
			pass(Duration.ofSeconds(seconds[i]).minusMillis(50));
			assertThat(this.a.leads(ROLE)).as("after failure %s", i).isFalse();
			pass(Duration.ofMillis(100));
			assertThat(this.a.leads(ROLE)).as("after the pause of failure %s", i).isTrue();
		}
		assertThat(this.a.heard).doesNotContain("revoked reports EXPIRED");
	}

	@Test
	void otherInstanceLeadsAfterWorkOfLeaderFails() {
		GatedWork work = lead(GatedWork.willing());
		this.b.elections.declare(ROLE, null);
		work.fail();
		await().until(() -> this.b.leads(ROLE));
	}

	@Test
	void termIsResignedWhenWorkReturns() {
		GatedWork work = lead(GatedWork.willing());
		this.b.elections.declare(ROLE, null);
		work.end();
		await().until(() -> this.b.leads(ROLE));
		assertThat(this.a.heard).contains("revoked reports RESIGNED");
	}

	@Test
	void stopWaitsForWorkAndEndsCandidacyUntilStart() {
		GatedWork work = lead(GatedWork.stubborn());
		this.b.elections.declare(ROLE, null);
		var stopped = this.a.elections.stop().toCompletableFuture();
		assertThat(this.a.heard).contains("revoked reports SHUTDOWN");
		assertThat(stopped).isNotDone();
		assertThat(this.b.leads(ROLE)).isFalse();
		work.end();
		await().until(stopped::isDone);
		assertThat(this.b.leads(ROLE)).isTrue();
		this.b.elections.of(ROLE).resign();
		pass(Duration.ofSeconds(10));
		assertThat(this.a.leads(ROLE)).as("stopped").isFalse();
		this.a.elections.start();
		this.b.elections.of(ROLE).close();
		assertThat(this.a.leads(ROLE)).as("started again").isTrue();
		work.end();
	}

	@Test
	void stoppedCandidateIsSkippedWhenLeaderResigns() {
		standAll();
		assertThat(this.b.elections.stop().toCompletableFuture()).isDone();
		this.a.elections.of(ROLE).resign();
		assertThat(this.c.leads(ROLE)).isTrue();
	}

	@Test
	void failedRequestIsLoggedOnceAndRepeatedUntilStoreReturns() {
		this.a.store.cut = true;
		try (Logged logged = new Logged(Candidacy.class.getName())) {
			this.a.elections.declare(ROLE, null);
			pass(Duration.ofMinutes(2));
			assertThat(logged.lines()).singleElement()
				.asString()
				.contains("The request for leadership of role 'reports' failed", "cut on purpose");
		}
		this.a.store.cut = false;
		pass(Duration.ofSeconds(2));
		assertThat(this.a.leads(ROLE)).isTrue();
	}

	@Test
	void exactlyOneCandidateLeadsAfterOutageOfAllInstances() {
		standAll();
		List.of(this.a, this.b, this.c).forEach((instance) -> instance.store.cut = true);
		pass(TestInstance.LEASE.multipliedBy(2));
		assertThat(this.a.leads(ROLE)).isFalse();
		List.of(this.a, this.b, this.c).forEach((instance) -> instance.store.cut = false);
		pass(Duration.ofSeconds(2));
		assertThat(List.of(this.a, this.b, this.c)).as("instances that lead after the outage (exactly one)")
			.filteredOn((instance) -> instance.leads(ROLE))
			.hasSize(1);
	}

	@Test
	void otherInstanceCanRequestResignationOfLeader() {
		standAll();
		assertThat(this.b.stepped.engine.requestResignation(LockKey.ofRole(ROLE)))
			.as("resignation was requested from a leader")
			.isTrue();
		assertThat(this.a.heard).contains("revoked reports RESIGNED");
		assertThat(this.b.leads(ROLE)).isTrue();
		assertThat(this.b.stepped.engine.requestResignation(LockKey.ofRole("other"))).isFalse();
	}

	@Test
	void closedLeadershipEndsCandidacyUntilWorkJoinsAgain() {
		Leadership leadership = this.a.elections.join(ROLE, GatedWork.willing());
		leadership.close();
		pass(Duration.ofMinutes(2));
		assertThat(leadership.isLeader()).isFalse();
		lead(GatedWork.willing());
		assertThat(leadership.isLeader()).isTrue();
	}

	@Test
	void secondWorkForRoleAndBlankRoleAreRejected() {
		this.a.elections.join(ROLE, GatedWork.willing());
		assertThatExceptionOfType(LockConfigurationException.class)
			.isThrownBy(() -> this.a.elections.join(ROLE, GatedWork.willing()))
			.withMessageContaining("'reports' twice");
		assertThatExceptionOfType(LockKeyException.class)
			.isThrownBy(() -> this.a.elections.join(" ", GatedWork.willing()));
	}

	@Test
	void workBeginsInCurrentTermWhenInstanceAlreadyLeads() {
		this.a.elections.declare(ROLE, null);
		GatedWork work = lead(GatedWork.willing());
		assertThat(work.terms.get(0).number()).isEqualTo(this.a.term(ROLE).number());
	}

	@Test
	void lateListenerIsNotifiedOfCurrentTermUntilRemoved() {
		standAll();
		List<String> heard = new ArrayList<>();
		Runnable end = this.a.elections.of(ROLE).addListener(new LeaderListener() {

			@Override
			public void granted(LeaderTerm term) {
				heard.add("granted");
				throw new IllegalStateException("of the test");
			}

			@Override
			public void revoked(LeaderTerm term, LockLoss.Reason reason) {
				heard.add("revoked");
			}

		});
		this.a.elections.of(ROLE).resign();
		assertThat(heard).containsExactly("granted", "revoked");
		end.run();
		this.b.elections.of(ROLE).close();
		this.c.elections.of(ROLE).close();
		assertThat(this.a.leads(ROLE)).isTrue();
		assertThat(heard).as("notifications after the listener was removed").hasSize(2);
	}

	@Test
	void openTermShareDelaysNextLeaderAfterResignation() {
		standAll();
		assertThat(this.b.elections.enter(ROLE, OnLoss.REPORT, null)).isNull();
		LockHandle share = enter(OnLoss.FAIL);
		assertThat(share.isHeld()).isTrue();
		this.a.elections.of(ROLE).resign();
		assertThat(share.isHeld()).isFalse();
		assertThat(share.loss()).as("the lock is still there").isEmpty();
		LeaderElections.ensureCommitAllowed();
		assertThat(this.a.elections.enter(ROLE, OnLoss.REPORT, null)).isNull();
		assertThat(this.b.leads(ROLE)).as("b leads while a share of the resigned term is open").isFalse();
		share.close();
		share.close();
		assertThat(this.b.leads(ROLE)).isTrue();
	}

	@Test
	void resignationInterruptsOnlyShareWithInterruptPolicy() {
		standAll();
		LockHandle reported = enter(OnLoss.REPORT);
		LockHandle interrupted = enter(OnLoss.INTERRUPT);
		this.threads.started.clear();
		this.a.elections.of(ROLE).resign();
		// Only interrupting needs a thread.
		assertThat(this.threads.started).containsOnlyOnce("watchdog-lock-leader");
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
		assertThat(interrupted.whenLost().toCompletableFuture().join().reason()).isEqualTo(LockLoss.Reason.RESIGNED);
		interrupted.close();
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		reported.close();
	}

	@Test
	void commitIsRejectedInLostTermUntilShareCloses() {
		standAll();
		LockHandle share = enter(OnLoss.FAIL);
		this.b.stepped.engine.forceRelease(LockKey.ofRole(ROLE));
		assertThat(share.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(LeaderElections::ensureCommitAllowed);
		share.close();
		LeaderElections.ensureCommitAllowed();
	}

	@Test
	void instanceLeadsAgainOneSecondAfterWorkReturns() {
		GatedWork work = lead(GatedWork.willing());
		work.end();
		await().until(() -> this.a.elections.status(ROLE).term() == 0);
		pass(Duration.ofMillis(950));
		assertThat(this.a.leads(ROLE)).as("a leads before the pause of 1 s has ended").isFalse();
		pass(Duration.ofMillis(100));
		assertThat(this.a.leads(ROLE)).isTrue();
	}

	@Test
	void lockLostExceptionAfterLossIsNotLoggedAsWorkFailure() {
		CountDownLatch lost = new CountDownLatch(1);
		this.a.elections.join(ROLE, (term) -> {
			try {
				lost.await();
			}
			catch (InterruptedException ex) {
				term.ensureLeading();
			}
		});
		try (Logged logged = new Logged(Candidacy.class.getName())) {
			this.memory.force(LockKey.ofRole(ROLE), LeaseInspector.ALL, Duration.ZERO);
			pass(TestInstance.LEASE);
			await().until(() -> this.a.heard.contains("granted reports") && this.a.leads(ROLE));
			assertThat(logged.lines()).noneMatch((line) -> line.contains("failed, so the term is resigned"));
		}
	}

	@Test
	void rolesAreSeparateFromLockListenersListsAndKeys() {
		standAll();
		this.a.store.cut = true;
		pass(Duration.ofSeconds(40));
		assertThat(this.a.stepped.heard()).isEmpty();
		assertThat(this.b.stepped.engine.localLocks().list()).isEmpty();
		assertThat(this.b.stepped.engine.acquireAsync(LockRequest.of("%role", ROLE))).isCompleted();
	}

	@Test
	void roleDeclaredDuringStartBecomesCandidate() {
		RoleLocks nobody = Mockito.mock(RoleLocks.class, (call) -> new CompletableFuture<LockHandle>());
		for (int i = 0; i < 500; i++) {
			LeaderElections elections = new LeaderElections(nobody,
					(role) -> RoleSettings.of(TestInstance.LEASE, null, TestInstance.PATIENCE), Threads.system(),
					(delay, task) -> () -> {
					});
			CountDownLatch ready = new CountDownLatch(1);
			CompletableFuture<Void> started = CompletableFuture.runAsync(() -> {
				ready.countDown();
				elections.start();
			});
			while (ready.getCount() > 0) {
				Thread.onSpinWait();
			}
			elections.declare(ROLE, null);
			started.join();
			assertThat(elections.status(ROLE).candidate()).as("try %s", i).isTrue();
		}
	}

	@Test
	void stopLeavesNoDelayedTasksAfterTermOrPause() {
		GatedWork work = lead(GatedWork.willing());
		work.fail();
		await().untilAsserted(() -> assertThat(this.a.delayed()).as("the pause").isOne());
		assertThat(this.a.elections.stop()).isCompleted();
		assertThat(this.a.delayed()).as("tasks after the stop in a pause").isZero();
		this.a.elections.start();
		work.awaitBegin(2);
		CompletableFuture<Void> stopped = this.a.elections.stop().toCompletableFuture();
		assertThat(stopped).succeedsWithin(Duration.ofSeconds(10));
		// They are cancelled by the same future, perhaps a moment later.
		await().untilAsserted(() -> assertThat(this.a.delayed()).as("tasks after the last term").isZero());
	}

	@Test
	void errorInTaskEndsTermAndStartsNewCandidacy() {
		GatedWork work = GatedWork.willing();
		AtomicBoolean failing = new AtomicBoolean();
		LeaderElections elections = new LeaderElections(this.a,
				(role) -> RoleSettings.of(TestInstance.LEASE, null, TestInstance.PATIENCE),
				new WorkThreads(this.ticker, false), (delay, task) -> {
					if (failing.compareAndSet(true, false)) {
						throw new IllegalStateException("of the test");
					}
					return this.a.after(delay, task);
				});
		elections.start();
		elections.join(ROLE, work);
		work.awaitBegin(1);
		failing.set(true);
		elections.of(ROLE).resign();
		assertThat(failing).isFalse();
		// The work was interrupted, and its term has ended.
		work.awaitBegin(2);
		assertThat(elections.of(ROLE).isLeader()).isTrue();
	}

	private LockHandle enter(OnLoss onLoss) {
		return Objects.requireNonNull(this.a.elections.enter(ROLE, onLoss, Thread.currentThread()));
	}

	/* The first instance becomes the leader, and its work begins. */
	private GatedWork lead(GatedWork work) {
		this.a.elections.join(ROLE, work);
		work.awaitBegin(1);
		return work;
	}

	private void standAll() {
		List.of(this.a, this.b, this.c).forEach((instance) -> instance.elections.declare(ROLE, null));
	}

	private void pass(Duration time) {
		TestInstance.pass(time, this.a, this.b, this.c);
	}

}
