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
import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.settings.EngineSettings.TimeRules;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.NoWakeUps;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Confirmations}: whether a transaction may be committed under a lock.
 */
class ConfirmationsTests extends TwoInstances {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final LockRequest GUARDED = ORDERS.withOnLoss(OnLoss.FAIL);

	private static final LockRequest FIXED = GUARDED.withLease(Lease.fixed(Duration.ofSeconds(20)));

	private void commit() {
		commit(this.firstInstance);
	}

	private static void commit(TestEngine engine) {
		engine.engine.ensureCommitAllowed((hold) -> false, List.of(), () -> {
		});
	}

	private void assertRefused(String reason) {
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(this::commit)
			.withMessageStartingWith("Redis did not confirm lock 'orders' before the commit: " + reason);
	}

	private void assertLost(LockLoss.Reason reason) {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(this::commit)
			.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(reason));
	}

	private void assertAsked(int times) {
		assertThat(this.store.count(RenewCommand.class)).as("renewals and checks that were sent").isEqualTo(times);
	}

	@Test
	void commitWithinSecondAfterAcquisitionSendsNothing() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(1));
		commit();
		assertAsked(0);
		handle.close();
	}

	@Test
	void commitAfterMoreThanSecondSendsOneConfirmationAndRenewsLease() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofMillis(1_001));
		commit();
		assertAsked(1);
		assertThat(handle.remaining()).isEqualTo(Duration.ofMillis(24_700));
		this.ticker.advance(Duration.ofSeconds(1));
		commit();
		assertAsked(1);
		handle.close();
	}

	@Test
	void confirmationAgeCountsFromLeaseAndNotFromReentry() throws Exception {
		LockHandle first = acquire(GUARDED);
		this.ticker.advance(Duration.ofMillis(900));
		LockHandle inner = acquire(GUARDED);
		this.ticker.advance(Duration.ofMillis(101));
		commit();
		assertAsked(1);
		inner.close();
		first.close();
	}

	@Test
	void commitSendsNoConfirmationAfterRecentRenewal() throws Exception {
		LockHandle handle = acquire(GUARDED);
		passUntilSent(RenewCommand.class);
		this.ticker.advance(Duration.ofMillis(900));
		commit();
		assertAsked(1);
		handle.close();
	}

	@Test
	void fixedLeaseIsCheckedAndNotMadeLonger() throws Exception {
		LockHandle handle = acquire(FIXED);
		this.ticker.advance(Duration.ofSeconds(10));
		Duration before = handle.remaining();
		commit();
		assertThat(this.store.sent(RenewCommand.class)).singleElement()
			.satisfies((check) -> assertThat(check.lease()).isEqualTo(Duration.ofMillis(1)));
		assertThat(handle.remaining()).isEqualTo(before);
		commit();
		assertAsked(1);
		handle.close();
	}

	@Test
	void commitCheckOfZeroConfirmsEachCommitAndMinusOneNever() throws Exception {
		TestEngine engine = engine(SETTINGS.withCommitCheck(
				new TimeRules(Duration.ofSeconds(-1), Map.of("each", Duration.ZERO, "old", Duration.ofHours(1)))));
		List<LockHandle> handles = new ArrayList<>();
		for (String name : List.of("each", "old", "never")) {
			handles.add(engine.engine.acquire(LockRequest.of(name).withOnLoss(OnLoss.FAIL)));
		}
		this.ticker.advance(Duration.ofMillis(1));
		commit(engine);
		this.ticker.advance(Duration.ofSeconds(9));
		commit(engine);
		assertThat(this.store.sent(RenewCommand.class)).extracting((asked) -> asked.key().name())
			.containsExactly("each", "each");
		handles.forEach(LockHandle::close);
	}

	@Test
	void ensureHeldFindsLossOfLockThatCommitDoesNotConfirm() throws Exception {
		LockHandle handle = acquire(ORDERS.withOnLoss(OnLoss.REPORT));
		this.ticker.advance(Duration.ofSeconds(2));
		commit();
		assertAsked(0);
		StoreFaults.forget(this.memory, KEY);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.firstInstance.engine.localLocks().ensureHeld());
		handle.close();
	}

	@Test
	void ensureHeldPassesForHeldKeyAndFailsForOtherOrDetached() throws Exception {
		LocalLocks locks = this.firstInstance.engine.localLocks();
		assertThatIllegalStateException().isThrownBy(() -> locks.ensureHeld(KEY))
			.withMessageStartingWith(
					"Lock 'orders' is not held by this thread. Call the locked method through its bean");
		LockHandle reader = acquire(READ);
		locks.ensureHeld(KEY);
		assertThatIllegalStateException().isThrownBy(() -> locks.ensureHeld(LockKey.of("others")));
		reader.detach();
		assertThatIllegalStateException().as("detached").isThrownBy(() -> locks.ensureHeld(KEY));
		reader.close();
	}

	@Test
	void ensureHeldConfirmsOnlyGivenKeyAndFindsItsLoss() throws Exception {
		LockHandle handle = acquire(ORDERS);
		LockHandle other = acquire(LockRequest.of("others"));
		this.ticker.advance(Duration.ofSeconds(2));
		this.firstInstance.engine.localLocks().ensureHeld(KEY);
		assertAsked(1);
		this.ticker.advance(Duration.ofSeconds(2));
		StoreFaults.forget(this.memory, KEY);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.firstInstance.engine.localLocks().ensureHeld(KEY));
		handle.close();
		other.close();
	}

	@Test
	void commitFailsWithLossWhenStoreHasForgottenLock() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(2));
		StoreFaults.forget(this.memory, KEY);
		assertLost(LockLoss.Reason.GONE);
		handle.close();
	}

	@Test
	void commitFailsWithLossWhenStoreHasForgottenFixedLease() throws Exception {
		LockHandle handle = acquire(FIXED);
		this.ticker.advance(Duration.ofSeconds(2));
		StoreFaults.forget(this.memory, KEY);
		assertLost(LockLoss.Reason.GONE);
		handle.close();
	}

	@Test
	void withoutAnswerCommitIsRefusedAndLockStaysHeld() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(2));
		this.store.hold = true;
		long begun = this.ticker.read();
		assertRefused("no answer within 2 s");
		assertThat(Duration.ofNanos(this.ticker.read() - begun)).isEqualTo(TIMEOUT);
		assertThat(handle.isHeld()).as("held although the commit was refused").isTrue();
		assertThat(this.firstInstance.events.heard).containsOnlyOnce("unconfirmed")
			.noneMatch((event) -> event.startsWith("lost"));
		this.store.deliver();
		handle.close();
	}

	@Test
	void whileStoreIsSilentLaterCommitsAreRefusedAtOnce() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(2));
		this.store.hold = true;
		assertRefused("no answer within 2 s");
		// The key stops waiting for the answer after twice the timeout.
		this.firstInstance.pass(TIMEOUT.plusMillis(500));
		long begun = this.ticker.read();
		assertRefused("");
		assertThat(this.ticker.read()).as("time of the second refusal").isEqualTo(begun);
		this.store.deliver();
		this.firstInstance.pass(Duration.ofSeconds(2));
		commit();
		handle.close();
	}

	@Test
	void commitWaitsUntilStoreIsConnectedAgain() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(2));
		this.store.disconnected = true;
		this.threads.wait = (nanos) -> {
			this.ticker.advance(Duration.ofNanos(nanos));
			this.store.disconnected = this.threads.parks.size() < 3;
		};
		commit();
		assertThat(handle.isHeld()).as("'handle' is held").isTrue();
		handle.close();
	}

	@Test
	void withoutConnectionForOneTimeoutCommitsAreRefusedAtOnce() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(2));
		this.store.disconnected = true;
		assertRefused("disconnected");
		long begun = this.ticker.read();
		assertRefused("");
		assertThat(this.ticker.read()).as("time of the second refusal").isEqualTo(begun);
		this.store.disconnected = false;
		this.firstInstance.reconnect();
		commit();
		handle.close();
	}

	@Test
	void commitAwaitsPendingRenewalWithoutSendingAnother() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.store.hold = true;
		passUntilSent(RenewCommand.class);
		this.threads.wait = (nanos) -> this.store.deliver();
		commit();
		assertAsked(1);
		handle.close();
	}

	@Test
	void commitSendsConfirmationWhenPendingRenewalIsTooOld() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.store.hold = true;
		passUntilSent(RenewCommand.class);
		this.ticker.advance(Duration.ofMillis(1_001));
		this.threads.wait = (nanos) -> this.store.deliver();
		commit();
		assertAsked(2);
		handle.close();
	}

	@Test
	void checkCountsAlthoughLeaseWasStrengthenedBeforeItsAnswer() throws Exception {
		TestEngine engine = engine(SETTINGS.withCommitCheck(new TimeRules(Duration.ZERO, Map.of())));
		LockHandle handle = engine.engine.acquire(GUARDED);
		this.store.hold = true;
		this.threads.wait = (strengthening) -> {
			this.ticker.advance(Duration.ofMillis(1));
			this.threads.wait = (checking) -> this.store.deliver();
			commit(engine);
		};
		LockHandle stronger = engine.engine.acquire(GUARDED.withLease(Lease.renewed(Duration.ofMinutes(1))));
		assertAsked(2);
		stronger.close();
		handle.close();
	}

	@Test
	void interruptDoesNotEndWaitForConfirmationAndIsKept() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(2));
		this.store.hold = true;
		this.threads.wait = (nanos) -> this.store.deliver();
		Thread.currentThread().interrupt();
		commit();
		assertThat(Thread.interrupted()).as("the interrupt flag after the check").isTrue();
		handle.close();
	}

	@Test
	void releaseDuringCheckComesAfterItsAnswer() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofSeconds(2));
		this.store.hold = true;
		this.threads.wait = (nanos) -> {
			var unused = handle.closeAsync();
			assertThat(this.secondInstance.engine.find(KEY)).as("released before the answer").isPresent();
			this.store.deliver();
		};
		commit();
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void confirmationFromBeforeReconnectIsNotTrusted() throws Exception {
		LockHandle handle = acquire(GUARDED);
		StoreFaults.forget(this.memory, KEY);
		this.ticker.advance(Duration.ofMillis(1));
		this.firstInstance.engine.messages.disconnected();
		assertLost(LockLoss.Reason.GONE);
		handle.close();
	}

	@Test
	void leasesFromBeforeReconnectAreChecked() throws Exception {
		LockHandle gone = acquire(LockRequest.of("gone"));
		LockHandle fixed = acquire(LockRequest.of("fixed").withLease(Lease.fixed(Duration.ofSeconds(20))));
		StoreFaults.forget(this.memory, LockKey.of("gone"));
		StoreFaults.forget(this.memory, LockKey.of("fixed"));
		this.firstInstance.reconnect();
		LockHandle young = acquire(LockRequest.of("young"));
		this.firstInstance.pass(TestEngine.TICK.multipliedBy(2));
		assertThat(gone.loss()).get().extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.GONE);
		assertThat(fixed.loss()).get().extracting(LockLoss::reason).isEqualTo(LockLoss.Reason.GONE);
		assertThat(this.store.sent(RenewCommand.class)).noneMatch((asked) -> asked.key().name().equals("young"));
		List.of(gone, fixed, young).forEach(LockHandle::close);
	}

	@Test
	void leaseThatWasConfirmedSinceReconnectIsNotCheckedAgain() throws Exception {
		LockHandle handle = acquire(GUARDED);
		this.ticker.advance(Duration.ofMillis(1));
		this.firstInstance.engine.messages.disconnected();
		commit();
		commit();
		assertAsked(1);
		handle.close();
	}

	@Test
	void locksOfThreadAreConfirmedInOneCallOfStore() throws Exception {
		List<Integer> calls = new ArrayList<>();
		ScriptedStore counting = new ScriptedStore(this.memory) {

			@Override
			public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
				calls.add(commands.size());
				return super.renew(commands);
			}

		};
		TestEngine engine = engine(SETTINGS, counting, new NoWakeUps());
		List<LockHandle> handles = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			handles.add(engine.engine.acquire(LockRequest.of("orders", "" + i).withOnLoss(OnLoss.FAIL)));
		}
		handles.add(engine.engine.acquire(LockRequest.of("orders", "0").withOnLoss(OnLoss.FAIL)));
		this.ticker.advance(Duration.ofSeconds(2));
		commit(engine);
		assertThat(calls).as("commands of each call of the store").containsExactly(3);
		handles.forEach(LockHandle::close);
	}

	@Test
	void commitConfirmsLockOfTermAndFindsItsLoss() {
		LockHandle term = this.firstInstance.ask(ORDERS).join();
		this.ticker.advance(Duration.ofSeconds(2));
		this.firstInstance.engine.ensureCommitAllowed((hold) -> false, List.of(term), () -> {
		});
		assertAsked(1);
		StoreFaults.forget(this.memory, KEY);
		this.ticker.advance(Duration.ofSeconds(2));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.firstInstance.engine.ensureCommitAllowed((hold) -> false, List.of(term), () -> {
			}));
	}

}
