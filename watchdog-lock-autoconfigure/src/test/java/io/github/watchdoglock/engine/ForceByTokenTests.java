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
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.store.LeaseInspector;
import org.junit.jupiter.api.Test;
import org.mockito.AdditionalAnswers;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ForceByTokenTests extends TwoInstances {

	/* Two holds of one lease, because the second caller waited in the same instance. */
	private LockHandle handedOn(LockHandle first) {
		CompletableFuture<LockHandle> next = this.secondInstance.ask(FOREVER);
		first.close();
		LockHandle second = next.join();
		assertThat(this.firstInstance.engine.find(KEY)).map((state) -> state.token())
			.as("the first token of the lease")
			.contains(first.fencingToken());
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
		return second;
	}

	private static void assertForced(LockHandle handle) {
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
		handle.close();
	}

	@Test
	void forceReleaseByCurrentTokenEndsHoldOfSameInstance() {
		LockHandle present = handedOn(this.secondInstance.ask(FOREVER).join());
		assertThat(this.secondInstance.engine.forceRelease(KEY, present.fencingToken())).as("whether it was held")
			.isTrue();
		assertForced(present);
	}

	@Test
	void forceReleaseByCurrentTokenEndsHoldOfOtherInstance() {
		LockHandle present = handedOn(this.secondInstance.ask(FOREVER).join());
		assertThat(this.firstInstance.engine.forceRelease(KEY, present.fencingToken())).as("whether it was held")
			.isTrue();
		assertForced(present);
		assertThat(this.firstInstance.ask(ONCE)).as("the next caller").isCompleted();
	}

	@Test
	void forceReleaseByEarlierTokenLeavesSuccessorHeld() {
		LockHandle first = this.secondInstance.ask(FOREVER).join();
		LockHandle present = handedOn(first);
		assertThat(this.secondInstance.engine.forceRelease(KEY, first.fencingToken())).as("in the same instance")
			.isFalse();
		assertThat(this.firstInstance.engine.forceRelease(KEY, first.fencingToken())).as("in another instance")
			.isFalse();
		assertThat(present.isHeld()).as("held by its successor").isTrue();
		present.close();
	}

	@Test
	void forceReleaseByTokenBeforeLeaseReturnsFalseAndLeavesHold() {
		LockHandle first = this.secondInstance.ask(FOREVER).join();
		assertThat(this.firstInstance.engine.forceRelease(KEY, first.fencingToken() - 1)).isFalse();
		assertThat(first.isHeld()).as("held").isTrue();
		first.close();
		assertThat(this.firstInstance.engine.forceRelease(KEY, first.fencingToken())).as("a free lock").isFalse();
	}

	@Test
	void successorOfHoldThatEndsDuringForceIsNotForced() {
		List<Runnable> forces = new CopyOnWriteArrayList<>();
		LeaseInspector slow = Mockito.mock(LeaseInspector.class, AdditionalAnswers.delegatesTo(this.memory));
		Mockito.doAnswer((call) -> {
			forces.add(() -> this.memory.force(call.getArgument(0), call.getArgument(1), call.getArgument(2)));
			return new CompletableFuture<>();
		}).when(slow).force(Mockito.any(), Mockito.anyLong(), Mockito.any());
		TestEngine holder = new TestEngine(this.ticker, this.memory, slow, this.memory);
		LockHandle present = holder.ask(FOREVER).join();
		CompletableFuture<LockHandle> next = holder.ask(FOREVER);
		CompletableFuture<Boolean> forced = CompletableFuture
			.supplyAsync(() -> this.secondInstance.engine.forceRelease(KEY, present.fencingToken()));
		await().until(() -> !forces.isEmpty());
		present.close();
		LockHandle successor = next.join();
		forces.forEach(Runnable::run);
		assertThat(forced).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(true);
		assertThat(successor.loss()).as("loss of the successor").isEmpty();
		successor.close();
	}

}
