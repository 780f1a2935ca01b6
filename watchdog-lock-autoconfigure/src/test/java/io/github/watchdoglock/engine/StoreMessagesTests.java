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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.WakeUps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for messages of the store in {@link LocalLock}: a message that does not match a
 * current attempt of this instance changes nothing.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class StoreMessagesTests extends TwoInstances {

	private static final LockKey ROLE = LockKey.ofRole("reports");

	private static final AttemptId VISITOR = new AttemptId("visitor", 1);

	private static final AttemptId SECOND_VISITOR = new AttemptId("visitor", 2);

	/** Attempts that were notified that the key is in use. */
	private final List<AttemptId> told = new ArrayList<>();

	private final WakeUps wakeUps = new NoWakeUps() {

		@Override
		public void inUse(LockKey key, AttemptId attempt) {
			StoreMessagesTests.this.told.add(attempt);
		}

	};

	private final TestEngine plain = engine(SETTINGS, this.store, this.wakeUps);

	private final TestEngine lingering = engine(LINGERING, this.store, this.wakeUps);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void holderReportsKeyInUseOnlyWhenLeaseMayBeKeptIdle(boolean idle) {
		TestEngine engine = idle ? this.lingering : this.plain;
		LockHandle handle = engine.ask(FOREVER).join();
		engine.engine.messages.contended(KEY, asked().attempt(), VISITOR);
		assertThat(this.told).as("attempts notified that the key is in use")
			.isEqualTo(idle ? List.of(VISITOR) : List.of());
		handle.close();
		assertThat(engine.engine.idle()).isEmpty();
	}

	@Test
	void resignRequestIsReportedOnlyForCurrentLeaseOfRole() {
		List<Long> asked = new ArrayList<>();
		this.plain.engine.setRoleObserver(new EngineObserver() {

			@Override
			public void resignRequested(LockKey key, long token) {
				assertThat(key).isEqualTo(ROLE);
				asked.add(token);
			}

		});
		LockHandle handle = this.plain.engine.acquireAsync(LockRequest.of(ROLE)).join();
		AttemptId attempt = asked().attempt();
		this.plain.engine.messages.resignRequested(ROLE, VISITOR);
		assertThat(asked).isEmpty();
		this.plain.engine.messages.resignRequested(ROLE, attempt);
		assertThat(asked).containsExactly(handle.fencingToken());
		handle.close();
		this.plain.engine.messages.resignRequested(ROLE, attempt);
		assertThat(asked).hasSize(1);
	}

	@Test
	void loseEndsOnlyHoldWithMatchingRoleAndToken() {
		LockHandle handle = this.plain.engine.acquireAsync(LockRequest.of(ROLE)).join();
		this.plain.engine.lose(LockKey.ofRole("billing"), handle.fencingToken(), LockLoss.Reason.SHUTDOWN);
		this.plain.engine.lose(ROLE, handle.fencingToken() - 1, LockLoss.Reason.SHUTDOWN);
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.plain.engine.lose(ROLE, handle.fencingToken(), LockLoss.Reason.SHUTDOWN);
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.SHUTDOWN);
		handle.close();
		this.plain.engine.lose(ROLE, handle.fencingToken(), LockLoss.Reason.SHUTDOWN);
	}

	@Test
	void waiterDoesNotAnswerContentionMessage() {
		this.secondInstance.ask(FOREVER).join();
		this.lingering.ask(FOREVER);
		this.lingering.engine.messages.contended(KEY, asked().attempt(), VISITOR);
		assertThat(this.told).isEmpty();
	}

	@Test
	void idleLeaseIsReleasedOnContentionMessageWithoutAnswer() {
		this.lingering.ask(FOREVER).join().close();
		this.lingering.engine.messages.contended(KEY, asked().attempt(), VISITOR);
		assertThat(this.told).isEmpty();
		assertThat(this.lingering.engine.idle()).isEmpty();
		assertThat(this.store.count(ReleaseCommand.class)).isOne();
	}

	@Test
	void closingHolderDoesNotAnswerContentionMessage() {
		LockHandle handle = this.lingering.ask(FOREVER).join();
		this.store.hold = true;
		for (int i = 0; i < 1_000 && this.store.count(RenewCommand.class) == 0; i++) {
			this.lingering.pass(TestEngine.TICK);
		}
		this.lingering.engine.messages.contended(KEY, asked().attempt(), VISITOR);
		CompletableFuture<Void> closed = handle.closeAsync();
		this.lingering.engine.messages.contended(KEY, asked().attempt(), SECOND_VISITOR);
		assertThat(this.told).containsExactly(VISITOR);
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void messageForOtherAttemptDoesNotEndIdleLease() {
		this.lingering.ask(FOREVER).join().close();
		AttemptId idle = asked().attempt();
		this.lingering.engine.messages.contended(KEY, new AttemptId(idle.instance(), idle.number() + 1), VISITOR);
		this.lingering.engine.messages.contended(KEY, new AttemptId("elsewhere", idle.number()), VISITOR);
		assertThat(this.lingering.engine.idle()).as("idle leases after a message for another attempt").hasSize(1);
		this.lingering.engine.messages.forced(KEY, new AttemptId(idle.instance(), idle.number() + 1));
		assertThat(this.lingering.engine.idle()).hasSize(1);
		assertThat(this.told).isEmpty();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
	}

	@ParameterizedTest
	@MethodSource("leases")
	void forcedMessageEndsHoldOnlyWhenStoreConfirms(Lease lease) {
		LockHandle handle = this.plain.ask(FOREVER.withLease(lease)).join();
		AttemptId held = asked().attempt();
		this.plain.engine.messages.forced(KEY, new AttemptId(held.instance(), held.number() + 1));
		assertThat(this.store.count(RenewCommand.class)).isZero();
		this.plain.engine.messages.forced(KEY, held);
		assertThat(this.store.count(RenewCommand.class)).as("confirmations sent after the message").isOne();
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.store.hold = true;
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		this.plain.engine.messages.forced(KEY, held);
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.store.deliver();
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
	}

	static List<Lease> leases() {
		return List.of(Lease.renewed(Duration.ofSeconds(30)), Lease.fixed(Duration.ofSeconds(30)));
	}

	@ParameterizedTest
	@MethodSource("leases")
	void confirmationOfForcedHoldIsRepeatedAfterStoreFailure(Lease lease) {
		LockHandle handle = this.plain.ask(FOREVER.withLease(lease)).join();
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		this.store.down = true;
		this.plain.engine.messages.forced(KEY, asked().attempt());
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		this.store.down = false;
		this.plain.pass(Duration.ofSeconds(1));
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
	}

	@ParameterizedTest
	@MethodSource("leases")
	void laterLossIsReportedAsGoneAfterWrongForcedMessage(Lease lease) {
		LockHandle handle = this.plain.ask(FOREVER.withLease(lease)).join();
		this.store.down = true;
		this.plain.engine.messages.forced(KEY, asked().attempt());
		this.store.down = false;
		this.plain.pass(Duration.ofSeconds(1));
		StoreFaults.forget(this.memory, KEY);
		handle.close();
		assertThat(this.plain.events.heard).contains("lost: GONE");
	}

	@Test
	void forcedHoldClosedBeforeConfirmationIsNotHandedOff() {
		LockHandle handle = this.plain.ask(FOREVER).join();
		AttemptId held = asked().attempt();
		CompletableFuture<LockHandle> next = this.plain.ask(FOREVER);
		this.store.hold = true;
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		this.plain.engine.messages.forced(KEY, held);
		LockHandle elsewhere = this.secondInstance.ask(FOREVER).join();
		CompletableFuture<Void> closed = handle.closeAsync();
		assertThat(next).isNotDone();
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FORCED);
		assertThat(next).isNotDone();
		elsewhere.close();
		this.plain.pass(Duration.ofSeconds(2));
		assertThat(next).isCompleted();
		assertThat(next.join().fencingToken()).isGreaterThan(elsewhere.fencingToken());
	}

	@Test
	void forcedMessageEndsIdleLeaseOnlyWhenStoreConfirms() {
		this.lingering.ask(FOREVER).join().close();
		this.lingering.engine.messages.forced(KEY, asked().attempt());
		assertThat(this.lingering.engine.idle()).hasSize(1);
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		this.lingering.engine.messages.forced(KEY, asked().attempt());
		assertThat(this.lingering.engine.idle()).isEmpty();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.lingering.assertNoKeyInUse();
	}

	@Test
	void grantedMessageIsIgnoredWhileLeaseIsHeldOrIdle() {
		LockHandle handle = this.lingering.ask(FOREVER).join();
		this.lingering.engine.messages.granted(KEY, asked().attempt());
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		handle.close();
		this.lingering.engine.messages.granted(KEY, asked().attempt());
		assertThat(this.lingering.engine.idle()).hasSize(1);
		assertThat(this.store.commands).hasSize(1);
	}

	@Test
	void messageForAnUnknownAttemptIsIgnored() {
		this.secondInstance.ask(FOREVER).join();
		this.plain.ask(FOREVER);
		AttemptId gone = new AttemptId(asked().attempt().instance(), asked().attempt().number() + 1);
		this.plain.engine.messages.granted(KEY, gone);
		this.plain.engine.messages.granted(LockKey.of("unused"), gone);
		assertThat(this.store.count(AcquireCommand.class)).isOne();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		assertThat(this.plain.keys()).isOne();
	}

	@Test
	void idleLeaseForcedDuringConfirmationIsNotHandedOff() {
		LockHandle before = this.lingering.ask(FOREVER).join();
		AttemptId idle = asked().attempt();
		before.close();
		this.ticker.advance(Duration.ofMillis(251));
		this.store.hold = true;
		CompletableFuture<LockHandle> next = this.lingering.ask(FOREVER);
		assertThat(this.secondInstance.engine.forceRelease(KEY)).isTrue();
		this.lingering.engine.messages.forced(KEY, idle);
		LockHandle elsewhere = this.secondInstance.ask(FOREVER).join();
		this.store.deliver();
		assertThat(next).isNotDone();
		elsewhere.close();
		this.lingering.pass(Duration.ofSeconds(2));
		assertThat(next).isCompleted();
		assertThat(next.join().fencingToken()).isGreaterThan(elsewhere.fencingToken());
	}

}
