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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.time.Ticker;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Releases that failed, and what becomes of them.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RepeatTests extends TwoInstances {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	/* In which a single release that failed comes again once the store is there. */
	private static final Duration SOON = Duration.ofMillis(110);

	@Test
	void aReleaseThatFailedIsToldAtOnceAndRepeatedUntilTheStoreHasCarriedItOut() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.down = true;
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(closed).isCompleted();
		this.test.pass(Duration.ofSeconds(10));
		assertThat(this.test.events.heard).containsExactly("acquired", "released",
				"release failed: LockStoreException");
		assertThat(this.other.engine.find(KEY)).isPresent();
		this.store.down = false;
		this.test.pass(SOON);
		assertThat(this.other.engine.find(KEY)).isEmpty();
		assertThat(this.test.events.heard).hasSize(4).endsWith("release repeated: DONE");
		this.store.commands.clear();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.commands).isEmpty();
		assertThat(this.test.events.heard).hasSize(4);
	}

	@Test
	void aReleaseWhoseAnswerWasLostIsRepeatedUntilTheStoreHasNothing() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.loseAnswers = true;
		handle.close();
		this.store.loseAnswers = false;
		LockHandle successor = this.other.ask(ORDERS).join();
		this.test.pass(SOON);
		assertThat(this.test.events.count("release repeated: DONE")).isOne();
		assertThat(this.test.events.heard).doesNotContain("lost: GONE");
		assertThat(successor.isHeld()).isTrue();
		TestEngine.pass(Duration.ofMinutes(1), this.test, this.other);
		assertThat(successor.isHeld()).isTrue();
	}

	@Test
	void aReleaseIsRepeatedAsLongAsItsOwnLeaseLastsByTheLastCommandOfIt() {
		LockHandle handle = this.test.ask(ORDERS.withLease(Lease.renewed(Duration.ofSeconds(60)))).join();
		this.test.pass(Duration.ofSeconds(35));
		assertThat(this.test.events.count("renewed")).isPositive();
		// One that the store carries out while its answer is lost.
		this.store.loseAnswers = true;
		while (this.test.events.count("renewal failed") == 0) {
			this.test.pass(TestEngine.TICK);
		}
		this.store.loseAnswers = false;
		this.store.down = true;
		handle.close();
		this.store.commands.clear();
		this.test.pass(Duration.ofMillis(59_900));
		assertThat(this.test.events.heard).doesNotContain("release repeated: OVER");
		assertThat(this.store.count(ReleaseCommand.class)).isPositive();
		this.test.pass(Duration.ofMillis(200));
		assertThat(this.test.events.count("release repeated: OVER")).isOne();
		this.store.commands.clear();
		this.test.pass(Duration.ofSeconds(60));
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void aShortLeaseIsNotReleasedWhenItIsOver() {
		LockHandle handle = this.test.ask(ORDERS.withLease(Lease.renewed(Duration.ofSeconds(3)))).join();
		this.store.down = true;
		handle.close();
		this.test.pass(Duration.ofSeconds(3));
		assertThat(this.test.events.count("release repeated: OVER")).isOne();
		this.store.commands.clear();
		this.test.pass(Duration.ofSeconds(30));
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void whatTheStoreRefusesForGoodIsNotRepeated() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.refusing = true;
		handle.close();
		this.store.commands.clear();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.commands).isEmpty();
		assertThat(this.test.events.heard).containsExactly("acquired", "released",
				"release failed: CommandRefusedException");
	}

	@Test
	void aRepetitionThatIsRefusedForGoodIsTheLastOne() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.down = true;
		handle.close();
		this.store.down = false;
		this.store.refusing = true;
		this.test.pass(SOON);
		assertThat(this.test.events.count("release repeated: DROPPED")).isOne();
		this.store.commands.clear();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void aRepetitionTakesNoPlaceAndKeepsTheRestOfTheMinimumHold() {
		LockHandle handle = this.test.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(8))).join();
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(2));
		handle.close();
		this.test.pass(Duration.ofSeconds(1));
		this.store.down = false;
		this.store.commands.clear();
		this.test.pass(SOON);
		assertThat(this.store.commands).singleElement().satisfies((command) -> {
			ReleaseCommand release = (ReleaseCommand) command;
			assertThat(release.keep()).isBetween(Duration.ofMillis(4_880), Duration.ofSeconds(5));
			assertThat(release.lastToken()).isEqualTo(handle.fencingToken());
		});
	}

	@Test
	void aReleaseWithAPlaceForFurtherCallersIsRepeatedWithoutOne() {
		LockHandle handle = this.test.ask(ORDERS).join();
		CompletableFuture<LockHandle> waitsElsewhere = this.other.ask(ORDERS.withWaitTime(Duration.ofMinutes(1)));
		CompletableFuture<LockHandle> waitsHere = this.test.ask(ORDERS.withWaitTime(Duration.ofMinutes(1)));
		this.store.down = true;
		TestEngine.pass(Duration.ofMillis(60), this.test, this.other);
		this.store.commands.clear();
		handle.close();
		TestEngine.pass(Duration.ofMillis(500), this.test, this.other);
		List<ReleaseCommand> releases = this.store.sent(ReleaseCommand.class);
		assertThat(releases).hasSizeGreaterThan(1);
		assertThat(releases.get(0).requeue()).isNotNull();
		assertThat(releases.subList(1, releases.size())).allMatch((release) -> release.requeue() == null);
		this.store.down = false;
		TestEngine.pass(Duration.ofSeconds(2), this.test, this.other);
		waitsElsewhere.join().close();
		TestEngine.pass(Duration.ofSeconds(2), this.test, this.other);
		waitsHere.join().close();
	}

	@Test
	void anUndoingLastsAsLongAsTheLeaseThatTheAttemptAskedFor() {
		this.store.loseAnswers = true;
		CompletableFuture<LockHandle> future = this.test.ask(ORDERS.withLease(Lease.renewed(Duration.ofMinutes(2))));
		this.test.pass(Duration.ofSeconds(2));
		assertThat(future).isCompletedExceptionally();
		assertThat(this.test.events.heard).containsExactly("not acquired: ERROR");
		this.test.pass(Duration.ofSeconds(100));
		assertThat(this.test.events.heard).hasSize(1);
		this.store.commands.clear();
		this.test.pass(Duration.ofSeconds(1));
		assertThat(this.store.sent(ReleaseCommand.class)).isNotEmpty();
		this.test.pass(Duration.ofSeconds(20));
		assertThat(this.test.events.heard).containsExactly("not acquired: ERROR", "release repeated: OVER");
	}

	@Test
	void whatALostHoldLeftIsToldToHaveFailedAndMadeGood() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.down = true;
		this.test.pass(Duration.ofMillis(24_800));
		assertThat(handle.isHeld()).isFalse();
		handle.close();
		assertThat(this.test.events.count("release failed: LockStoreException")).isOne();
		this.store.down = false;
		this.test.pass(SOON);
		assertThat(this.test.events.heard).endsWith("release repeated: DONE").doesNotContain("released");
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aStoreThatIsAwayIsAskedNowAndThenAndAllComeWhenItIsBack() {
		int locks = 1_000;
		List<LockHandle> handles = take(locks, LockRequest::of);
		this.store.down = true;
		handles.forEach(LockHandle::close);
		this.store.commands.clear();
		this.test.pass(Duration.ofSeconds(10));
		assertThat(this.store.commands).hasSizeBetween(100, 220);
		this.store.down = false;
		this.store.commands.clear();
		for (int most = 0; this.test.events.count("release repeated: DONE") < locks; most += 50) {
			assertThat(this.store.commands).hasSizeLessThanOrEqualTo(most);
			this.test.pass(TestEngine.TICK);
			assertThat(most).isLessThan(50 * 40);
		}
		assertThat(this.store.commands).hasSize(locks);
		assertThat(handles).allMatch((handle) -> this.other.engine.find(handle.key()).isEmpty());
	}

	@Test
	void whatFailsAtOnceIsRepeatedOnceInATick() {
		List<LockHandle> handles = take(200, LockRequest::of);
		this.store.down = true;
		handles.forEach(LockHandle::close);
		this.store.down = false;
		while (this.test.events.count("release repeated: DONE") < 155) {
			this.test.pass(TestEngine.TICK);
		}
		assertThat(this.test.events.count("release repeated: DONE")).isLessThan(200);
		this.store.down = true;
		this.store.commands.clear();
		this.test.pass(TestEngine.TICK);
		assertThat(this.store.commands).isNotEmpty().doesNotHaveDuplicates();
	}

	@Test
	void aStoreThatDoesNotAnswerFindsNoMoreThanAFewInItsSocket() {
		List<LockHandle> handles = take(2_000, LockRequest::of);
		this.store.down = true;
		handles.forEach(LockHandle::close);
		this.store.down = false;
		this.store.commands.clear();
		this.test.pass(Duration.ofMillis(200));
		assertThat(this.store.count(ReleaseCommand.class)).isBetween(10L, 1_000L);
		long before = this.store.count(ReleaseCommand.class);
		this.store.hold = true;
		this.test.pass(Duration.ofSeconds(2));
		assertThat(this.store.count(ReleaseCommand.class) - before).isLessThanOrEqualTo(500);
		this.store.deliver();
		this.test.pass(Duration.ofSeconds(1));
		assertThat(this.test.events.count("release repeated: DONE")).isEqualTo(2_000);
	}

	@Test
	void keysThatStayAwayHoldUpNobodyElses() {
		Set<LockKey> away = new HashSet<>();
		LeaseStore partly = new PartlyAway(this.store, away::contains);
		TestEngine engine = new TestEngine(this.ticker, partly, this.memory, this.memory);
		List<LockHandle> handles = take(300, LockRequest::of, engine);
		handles.subList(0, 299).forEach((handle) -> away.add(handle.key()));
		handles.subList(0, 299).forEach(LockHandle::close);
		engine.pass(Duration.ofSeconds(1));
		LockHandle last = handles.get(299);
		away.add(last.key());
		last.close();
		away.remove(last.key());
		engine.pass(SOON);
		assertThat(this.other.engine.find(last.key())).isEmpty();
		away.clear();
		engine.pass(Duration.ofMillis(500));
		assertThat(engine.events.count("release repeated: DONE")).isEqualTo(300);
	}

	@Test
	@Tag("slow")
	void whereTooManyWaitThoseWhoseLeasesEndFirstAreDropped() {
		List<LockHandle> shorter = take(50,
				(name, id) -> LockRequest.of("short", id).withLease(Lease.renewed(Duration.ofSeconds(10))));
		List<LockHandle> longer = take(10_000, LockRequest::of);
		this.store.down = true;
		for (int i = 0; i < longer.size(); i++) {
			longer.get(i).close();
			if (i < shorter.size()) {
				shorter.get(i).close();
			}
		}
		this.test.pass(TestEngine.TICK);
		assertThat(this.test.events.count("release repeated: DROPPED")).isEqualTo(50);
		this.store.down = false;
		this.test.pass(Duration.ofSeconds(3));
		assertThat(this.test.events.count("release repeated: DONE")).isEqualTo(10_000);
		assertThat(longer).allMatch((handle) -> this.other.engine.find(handle.key()).isEmpty());
		assertThat(shorter).allMatch((handle) -> this.other.engine.find(handle.key()).isPresent());
	}

	@Test
	void anApplicationThatStopsWaitsForRepetitionsAsLongAsForACommand() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.down = true;
		CompletableFuture<Void> stopped = this.test.engine.stop().toCompletableFuture();
		this.test.pass(Duration.ofSeconds(3));
		handle.close();
		this.test.pass(Duration.ofMillis(1_980));
		assertThat(stopped).isNotDone();
		this.test.pass(Duration.ofMillis(20));
		assertThat(stopped).isCompleted();
		assertThat(this.test.events.heard).doesNotContain("release repeated: DROPPED");
		this.test.engine.close();
		this.test.pass(TestEngine.TICK);
		assertThat(this.test.events.heard).endsWith("release repeated: DROPPED");
		this.store.commands.clear();
		this.test.pass(Duration.ofSeconds(30));
		assertThat(this.store.commands).isEmpty();
	}

	@Test
	void anApplicationThatStopsWaitsNoLongerThanUntilTheLastRepetition() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.down = true;
		handle.close();
		CompletableFuture<Void> stopped = this.test.engine.stop().toCompletableFuture();
		assertThat(stopped).isNotDone();
		this.store.down = false;
		this.test.pass(SOON);
		assertThat(stopped).isCompleted();
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void theWatchdogRepeatsReleases() {
		Collection<String> threads = new ConcurrentLinkedQueue<>();
		InMemoryLeaseStore memory = new InMemoryLeaseStore(Ticker.system(), InstantSource.system());
		LeaseStore failing = new PartlyAway(memory, (key) -> {
			threads.add(Thread.currentThread().getName());
			return threads.size() < 3;
		});
		RecordingListener events = new RecordingListener();
		try (LockEngine engine = ClockedEngine.create(EngineSettings.of("test"), Ticker.system(),
				InstantSource.system(), failing, memory, memory, events)) {
			engine.acquireAsync(ORDERS).join().close();
			await().until(() -> events.count("release repeated: DONE") == 1);
			assertThat(threads).containsExactly(Thread.currentThread().getName(), "watchdog-lock", "watchdog-lock");
		}
	}

	private List<LockHandle> take(int count, Requests requests) {
		return take(count, requests, this.test);
	}

	private static List<LockHandle> take(int count, Requests requests, TestEngine engine) {
		List<LockHandle> handles = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			handles.add(engine.ask(requests.request("orders", "order-" + i)).join());
		}
		return handles;
	}

	private interface Requests {

		LockRequest request(String name, String id);

	}

	/**
	 * A store that some releases do not reach.
	 *
	 * @param store the store
	 * @param away of which keys
	 */
	private record PartlyAway(LeaseStore store, Predicate<LockKey> away) implements LeaseStore {

		@Override
		public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
			return this.store.acquire(command);
		}

		@Override
		public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
			return this.store.renew(commands);
		}

		@Override
		public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
			return this.away.test(command.key()) ? CompletableFuture.failedFuture(new LockStoreException("away", null))
					: this.store.release(command);
		}

	}

}
