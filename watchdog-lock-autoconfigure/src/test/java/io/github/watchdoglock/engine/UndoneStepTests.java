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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.EngineSettings.LingerRules;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Steps of a hold, a grant and an idle grant that an error ends: they have changed
 * nothing, and what they have done to alarms is made good.
 */
class UndoneStepTests extends InstancesByHand {

	private static final LockKey KEY = LockKey.of("orders");

	private static final LockRequest ORDERS = LockRequest.of(KEY).withWaitTime(Duration.ofMillis(-1));

	private static final Duration FIRST = Duration.ofMillis(7_500);

	private final TestEngine lingering = engine(
			EngineSettings.of("test").withLinger(new LingerRules(Duration.ofSeconds(10), Map.of())));

	@Test
	void aHoldThatWasAlmostLostGoesOnAndIsRenewed() {
		LockHandle handle = this.test.ask(ORDERS).join();
		CompletableFuture<LockLoss> lost = handle.whenLost().toCompletableFuture();
		Hold hold = hold(handle);
		failAfter(hold, () -> hold.lose(LockLoss.Reason.FORCED));
		assertThat(handle.isHeld()).isTrue();
		assertThat(handle.loss()).isEmpty();
		assertThat(lost).isNotDone();
		assertThat(this.test.events.heard).containsExactly("acquired");
		assertSentAfter(this.test, RenewCommand.class, FIRST);
		assertThat(this.other.ask(LockRequest.of(KEY).withWaitTime(Duration.ZERO))).isCompletedExceptionally();
		handle.close();
		assertThat(this.test.events.heard).containsExactly("acquired", "renewed", "released");
	}

	@Test
	void aHoldWhoseOnlyHandleWasAlmostClosedIsNotAbandoned() {
		LockHandle handle = this.test.ask(ORDERS).join();
		Hold hold = hold(handle);
		failAfter(hold, ((Handle) handle)::endIfOpen);
		assertSentAfter(this.test, RenewCommand.class, FIRST);
		assertThat(handle.isHeld()).isTrue();
		handle.close();
		assertThat(this.test.events.heard).containsExactly("acquired", "renewed", "released");
	}

	@Test
	void aGrantThatAlmostHadAnotherLeaseHasItsOwn() {
		LockHandle handle = this.test.ask(ORDERS).join();
		Hold hold = hold(handle);
		Core core = hold.grant.cohort.core();
		this.ticker.advance(Duration.ofSeconds(1));
		failAfter(hold, () -> hold.grant.adapt(core.terms(Lease.fixed(Duration.ofSeconds(5))), core.now()));
		assertThat(handle.remaining()).isEqualTo(Duration.ofMillis(23_700));
		assertThat(hold.grant.renewals()).isZero();
		assertSentAfter(this.test, RenewCommand.class, Duration.ofMillis(6_500));
		assertThat(this.store.sent(RenewCommand.class)).last().returns(Duration.ofSeconds(30), RenewCommand::lease);
	}

	@Test
	void aFailureThatIsNotTakenIsNoRisk() {
		Hold hold = hold(this.test.ask(ORDERS).join());
		failAfter(hold, () -> hold.grant.retry(this.ticker.read()));
		assertThat(hold.grant.atRisk()).isFalse();
		assertSentAfter(this.test, RenewCommand.class, FIRST);
	}

	@Test
	void othersOfWhomAStepHasHeardInVainAreNotWaitedFor() {
		Hold hold = hold(this.lingering.ask(ORDERS).join());
		failAfter(hold, () -> hold.grant.budget().contended(this.ticker.read()));
		assertThat(hold.grant.isContended()).isFalse();
		failAfter(hold, () -> hold.grant.budget().forced(this.ticker.read()));
		assertThat(hold.grant.isForced()).isFalse();
	}

	@Test
	void anIdleGrantThatWasAlmostGivenBackStaysForTheNextCaller() {
		LockHandle handle = this.lingering.ask(ORDERS).join();
		Grant grant = hold(handle).grant;
		handle.close();
		IdleGrant idle = (IdleGrant) Objects.requireNonNull(grant.cohort.state());
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> grant.cohort.change(() -> {
			grant.retry(this.ticker.read());
			idle.giveBack();
			throw new OutOfMemoryError("made up");
		}));
		assertThat(idle.has(grant)).isTrue();
		assertThat(grant.atRisk()).isFalse();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		assertSentAfter(this.lingering, RenewCommand.class, Duration.ofMillis(950));
		assertThat(this.lingering.ask(ORDERS).join().isHeld()).isTrue();
		assertThat(this.store.count(AcquireCommand.class)).isOne();
	}

	@Test
	void anAlarmThatAnErrorHasCostIsSetAnew() {
		LockHandle handle = this.lingering.ask(ORDERS).join();
		Grant grant = hold(handle).grant;
		loseAlarm(grant);
		assertSentAfter(this.lingering, RenewCommand.class, FIRST);
		handle.close();
		loseAlarm(grant);
		assertSentAfter(this.lingering, RenewCommand.class, Duration.ofMillis(950));
	}

	private static void loseAlarm(Grant grant) {
		grant.cohort.core().watchdog().cancel(grant);
		grant.cohort.attend(false);
	}

	@Test
	void aReleaseThatWaitsForARenewalDoesSoThoughTheWatchdogHasLookedInBetween() {
		LockHandle handle = this.test.ask(ORDERS).join();
		this.store.hold = true;
		this.test.pass(FIRST.plusSeconds(1));
		CompletableFuture<Void> closed = handle.closeAsync();
		hold(handle).grant.cohort.attend(false);
		assertSentAfter(this.test, ReleaseCommand.class, Duration.ofSeconds(4));
		this.store.deliver();
		assertThat(closed).isCompleted();
		assertThat(this.test.pendingAlarms()).isZero();
		assertThat(this.test.cohorts()).isZero();
	}

	@Test
	void anAnswerThatCouldNotBeTakenIsTakenInTheNextTurnWithWhatWaitsForIt() {
		LockHandle handle = this.test.ask(ORDERS.withMaxHoldTime(Duration.ofSeconds(8))).join();
		Grant grant = hold(handle).grant;
		this.store.hold = true;
		this.test.pass(Duration.ofSeconds(8));
		assertThat(handle.loss()).isPresent();
		int[] tries = new int[1];
		grant.cohort.change(() -> grant.end(() -> {
			if (++tries[0] == 1) {
				throw new OutOfMemoryError("made up");
			}
		}));
		this.store.deliver();
		assertThat(tries).containsExactly(1);
		this.test.pass(TestEngine.TICK);
		assertThat(tries).containsExactly(2);
		this.test.pass(Duration.ofMinutes(1));
		assertThat(tries).containsExactly(2);
		assertThat(this.test.pendingAlarms()).isZero();
	}

	private static void failAfter(Hold hold, Runnable changes) {
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> hold.grant.cohort.change(() -> {
			changes.run();
			throw new OutOfMemoryError("made up");
		}));
	}

}
