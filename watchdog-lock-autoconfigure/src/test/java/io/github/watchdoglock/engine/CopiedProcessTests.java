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

package io.github.watchdoglock.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.ManualTicker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two processes that are copies of one: their engines have the same instance id and the
 * same numbers of attempts. In the same state, the store gives both the same answers.
 */
class CopiedProcessTests {

	private static final Duration LEASE = Duration.ofSeconds(31);

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final TestEngine other = TestEngine.over(this.ticker, this.memory);

	private final Copy first = new Copy(TwoInstances.SETTINGS);

	private final Copy second = new Copy(TwoInstances.SETTINGS);

	@Test
	void copiesThatHaveConnectedExcludeEachOther() {
		differ();
		reconnect();
		assertOneHolds(TwoInstances.ONCE);
	}

	@Test
	void copiesThatHaveNotConnectedYetExcludeEachOther() {
		both().forEach((copy) -> copy.test.engine.messages.disconnected());
		differ();
		assertOneHolds(TwoInstances.ONCE);
	}

	@Test
	void waitingCallersOfRestoredCopiesGetTheLockOneAfterTheOther() {
		LockHandle before = this.other.ask(TwoInstances.ORDERS).join();
		List<CompletableFuture<LockHandle>> asked = ask(TwoInstances.FOREVER);
		restore();
		before.close();
		assertOneHolds(asked);
		assertNothingSentWithIdsFromBefore();
	}

	@Test
	void holdsOfRestoredCopiesAreLostAndNeitherRenewedNorReleased() {
		List<CompletableFuture<LockHandle>> held = ask(TwoInstances.ORDERS);
		assertThat(held)
			.allSatisfy((handle) -> assertThat(handle.join().isHeld()).as("'handle.join' is held").isTrue());
		restore();
		assertThat(held).allSatisfy((handle) -> {
			assertThat(handle.join().isHeld()).as("'handle.join' is held").isFalse();
			assertThat(handle.join().whenLost().toCompletableFuture().join().reason())
				.isEqualTo(LockLoss.Reason.RESTORED);
			handle.join().close();
		});
		pass(Duration.ofSeconds(20));
		assertThat(this.other.ask(TwoInstances.ONCE)).isCompletedExceptionally();
		assertNothingSentWithIdsFromBefore();
		pass(LEASE);
		assertOneHolds(TwoInstances.ONCE);
	}

	@Test
	void pendingRenewalsDoNotKeepHoldsOfRestoredCopies() {
		List<CompletableFuture<LockHandle>> held = ask(TwoInstances.ORDERS);
		both().forEach((copy) -> copy.store.hold = true);
		pass(Duration.ofSeconds(11));
		assertThat(both()).allSatisfy((copy) -> assertThat(copy.store.count(RenewCommand.class)).isOne());
		restore();
		both().forEach((copy) -> copy.store.deliver());
		assertThat(held)
			.allSatisfy((handle) -> assertThat(handle.join().isHeld()).as("'handle.join' is held").isFalse());
		pass(LEASE);
		assertNothingSentWithIdsFromBefore();
	}

	@Test
	void releasesThatFailedBeforeTheCopyAreNotRepeated() {
		List<CompletableFuture<LockHandle>> held = ask(TwoInstances.ORDERS);
		both().forEach((copy) -> copy.store.down = true);
		held.forEach((handle) -> handle.join().close());
		restore();
		both().forEach((copy) -> copy.store.down = false);
		pass(Duration.ofSeconds(5));
		assertNothingSentWithIdsFromBefore();
		assertThat(this.other.ask(TwoInstances.ONCE)).isCompletedExceptionally();
	}

	@Test
	void releasesFromBeforeTheCopyAreNotRepeatedForAnotherServer() {
		ask(TwoInstances.ORDERS).get(0).join().close();
		restore();
		reconnect();
		pass(Duration.ofSeconds(1));
		assertNothingSentWithIdsFromBefore();
	}

	@Test
	void idleLocksOfRestoredCopiesAreNotUsed() {
		Copy idle = new Copy(TwoInstances.LINGERING);
		idle.test.ask(TwoInstances.ORDERS).join().close();
		assertThat(idle.test.engine.idle()).hasSize(1);
		idle.restore();
		assertThat(idle.test.engine.idle()).isEmpty();
		CompletableFuture<LockHandle> next = idle.test.ask(TwoInstances.ONCE);
		idle.test.pass(Duration.ofSeconds(1));
		assertThat(next).isCompletedExceptionally();
		assertThat(idle.sentWithIdsFromBefore()).isEmpty();
	}

	@Test
	void readersOfRestoredCopiesLoseTheirLock() {
		List<CompletableFuture<LockHandle>> held = ask(TwoInstances.READ);
		restore();
		assertThat(held)
			.allSatisfy((handle) -> assertThat(handle.join().isHeld()).as("'handle.join' is held").isFalse());
		held.forEach((handle) -> handle.join().close());
		pass(LEASE);
		assertNothingSentWithIdsFromBefore();
		assertThat(this.other.ask(TwoInstances.ONCE)).isCompletedWithValueMatching(LockHandle::isHeld);
	}

	@Test
	void stoppedEngineThatContinuesKeepsItsLocks() {
		LockHandle handle = this.first.test.ask(TwoInstances.ORDERS).join();
		this.first.test.engine.stop();
		this.first.test.engine.start();
		pass(LEASE);
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
	}

	private Stream<Copy> both() {
		return Stream.of(this.first, this.second);
	}

	private List<CompletableFuture<LockHandle>> ask(LockRequest request) {
		return both().map((copy) -> copy.test.ask(request)).toList();
	}

	/* From now on, the operating system gives the copies different random numbers. */
	private void differ() {
		this.second.threads.unpredictable = 1_000;
	}

	private void reconnect() {
		both().forEach((copy) -> copy.test.reconnect());
	}

	private void restore() {
		differ();
		both().forEach(Copy::restore);
	}

	private void pass(Duration time) {
		TestEngine.pass(time, this.first.test, this.second.test, this.other);
	}

	private void assertOneHolds(LockRequest request) {
		assertThat(ask(request)).filteredOn((asked) -> !asked.isCompletedExceptionally())
			.singleElement()
			.satisfies((asked) -> assertThat(asked.join().isHeld()).as("'asked.join' is held").isTrue());
	}

	/* Both get it, one after the other. */
	private void assertOneHolds(List<CompletableFuture<LockHandle>> asked) {
		pass(Duration.ofSeconds(10));
		for (int i = 0; i < asked.size(); i++) {
			assertThat(asked).filteredOn(CompletableFuture::isDone)
				.filteredOn((handle) -> handle.join().isHeld())
				.as("holders in round %d", i)
				.singleElement()
				.satisfies((handle) -> handle.join().close());
			pass(Duration.ofSeconds(10));
		}
	}

	private void assertNothingSentWithIdsFromBefore() {
		assertThat(both()).allSatisfy((copy) -> assertThat(copy.sentWithIdsFromBefore()).isEmpty());
	}

	/**
	 * One of the copies. It receives no messages of the store.
	 */
	private final class Copy {

		private final ThreadsByHand threads = new ThreadsByHand(CopiedProcessTests.this.ticker);

		private final ScriptedStore store = new ScriptedStore(CopiedProcessTests.this.memory);

		private final TestEngine test;

		private int before;

		private Copy(EngineSettings settings) {
			this.test = new TestEngine("copied", settings, this.threads, CopiedProcessTests.this.ticker, this.store,
					CopiedProcessTests.this.memory, new NoWakeUps(), Runnable::run);
		}

		private void restore() {
			this.before = this.store.commands.size();
			this.test.engine.restored();
		}

		/* The commands since it was restored whose attempt is from before. */
		private List<Object> sentWithIdsFromBefore() {
			return this.store.commands.stream().skip(this.before).filter(this::isFromBefore).toList();
		}

		private boolean isFromBefore(Object command) {
			AttemptId id = (command instanceof RenewCommand renewal) ? renewal.attempt()
					: (command instanceof ReleaseCommand release) ? release.attempt()
							: ((AcquireCommand) command).attempt();
			return id.instance().equals("copied");
		}

	}

}
