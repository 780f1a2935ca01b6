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
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.AdditionalAnswers;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of roles where what surrounds them fails: logs that throw, interrupts that
 * do, and starts and ends at the same moment.
 */
class BrokenSurroundingsTests {

	private static final String ROLE = "reports";

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final TestInstance a = new TestInstance(this.ticker, this.memory);

	/* As one does that shows an exception whose getMessage() throws. */
	private final Handler broken = new Handler() {

		@Override
		public void publish(LogRecord event) {
			throw new IllegalStateException("of the test");
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	private final Logger logger = Logger.getLogger("io.github.watchdoglock.leader");

	@BeforeEach
	void breakLog() {
		this.logger.addHandler(this.broken);
	}

	@AfterEach
	void mendLog() {
		this.logger.removeHandler(this.broken);
	}

	@Test
	void workBeginsAndEndsAndBeginsAgain() {
		GatedWork work = GatedWork.willing();
		this.a.elections.stand(ROLE, work);
		work.awaitBegin(1);
		work.fail();
		await().until(() -> this.a.elections.status(ROLE).term() == 0);
		pass(Pauses.SHORTEST);
		work.awaitBegin(2);
		this.a.elections.of(ROLE).resign();
		work.awaitBegin(3);
	}

	@Test
	void aStoreThatFailsIsAskedAgain() {
		this.a.store.cut();
		this.a.elections.join(ROLE, null);
		this.a.store.mend();
		pass(Duration.ofSeconds(2));
		assertThat(this.a.leads(ROLE)).isTrue();
	}

	@Test
	void allRolesAreGivenUpAtTheEnd() {
		this.a.elections.join(ROLE, null);
		this.a.elections.join("billing", null);
		assertThat(this.a.elections.stop().toCompletableFuture()).isCompleted();
		assertThat(this.a.leads(ROLE) || this.a.leads("billing")).isFalse();
	}

	@Test
	void aListenerThatFailsHearsTheNextNews() {
		CountDownLatch heard = new CountDownLatch(1);
		this.a.elections.addListener(new LeaderListener() {

			@Override
			public void granted(LeaderTerm term) {
				throw new IllegalStateException("of the test");
			}

			@Override
			public void revoked(LeaderTerm term, LockLoss.Reason reason) {
				heard.countDown();
			}

		});
		this.a.elections.join(ROLE, null);
		this.a.elections.of(ROLE).resign();
		assertThat(heard.getCount()).isZero();
	}

	@Test
	void anInterruptThatFailsKeepsNoOtherWorkFromItsOwn() {
		Threads threads = Mockito.mock(Threads.class,
				AdditionalAnswers.delegatesTo(new WorkThreads(this.ticker, false)));
		BDDMockito.willThrow(new IllegalStateException("of the test")).willAnswer((call) -> {
			call.getArgument(0, Thread.class).interrupt();
			return null;
		}).given(threads).interrupt(ArgumentMatchers.any());
		TestInstance b = new TestInstance(this.ticker, this.memory, threads);
		GatedWork first = GatedWork.willing();
		GatedWork second = GatedWork.willing();
		b.elections.join("two", first);
		b.elections.join("two", second);
		first.awaitBegin(1);
		second.awaitBegin(1);
		b.elections.of("two").resign();
		second.awaitEnd();
		first.end();
		await().until(() -> b.leads("two"));
	}

	@Test
	void workIsInterruptedThoughNothingCanBeDoneLaterNorListenersBeTold() {
		Threads threads = Mockito.mock(Threads.class,
				AdditionalAnswers.delegatesTo(new WorkThreads(this.ticker, false)));
		BDDMockito.willThrow(new IllegalStateException("of the test"))
			.given(threads)
			.start(ArgumentMatchers.eq("watchdog-lock-leader-listener"), ArgumentMatchers.any());
		LeaderElections elections = new LeaderElections(this.a,
				(role) -> RoleSettings.of(TestInstance.LEASE, null, TestInstance.PATIENCE), threads, (delay, task) -> {
					throw new IllegalStateException("of the test");
				}, this.ticker.wallClock);
		elections.addListener(new LeaderListener() {
		});
		elections.start();
		GatedWork work = GatedWork.willing();
		elections.stand(ROLE, work);
		work.awaitBegin(1);
		elections.of(ROLE).resign();
		work.awaitBegin(2);
		// It stands again after a while that nobody but a thread of its own can wait out.
		work.fail();
		work.awaitBegin(3);
		assertThat(elections.stop().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	void aRoleThatIsDeclaredWhileItsInstanceStartsIsStoodFor() {
		for (int i = 0; i < 2_000; i++) {
			LeaderElections elections = new LeaderElections(new NoLocks(),
					(role) -> RoleSettings.of(TestInstance.LEASE, null, TestInstance.PATIENCE), Threads.system(),
					(delay, task) -> {
					}, InstantSource.system());
			CountDownLatch ready = new CountDownLatch(1);
			CompletableFuture<Void> started = CompletableFuture.runAsync(() -> {
				ready.countDown();
				elections.start();
			});
			while (ready.getCount() > 0) {
				Thread.onSpinWait();
			}
			elections.join(ROLE, null);
			started.join();
			assertThat(elections.status(ROLE).standing()).as("try %s", i).isTrue();
		}
	}

	private void pass(Duration time) {
		TestInstance.pass(time, this.a);
	}

	/**
	 * Locks that nobody ever gets.
	 */
	private static final class NoLocks implements RoleLocks {

		@Override
		public CompletableFuture<LockHandle> ask(LockRequest request) {
			return new CompletableFuture<>();
		}

		@Override
		public void forsake(LockHandle handle) {
		}

	}

}
