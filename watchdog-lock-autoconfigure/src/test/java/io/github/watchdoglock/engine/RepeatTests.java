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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the repetition of failed releases.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RepeatTests extends TwoInstances {

	/*
	 * A single failed release is repeated within this time once the store is available.
	 */
	private static final Duration SOON = Duration.ofMillis(110);

	@Test
	void failedReleaseIsReportedAtOnceAndRepeatedUntilSuccessful() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.down = true;
		assertThat(handle.closeAsync()).isCompleted();
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "released",
				"release failed: LockStoreException");
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		this.store.down = false;
		this.firstInstance.pass(SOON);
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
		assertThat(this.firstInstance.events.heard).hasSize(4).endsWith("release repeated: DONE");
		assertSilent(this.firstInstance, Duration.ofMinutes(1));
		assertThat(this.firstInstance.events.heard).hasSize(4);
	}

	@Test
	void repeatedReleaseAfterLostAnswerDoesNotEndLeaseOfOtherInstance() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.loseAnswers = true;
		handle.close();
		this.store.loseAnswers = false;
		LockHandle successor = this.secondInstance.ask(ORDERS).join();
		this.firstInstance.pass(SOON);
		assertThat(this.firstInstance.events.count("release repeated: DONE")).isOne();
		assertThat(this.firstInstance.events.heard).doesNotContain("lost: GONE");
		assertThat(successor.isHeld()).as("'successor' is held").isTrue();
		TestEngine.pass(Duration.ofMinutes(1), this.firstInstance, this.secondInstance);
		assertThat(successor.isHeld()).as("'successor' is held").isTrue();
	}

	@Test
	void releaseRejectedByStoreIsNotRepeated() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.refusing = true;
		handle.close();
		assertSilent(this.firstInstance, Duration.ofMinutes(1));
		assertThat(this.firstInstance.events.heard).containsExactly("acquired", "released",
				"release failed: CommandRefusedException");
	}

	@Test
	void repetitionsEndWhenStoreRejectsRepeatedRelease() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.down = true;
		handle.close();
		this.store.down = false;
		this.store.refusing = true;
		this.firstInstance.pass(SOON);
		assertThat(this.firstInstance.events.count("release repeated: DROPPED")).isOne();
		assertSilent(this.firstInstance, Duration.ofMinutes(1));
	}

	@Test
	void repeatedReleaseKeepsRestOfMinimumHoldTime() {
		LockHandle handle = this.firstInstance.ask(ORDERS.withMinHoldTime(Duration.ofSeconds(8))).join();
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(2));
		handle.close();
		this.firstInstance.pass(Duration.ofSeconds(1));
		this.store.down = false;
		this.store.commands.clear();
		this.firstInstance.pass(SOON);
		assertThat(this.store.sent(ReleaseCommand.class)).singleElement().satisfies((release) -> {
			assertThat(release.keep()).isBetween(Duration.ofMillis(4_880), Duration.ofSeconds(5));
			assertThat(release.lastToken()).isEqualTo(handle.fencingToken());
		});
	}

	@Test
	void failedReleaseOfLostHoldIsReportedAndRepeated() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.down = true;
		this.firstInstance.pass(Duration.ofMillis(24_800));
		assertThat(handle.isHeld()).as("'handle' is held").isFalse();
		handle.close();
		assertThat(this.firstInstance.events.count("release failed: LockStoreException")).isOne();
		this.store.down = false;
		this.firstInstance.pass(SOON);
		assertThat(this.firstInstance.events.heard).endsWith("release repeated: DONE").doesNotContain("released");
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void fewReleasesAreRepeatedDuringOutageAndAllAfterRecovery() {
		int locks = 1_000;
		List<LockHandle> handles = take(this.firstInstance, locks, ORDERS);
		this.store.down = true;
		handles.forEach(LockHandle::close);
		this.store.commands.clear();
		this.firstInstance.pass(Duration.ofSeconds(10));
		assertThat(this.store.commands).hasSizeBetween(100, 220);
		this.store.down = false;
		this.store.commands.clear();
		for (int most = 0; this.firstInstance.events.count("release repeated: DONE") < locks; most += 50) {
			assertThat(this.store.commands).hasSizeLessThanOrEqualTo(most);
			this.firstInstance.pass(TestEngine.TICK);
			assertThat(most).isLessThan(50 * 40);
		}
		assertThat(this.store.commands).hasSize(locks);
		assertThat(handles).allMatch((handle) -> this.secondInstance.engine.find(handle.key()).isEmpty());
	}

	@Test
	void failingReleaseIsRepeatedAtMostOncePerTick() {
		List<LockHandle> handles = take(this.firstInstance, 200, ORDERS);
		this.store.down = true;
		handles.forEach(LockHandle::close);
		this.store.down = false;
		passUntil(() -> this.firstInstance.events.count("release repeated: DONE") >= 155);
		assertThat(this.firstInstance.events.count("release repeated: DONE")).isLessThan(200);
		this.store.down = true;
		this.store.commands.clear();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.store.commands).isNotEmpty().doesNotHaveDuplicates();
	}

	@Test
	void repeatedReleasesAreLimitedWhileStoreDoesNotAnswer() {
		List<LockHandle> handles = take(this.firstInstance, 2_000, ORDERS);
		this.store.down = true;
		handles.forEach(LockHandle::close);
		this.store.down = false;
		this.store.commands.clear();
		this.firstInstance.pass(Duration.ofMillis(200));
		assertThat(this.store.count(ReleaseCommand.class)).isBetween(10L, 1_000L);
		long before = this.store.count(ReleaseCommand.class);
		this.store.hold = true;
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(this.store.count(ReleaseCommand.class) - before).isLessThanOrEqualTo(500);
		this.store.deliver();
		this.firstInstance.pass(Duration.ofSeconds(1));
		assertThat(this.firstInstance.events.count("release repeated: DONE")).isEqualTo(2_000);
	}

	@Test
	void keysThatKeepFailingDoNotDelayReleaseOfOtherKey() {
		Set<LockKey> away = new HashSet<>();
		ScriptedStore partly = new ScriptedStore(this.memory) {
			@Override
			public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
				return away.contains(command.key())
						? CompletableFuture.failedFuture(new LockStoreException("away", null)) : super.release(command);
			}
		};
		TestEngine engine = engine(SETTINGS, partly, this.memory);
		List<LockHandle> handles = take(engine, 300, ORDERS);
		handles.subList(0, 299).forEach((handle) -> away.add(handle.key()));
		handles.subList(0, 299).forEach(LockHandle::close);
		engine.pass(Duration.ofSeconds(1));
		LockHandle last = handles.get(299);
		away.add(last.key());
		last.close();
		away.remove(last.key());
		engine.pass(SOON);
		assertThat(this.secondInstance.engine.find(last.key())).isEmpty();
		away.clear();
		engine.pass(Duration.ofMillis(500));
		assertThat(engine.events.count("release repeated: DONE")).isEqualTo(300);
	}

	@Test
	@Tag("slow")
	void releasesWhoseLeasesEndFirstAreDroppedWhenQueueIsFull() {
		List<LockHandle> shorter = take(this.firstInstance, 50,
				LockRequest.of("short").withLease(Lease.renewed(Duration.ofSeconds(10))));
		List<LockHandle> longer = take(this.firstInstance, 10_000, ORDERS);
		this.store.down = true;
		for (int i = 0; i < longer.size(); i++) {
			longer.get(i).close();
			if (i < shorter.size()) {
				shorter.get(i).close();
			}
		}
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.firstInstance.events.count("release repeated: DROPPED")).isEqualTo(50);
		this.store.down = false;
		this.firstInstance.pass(Duration.ofSeconds(3));
		assertThat(this.firstInstance.events.count("release repeated: DONE")).isEqualTo(10_000);
		assertThat(longer).allMatch((handle) -> this.secondInstance.engine.find(handle.key()).isEmpty());
		assertThat(shorter).allMatch((handle) -> this.secondInstance.engine.find(handle.key()).isPresent());
	}

	@Test
	void stopWaitsForRepetitionsOnlyForCommandTimeout() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.down = true;
		CompletableFuture<Void> stopped = this.firstInstance.engine.stop().toCompletableFuture();
		this.firstInstance.pass(Duration.ofSeconds(3));
		handle.close();
		assertServedAfter(stopped, Duration.ofMillis(1_980), Duration.ofMillis(20));
		assertThat(this.firstInstance.events.heard).doesNotContain("release repeated: DROPPED");
		this.firstInstance.engine.close();
		this.firstInstance.pass(TestEngine.TICK);
		assertThat(this.firstInstance.events.heard).endsWith("release repeated: DROPPED");
		assertSilent(this.firstInstance, Duration.ofSeconds(30));
	}

	@Test
	void stopEndsWhenLastRepetitionSucceeds() {
		LockHandle handle = this.firstInstance.ask(ORDERS).join();
		this.store.down = true;
		handle.close();
		CompletableFuture<Void> stopped = this.firstInstance.engine.stop().toCompletableFuture();
		assertThat(stopped).isNotDone();
		this.store.down = false;
		this.firstInstance.pass(SOON);
		assertThat(stopped).isCompleted();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	/* Acquire locks with the same name. */
	private static List<LockHandle> take(TestEngine engine, int count, LockRequest request) {
		return IntStream.range(0, count)
			.mapToObj((i) -> engine.ask(request.withKey(LockKey.of(request.key().name(), "" + i))).join())
			.toList();
	}

}
