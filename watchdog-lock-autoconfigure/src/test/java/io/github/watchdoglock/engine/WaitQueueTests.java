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
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WaitQueue}.
 */
class WaitQueueTests {

	private static final LockKey KEY = LockKey.of("orders");

	private static final int CALLERS = 4;

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, this.ticker.wallClock);

	private final TestEngine test = TestEngine.over(this.ticker, this.memory);

	private final Core core = this.test.engine.registry.core;

	private WaitQueue queue = newQueue();

	@Test
	void callersAreInOrderOfArrivalAndAnyOfThemMayLeave() {
		for (List<Integer> leaving : leavings()) {
			this.queue = newQueue();
			List<Waiter> callers = add(CALLERS);
			List<Waiter> left = new ArrayList<>(callers);
			for (int i : leaving) {
				this.queue.leave(callers.get(i), new InterruptedException());
				left.remove(callers.get(i));
				assertThatQueueIs(left);
				assertThat(callers.get(i).queued).isFalse();
			}
			left.addAll(add(1));
			assertThatQueueIs(left);
		}
	}

	@Test
	void callerThatLeavesTwiceHasOneOutcome() {
		Waiter waiter = add(2).get(0);
		this.queue.fail(waiter, new IllegalStateException("first"));
		Waiter.Outcome outcome = waiter.decided;
		this.queue.leave(waiter, new InterruptedException());
		assertThat(waiter.decided).isSameAs(outcome);
		assertThat(this.queue.size()).isOne();
	}

	@Test
	void callerThatHasWaitedTheLongestForItsFirstAnswerIsFirstAmongThoseWithoutAnswer() {
		List<Waiter> callers = add(3);
		assertThat(this.queue.firstUnanswered()).isSameAs(callers.get(0));
		callers.get(0).answered = true;
		callers.get(1).answered = true;
		assertThat(this.queue.firstUnanswered()).isSameAs(callers.get(2));
		callers.get(2).answered = true;
		assertThat(this.queue.firstUnanswered()).isNull();
	}

	@Test
	void callerIsRefusedWhenItsTimeIsOver() {
		Waiter waiter = newWaiter(Duration.ofSeconds(3).toNanos());
		waiter.answered = true;
		this.queue.add(waiter);
		assertThat(this.queue.due()).isEqualTo(Alarm.NEVER);
		this.queue.watch(waiter, this.core.now());
		assertThat(this.queue.due()).isEqualTo(waiter.start + Duration.ofSeconds(3).toNanos());
		this.queue.expire(this.queue.due() - 1);
		assertThat(waiter.queued).isTrue();
		this.ticker.advance(Duration.ofSeconds(3));
		this.queue.expire(this.core.now());
		assertThat(waiter.decided).isInstanceOf(Waiter.Outcome.Refused.class);
		assertThat(this.queue.isEmpty()).isTrue();
	}

	/* The order, and whether the queue begins and ends there. */
	private void assertThatQueueIs(List<Waiter> expected) {
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
		return new LocalLock(KEY, this.test.engine.registry).waiters();
	}

	private List<Waiter> add(int count) {
		List<Waiter> added = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Waiter waiter = newWaiter(-1);
			this.queue.add(waiter);
			added.add(waiter);
		}
		return added;
	}

	private Waiter newWaiter(long wait) {
		return new Waiter(KEY, Kind.EXCLUSIVE, false, this.core.defaults, this.core.rules, wait, this.core.now(), null,
				(outcome) -> {
				});
	}

	/* Which callers leave one after the other: some or all, in each order. */
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
