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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.support.SlowWork;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the next leader if listeners are notified on threads of their own.
 */
class LeaderListenerTests {

	private static final String ROLE = "reports";

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final TestInstance a = new TestInstance(this.ticker, this.memory, new WorkThreads(this.ticker, true));

	private final TestInstance b = new TestInstance(this.ticker, this.memory);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final List<CompletableFuture<Void>> stopping = new CopyOnWriteArrayList<>();

	private final List<LockLoss.Reason> told = new CopyOnWriteArrayList<>();

	@AfterEach
	void open() {
		this.gate.countDown();
	}

	@Test
	void keyOfResignedTermIsKeptUntilListenersReturn() {
		standAndListen();
		this.a.elections.of(ROLE).resign();
		assertThat(this.a.leads(ROLE)).isFalse();
		await().until(() -> !this.told.isEmpty());
		pass(Duration.ofSeconds(10));
		assertThat(this.b.leads(ROLE)).as("while a listener is being told").isFalse();
		assertThat(this.a.elections.status(ROLE).overdue()).isOne();
		this.gate.countDown();
		await().until(() -> this.b.leads(ROLE));
		assertThat(this.a.heard).containsExactly("granted reports", "revoked reports RESIGNED");
	}

	@Test
	void stopWaitsUntilListenersOfRevokedTermReturn() {
		standAndListen();
		var stopped = this.a.elections.stop().toCompletableFuture();
		await().until(() -> !this.told.isEmpty());
		assertThat(stopped).isNotDone();
		this.gate.countDown();
		await().until(stopped::isDone);
		assertThat(this.a.heard).containsExactly("granted reports", "revoked reports SHUTDOWN");
	}

	@Test
	void leaseExpiresWhenListenerNeverReturns() {
		standAndListen();
		this.a.elections.of(ROLE).resign();
		await().until(() -> !this.told.isEmpty());
		pass(TestInstance.PATIENCE.plus(TestInstance.LEASE).plusSeconds(2));
		assertThat(this.b.leads(ROLE)).as("b leads after grace and lease have passed").isTrue();
	}

	@Test
	void stopCalledByListenerCompletesAfterMargin() {
		this.a.elections.declare(ROLE, null);
		CountDownLatch stopped = new CountDownLatch(1);
		this.a.elections.addListener(new LeaderListener() {

			@Override
			public void revoked(LeaderTerm term, LockLoss.Reason reason) {
				LeaderListenerTests.this.a.elections.stop()
					.toCompletableFuture()
					.orTimeout(10, TimeUnit.SECONDS)
					.thenRun(stopped::countDown)
					.join();
			}

		});
		this.a.elections.of(ROLE).resign();
		await().until(() -> this.a.elections.status(ROLE).overdue() == 1);
		pass(TestInstance.MARGIN.plusSeconds(1));
		await().until(() -> stopped.getCount() == 0);
	}

	@Test
	void stopOnOtherThreadWaitsForBlockedListenerUntilMargin() {
		stopOnAnotherThreadWhenRevoked();
		this.a.elections.of(ROLE).resign();
		await().until(() -> !this.stopping.isEmpty());
		pass(TestInstance.MARGIN.minusSeconds(1));
		assertThat(this.stopping.get(0)).isNotDone();
		pass(Duration.ofSeconds(2));
		await().until(() -> this.stopping.get(0).isDone());
		assertThat(this.b.leads(ROLE)).isTrue();
	}

	@Test
	void stopCalledByWorkCompletesAndLeaseExpires() {
		GatedWork rest = GatedWork.stubborn();
		this.a.elections.join(ROLE, (term) -> {
			this.a.elections.stop().toCompletableFuture().join();
			rest.lead(term);
		});
		rest.awaitBegin(1);
		this.b.elections.declare(ROLE, null);
		pass(Duration.ofSeconds(10));
		assertThat(this.b.leads(ROLE)).as("while the lease lasts").isFalse();
		pass(TestInstance.LEASE);
		assertThat(this.b.leads(ROLE)).isTrue();
		assertThat(this.a.elections.status(ROLE).overdue()).as("work that continues").isOne();
		rest.end();
		rest.awaitEnd();
	}

	@Test
	void stopDoesNotWaitForListenerWhenTermWasLost() {
		stopOnAnotherThreadWhenRevoked();
		this.b.stepped.engine.forceRelease(LockKey.ofRole(ROLE));
		await().until(() -> !this.stopping.isEmpty());
		await().until(() -> this.stopping.get(0).isDone());
	}

	/* As in System.exit(), whose shutdown hook closes the context. */
	private void stopOnAnotherThreadWhenRevoked() {
		this.a.elections.declare(ROLE, null);
		this.b.elections.declare(ROLE, null);
		this.a.elections.addListener(new LeaderListener() {

			@Override
			public void revoked(LeaderTerm term, LockLoss.Reason reason) {
				CompletableFuture<Void> stopped = CompletableFuture
					.supplyAsync(LeaderListenerTests.this.a.elections::stop)
					.thenCompose(Function.identity());
				LeaderListenerTests.this.stopping.add(stopped);
				stopped.orTimeout(20, TimeUnit.SECONDS).join();
			}

		});
	}

	private void standAndListen() {
		this.a.elections.declare(ROLE, null);
		this.b.elections.declare(ROLE, null);
		assertThat(this.a.leads(ROLE)).isTrue();
		this.a.elections.addListener(new LeaderListener() {

			@Override
			public void revoked(LeaderTerm term, LockLoss.Reason reason) {
				LeaderListenerTests.this.told.add(reason);
				SlowWork.until(LeaderListenerTests.this.gate);
			}

		});
	}

	private void pass(Duration time) {
		TestInstance.pass(time, this.a, this.b);
	}

}
