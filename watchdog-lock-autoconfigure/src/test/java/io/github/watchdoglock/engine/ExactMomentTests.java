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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AcquireCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens at the very moment when a hold is over: nothing is held from then on.
 */
class ExactMomentTests extends InstancesByHand {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY);

	private static final Duration VALID = Duration.ofMillis(24_700);

	@Test
	void aHoldIsOverBeforeAnybodyLooks() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.ticker.advance(VALID.minusNanos(1));
		assertThat(handle.isHeld()).isTrue();
		assertThat(handle.loss()).isEmpty();
		assertThat(handle.remaining()).isEqualTo(Duration.ofNanos(1));
		this.ticker.advance(Duration.ofNanos(1));
		assertThat(handle.isHeld()).isFalse();
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		assertThat(handle.remaining()).isZero();
	}

	@Test
	void whoLooksThenDeclaresItLost() {
		CompletableFuture<LockLoss> lost = this.test.ask(ORDERS).join().whenLost().toCompletableFuture();
		this.store.down = true;
		this.test.pass(VALID.minus(TestEngine.TICK));
		assertThat(lost).isNotDone();
		this.test.pass(TestEngine.TICK);
		assertThat(lost).isCompletedWithValueMatching((loss) -> loss.reason() == LockLoss.Reason.EXPIRED);
	}

	@Test
	void anAnswerThatComesThenRevivesNothing() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.hold = true;
		this.test.pass(VALID.minus(TestEngine.TICK));
		this.ticker.advance(TestEngine.TICK);
		this.store.deliver();
		assertThat(handle.isHeld()).isFalse();
		this.test.turn();
		assertThat(this.test.events.heard).contains("lost: EXPIRED").doesNotContain("renewed");
	}

	@Test
	void aStrongerLeaseThatIsConfirmedThenIsNotHadAndItsKeyIsFree() {
		LockHandle handle = this.test.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(5)))).join();
		this.store.hold = true;
		CompletableFuture<Void> stronger = handle.extend(Lease.renewed(Duration.ofSeconds(30)));
		this.ticker.advance(Duration.ofMillis(4_950));
		this.store.deliver();
		assertThat(stronger).isCompletedExceptionally();
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aKeyThatIsTakenByForceThenHadExpired() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.ticker.advance(VALID);
		this.test.engine.registry.forced(KEY, this.store.sent(AcquireCommand.class).get(0).attempt());
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.EXPIRED);
		assertThat(this.test.events.heard).containsExactly("acquired", "lost: EXPIRED");
	}

	@Test
	void aHoldThatIsClosedThenWasLost() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.ticker.advance(VALID);
		handle.close();
		assertThat(this.test.events.heard).containsExactly("acquired", "lost: EXPIRED");
		assertThat(this.other.engine.find(KEY)).isEmpty();
	}

	@Test
	void aFixedHoldThatWasGoneWhenItsReleaseCameIsNoLossFromThenOn() {
		LockHandle handle = this.test.ask(ORDERS.withLease(Lease.fixed(Duration.ofSeconds(2)))).join();
		this.test.pass(Duration.ofMillis(1_950));
		StoreFaults.forget(this.memory, KEY);
		this.store.hold = true;
		CompletableFuture<Void> closed = handle.closeAsync();
		this.ticker.advance(Duration.ofMillis(30));
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(handle.loss()).isEmpty();
		assertThat(this.test.events.heard).containsExactly("acquired", "released");
	}

	@Test
	void aHoldIsLostAtItsMaximum() {
		LockHandle handle = this.test.ask(ORDERS.withMaxHoldTime(Duration.ofSeconds(3))).join();
		this.test.pass(Duration.ofMillis(2_990));
		assertThat(handle.isHeld()).isTrue();
		this.test.pass(TestEngine.TICK);
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
	}

	@Test
	void aHoldOfTenLeasesIsCalledLong() {
		this.test.ask(ORDERS.withLease(Lease.renewed(Duration.ofSeconds(3)))).join();
		this.test.pass(Duration.ofMillis(29_990));
		assertThat(this.test.events.count("long hold")).isZero();
		this.test.pass(TestEngine.TICK);
		assertThat(this.test.events.count("long hold")).isOne();
	}

}
