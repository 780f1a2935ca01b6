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
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for answers that arrive in a different order than their commands were sent, or
 * together.
 */
class AnswerOrderTests extends TwoInstances {

	private final TestEngine lingering = engine(LINGERING);

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void leaseIsNotReleasedWhenAnswerOfEarlierCommandArrivesLast(boolean idle) {
		LockHandle handle = acquireByTheSecondOfTwoCommands();
		if (idle) {
			handle.close();
		}
		this.store.deliver();
		assertThat(this.store.count(ReleaseCommand.class)).as("releases of a lease that is still used").isZero();
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
		handle.close();
		assertThat(this.lingering.engine.idle()).as("idle leases after the close").hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void lateGrantOfForcedLeaseIsUndoneAndNextLeaseStays(boolean idle) {
		LockHandle lost = acquireByTheSecondOfTwoCommands();
		CompletableFuture<LockHandle> next = this.lingering.ask(FOREVER);
		assertThat(this.lingering.engine.forceRelease(KEY)).isTrue();
		assertThat(lost.isHeld()).as("'lost' is held").isFalse();
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
		if (idle) {
			next.join().close();
		}
		this.store.deliver();
		// This releases the lease in case the store carried out that command last.
		assertThat(this.store.sent(ReleaseCommand.class)).singleElement()
			.returns(hold(lost).lease.id(), ReleaseCommand::attempt);
		assertThat(next.join().isHeld()).isEqualTo(!idle);
		assertThat(this.lingering.engine.idle()).as("idle leases after the late answer").hasSize(idle ? 1 : 0);
		assertThat(this.secondInstance.engine.find(KEY)).isPresent();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void waiterFailsWhenConfirmationOfIdleLeaseIsLateAndNextIsServed(boolean alone) {
		this.lingering.ask(FOREVER).join().close();
		this.lingering.pass(Duration.ofSeconds(9));
		StoreFaults.forget(this.memory, KEY);
		this.store.hold = true;
		CompletableFuture<LockHandle> first = this.lingering.ask(FOREVER);
		this.lingering.pass(Duration.ofSeconds(1));
		CompletableFuture<LockHandle> second = alone ? null : this.lingering.ask(FOREVER);
		this.lingering.pass(Duration.ofSeconds(1));
		assertThat(first).isNotDone();
		this.store.deliver();
		assertThat(first).isCompletedExceptionally();
		if (second != null) {
			second.join().close();
		}
		assertThat(this.secondInstance.engine.find(KEY)).matches((owner) -> owner.isPresent() == (second != null));
	}

	/* The answer to the first of the two commands is late. */
	private LockHandle acquireByTheSecondOfTwoCommands() {
		LockHandle holder = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> granted = this.lingering.ask(FOREVER);
		this.store.hold = true;
		holder.close();
		passUntil(() -> {
			this.lingering.turn();
			return this.store.count(AcquireCommand.class) == 3;
		});
		this.store.hold = false;
		this.store.deliver(1);
		assertThat(granted.join().isHeld()).as("'granted.join' is held").isTrue();
		return granted.join();
	}

	@Test
	void renewalsSentTogetherEachGetTheirOwnAnswer() {
		List<LockHandle> handles = Stream.of("a", "b", "c")
			.map((name) -> this.firstInstance.ask(LockRequest.of(name)).join())
			.toList();
		StoreFaults.forget(this.memory, handles.get(1).key());
		this.firstInstance.pass(Duration.ofMillis(7_500));
		assertThat(handles).extracting(LockHandle::isHeld).containsExactly(true, false, true);
		assertThat(handles.get(1).loss()).map(LockLoss::reason).contains(LockLoss.Reason.GONE);
		assertThat(handles.get(0).remaining()).isEqualTo(Duration.ofMillis(24_700));
		assertThat(this.firstInstance.events.count("renewed")).isEqualTo(2);
		assertThat(this.firstInstance.events.lateness).hasSize(3).containsOnly(Duration.ZERO);
	}

}
