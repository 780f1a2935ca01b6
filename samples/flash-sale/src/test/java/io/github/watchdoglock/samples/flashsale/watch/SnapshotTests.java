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

package io.github.watchdoglock.samples.flashsale.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.github.watchdoglock.samples.flashsale.watch.Instance.Hold;
import io.github.watchdoglock.samples.flashsale.watch.Snapshot.Lock;
import io.github.watchdoglock.samples.flashsale.watch.Snapshot.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Snapshot}: the cards of one snapshot agree.
 */
class SnapshotTests {

	private static final long NOW = 1_000_000;

	private static final String SALE = "flash-sale:with-lock";

	private static final String REPORT = "sales-report";

	private static final String EXPORT = "sales-export";

	private static final String ROLE = "nightly-report";

	@Test
	void lockWithWaitersIsAwaitedInsteadOfFree() {
		Lock lock = lock(SALE, snapshot(true, instance("a", List.of(), Map.of(SALE, 28L))));
		assertThat(lock.state()).isEqualTo(State.AWAITED);
		assertThat(lock.waiting()).isEqualTo(28);
	}

	@Test
	void lockIsHeldOnlyByHolderWithLatestToken() {
		Snapshot snapshot = snapshot(true, instance("a", List.of(hold(SALE, 7)), Map.of(SALE, 3L)),
				instance("b", List.of(hold(SALE, 8)), Map.of()));
		assertThat(lock(SALE, snapshot).holders()).containsExactly("b");
		assertThat(lock(SALE, snapshot).token()).isEqualTo(8);
		assertThat(snapshot.instances().get(0).holds()).isEmpty();
	}

	@Test
	void exportShowsNoMoreHoldersThanPermits() {
		Snapshot snapshot = snapshot(true, instance("a", List.of(hold(EXPORT, 1), hold(EXPORT, 2)), Map.of()),
				instance("b", List.of(hold(EXPORT, 3)), Map.of()));
		assertThat(lock(EXPORT, snapshot).holders()).containsExactly("a", "b");
	}

	@Test
	void lockWhoseLeaseHasExpiredIsFree() {
		Snapshot snapshot = snapshot(true, instance("a", List.of(new Hold(REPORT, 1, NOW)), Map.of()));
		assertThat(lock(REPORT, snapshot).state()).isEqualTo(State.FREE);
		assertThat(snapshot.instances().get(0).holds()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void heldLockIsAtRiskIfAndOnlyIfRedisDoesNotAnswer(boolean redisAnswers) {
		Snapshot snapshot = snapshot(redisAnswers, instance("a", List.of(hold(REPORT, 1)), Map.of()));
		assertThat(lock(REPORT, snapshot).state()).isEqualTo(redisAnswers ? State.HELD : State.AT_RISK);
		assertThat(lock(REPORT, snapshot).remaining()).isEqualTo(500);
	}

	@Test
	void lockIsLostWhileWorkContinuesWithoutHolder() {
		Instance without = new Instance("a", true, false, List.of(), Map.of(), List.of(REPORT), 0, 0, 0, 1, List.of());
		assertThat(lock(REPORT, snapshot(true, without)).state()).isEqualTo(State.LOST);
		Lock again = lock(REPORT, snapshot(true, without, instance("b", List.of(hold(REPORT, 2)), Map.of())));
		assertThat(again.state()).isEqualTo(State.HELD);
		assertThat(again.unlocked()).containsExactly("a");
	}

	@Test
	void instancesThatDoNotLeadAreCandidates() {
		Lock role = lock(ROLE, snapshot(true, instance("a", List.of(), Map.of()),
				instance("b", List.of(hold(ROLE, 4)), Map.of()), instance("c", List.of(), Map.of())));
		assertThat(role.holders()).containsExactly("b");
		assertThat(role.waiting()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
	void stateOfEachLockAgreesWithHoldersInRandomSnapshots(int seed) {
		Random random = new Random(seed);
		for (int i = 0; i < 500; i++) {
			Snapshot snapshot = snapshot(random.nextBoolean(), random(random, "a"), random(random, "b"),
					random(random, "c"));
			for (Lock lock : snapshot.locks()) {
				assertThat(lock.state() == State.FREE)
					.as("lock is free exactly if it has no holder, waiter or unlocked work (with key and snapshot)")
					.isEqualTo(lock.holders().isEmpty() && lock.waiting() == 0 && lock.unlocked().isEmpty());
				assertThat(lock.state() == State.HELD || lock.state() == State.AT_RISK)
					.as("lock is held or at risk exactly if it has a holder (with key and snapshot)")
					.isEqualTo(!lock.holders().isEmpty());
				assertThat(lock.holders()).hasSizeLessThanOrEqualTo(lock.key().equals(EXPORT) ? 2 : 1)
					.isEqualTo(snapshot.instances()
						.stream()
						.flatMap((instance) -> instance.holds()
							.stream()
							.filter((hold) -> hold.key().equals(lock.key()))
							.map((hold) -> instance.url()))
						.toList());
			}
		}
	}

	private static Instance random(Random random, String url) {
		List<Hold> holds = new ArrayList<>();
		IntStream.range(0, random.nextInt(4))
			.forEach((i) -> holds.add(new Hold(List.of(SALE, REPORT, EXPORT, ROLE, "else").get(random.nextInt(5)),
					random.nextLong(1_000_000), NOW - 100 + random.nextInt(1000))));
		return new Instance(url, false, false, holds, Map.of(SALE, (long) random.nextInt(2)),
				(random.nextInt(4) == 0) ? List.of(REPORT) : List.of(), 0, 0, 0, 0, List.of());
	}

	private static Hold hold(String key, long token) {
		return new Hold(key, token, NOW + 500);
	}

	private static Instance instance(String url, List<Hold> holds, Map<String, Long> waiting) {
		return new Instance(url, false, false, holds, waiting, List.of(), 0, 0, 0, 0, List.of());
	}

	private static Snapshot snapshot(boolean redisAnswers, Instance... instances) {
		return Snapshot.of(NOW, redisAnswers, List.of(), List.of(instances), List.of());
	}

	private static Lock lock(String key, Snapshot snapshot) {
		return snapshot.locks().stream().filter((lock) -> lock.key().equals(key)).findAny().orElseThrow();
	}

}
