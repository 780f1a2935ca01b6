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
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.TimerWheel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WaitQueue}: whatever a step has done to it, it can be put back.
 */
class WaitQueueTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final int CALLERS = 4;

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final TestEngine test = TestEngine.over(this.ticker, this.memory);

	private final Core core = this.test.engine.cohorts.core;

	private WaitQueue queue = newQueue();

	@Test
	void callersAreInOrderOfArrivalAndAnyMayLeave() {
		for (List<Integer> leaving : leavings()) {
			this.queue = newQueue();
			List<Waiter> callers = come(CALLERS);
			List<Waiter> left = new ArrayList<>(callers);
			for (int i : leaving) {
				this.queue.remove(callers.get(i));
				left.remove(callers.get(i));
				assertIs(left);
				assertThat(callers.get(i).queued).isFalse();
			}
		}
	}

	@Test
	void whoHasLeftIsBackAndWhoCameIsNotWhenAStepIsUndone() {
		for (List<Integer> leaving : leavings()) {
			for (int coming = 0; coming <= 2; coming++) {
				for (int leavingAtOnce = 0; leavingAtOnce <= coming; leavingAtOnce++) {
					this.queue = newQueue();
					assertUndone(leaving, coming, leavingAtOnce);
				}
			}
		}
	}

	private void assertUndone(List<Integer> leaving, int coming, int leavingAtOnce) {
		List<Waiter> callers = come(CALLERS);
		Object before = this.queue.copy();
		// As in a step that lets somebody in, which does so first.
		List<Waiter> come = come(coming);
		leaving.subList(0, leaving.size() / 2).forEach((i) -> this.queue.remove(callers.get(i)));
		come.subList(0, leavingAtOnce).forEach(this.queue::remove);
		leaving.subList(leaving.size() / 2, leaving.size()).forEach((i) -> this.queue.remove(callers.get(i)));
		this.queue.revert(before);
		assertIs(callers);
		assertThat(callers).allMatch((waiter) -> waiter.queued);
		assertThat(come).noneMatch((waiter) -> waiter.queued);
		// Its links are as good as before.
		List<Waiter> left = new ArrayList<>(callers);
		left.addAll(come(1));
		assertIs(left);
		for (int i : List.of(CALLERS - 1, 0)) {
			this.queue.remove(callers.get(i));
			left.remove(callers.get(i));
			assertIs(left);
		}
	}

	@Test
	void queueThatWasEmptyIsEmptyAgain() {
		Object before = this.queue.copy();
		List<Waiter> come = come(3);
		this.queue.remove(come.get(1));
		this.queue.revert(before);
		assertIs(List.of());
		assertThat(come).noneMatch((waiter) -> waiter.queued);
		assertIs(come(2));
	}

	@Test
	void nobodyEverWasInOneThatIsCleared() {
		List<Waiter> come = come(CALLERS);
		for (Waiter waiter : List.of(come.get(0), come.get(2))) {
			this.queue.remove(waiter);
			waiter.decided = Waiter.Outcome.Refused.UNKNOWN;
		}
		this.queue.clear();
		assertThat(come).noneMatch((waiter) -> waiter.queued).allMatch((waiter) -> waiter.decided == null);
	}

	@Test
	void whoWaitsTheLongestForAnAnswerIsFirstAmongThoseWhoHaveHadNone() {
		List<Waiter> callers = come(3);
		assertThat(this.queue.firstUnanswered()).isSameAs(callers.get(0));
		callers.get(0).answered = true;
		callers.get(1).answered = true;
		assertThat(this.queue.firstUnanswered()).isSameAs(callers.get(2));
		callers.get(2).answered = true;
		assertThat(this.queue.firstUnanswered()).isNull();
	}

	@Test
	void whoWaitsIsLookedAtOnceWhenItsTimeIsOver() {
		List<Long> looks = new ArrayList<>();
		Waiter waiter = new Waiter(KEY, Kind.EXCLUSIVE, false, this.core.defaults(), this.core.rules(),
				Duration.ofSeconds(3).toNanos(), this.core.now(), null, (outcome) -> {
				});
		waiter.answered = true;
		waiter.alarm = new TimerWheel.Alarm() {

			@Override
			public void proceed(long now) {
				looks.add(now);
			}

		};
		this.test.pass(Duration.ofSeconds(1));
		this.queue.watch(waiter, this.core.now());
		this.test.pass(Duration.ofSeconds(5));
		assertThat(looks).containsExactly(waiter.start + Duration.ofSeconds(3).toNanos());
	}

	/* The order, forwards, and whether it begins and ends there. */
	private void assertIs(List<Waiter> expected) {
		List<Waiter> found = new ArrayList<>();
		this.queue.forEach(found::add);
		assertThat(found).containsExactlyElementsOf(expected);
		assertThat(this.queue.size()).isEqualTo(expected.size());
		assertThat(this.queue.isEmpty()).isEqualTo(expected.isEmpty());
		if (!expected.isEmpty()) {
			assertThat(this.queue.first()).isSameAs(expected.get(0));
		}
	}

	private WaitQueue newQueue() {
		return new WaitQueue(this.core, new Cohort(KEY, this.test.engine.cohorts));
	}

	private List<Waiter> come(int count) {
		List<Waiter> come = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Waiter waiter = new Waiter(KEY, Kind.EXCLUSIVE, false, this.core.defaults(), this.core.rules(), -1,
					this.core.now(), null, (outcome) -> {
					});
			this.queue.add(waiter);
			come.add(waiter);
		}
		return come;
	}

	/* Who leaves one after the other: some or all, in each order. */
	private static List<List<Integer>> leavings() {
		List<List<Integer>> all = new ArrayList<>();
		all.add(List.of());
		for (int i = 0; i < all.size(); i++) {
			List<Integer> before = all.get(i);
			for (int next = 0; next < CALLERS; next++) {
				if (!before.contains(next)) {
					List<Integer> more = new ArrayList<>(before);
					more.add(next);
					all.add(more);
				}
			}
		}
		return all;
	}

}
