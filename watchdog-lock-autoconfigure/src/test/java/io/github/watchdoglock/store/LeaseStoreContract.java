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

package io.github.watchdoglock.store;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.LeaseInspector.ForceAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Busy;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer.Granted;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Ended;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer.Next;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every store of leases does. Time is passed by the store under test.
 */
public abstract class LeaseStoreContract {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	protected static final Duration LEASE = Duration.ofSeconds(30);

	protected static final Duration POLL = Duration.ofSeconds(10);

	protected static final Duration SHORT_POLL = Duration.ofMillis(100);

	private static final AtomicLong numbers = new AtomicLong();

	protected final LockKey key = LockKey.of("contract", UUID.randomUUID() + " %{ä}:\uD83D\uDD12");

	protected final AttemptId a = attempt("a");

	protected final AttemptId b = attempt("b");

	protected final AttemptId c = attempt("c");

	protected abstract LeaseStore store();

	protected abstract LeaseInspector inspector();

	protected abstract WakeUps wakeUps();

	protected abstract void pass(Duration time);

	protected abstract void expireLease(LockKey key);

	protected abstract void forget(LockKey key);

	/* Three where the store does not know who hears. */
	protected int pollsOfUnheardPlaces() {
		return 2;
	}

	protected static AttemptId attempt(String name) {
		return new AttemptId(name + "-" + UUID.randomUUID(), numbers.incrementAndGet());
	}

	@Test
	public void freeKeyIsGranted() {
		Granted granted = granted(acquire(this.a));
		assertThat(granted.contended()).isFalse();
		assertThat(granted.block().last()).isEqualTo(granted.block().first() + 6);
	}

	@Test
	public void ownedKeyIsBusyForOthersAndSaysWhoHasItAndForHowLong() {
		acquire(this.a);
		Busy busy = busy(tryOnce(this.b));
		assertThat(busy.holder()).isEqualTo("holder of " + this.a.instance() + " 1");
		assertThat(busy.remaining()).isBetween(LEASE.minusSeconds(5), LEASE);
	}

	@Test
	public void leaseThatRanOutFreesTheKey() {
		acquire(this.a, SHORT_POLL);
		pass(SHORT_POLL.multipliedBy(2));
		granted(acquire(this.b));
	}

	@Test
	public void repeatedAcquireOfTheOwnerHasTheSameBlock() {
		Granted first = granted(acquire(this.a));
		assertThat(granted(acquire(this.a)).block()).isEqualTo(first.block());
	}

	@Test
	public void repeatedAcquireOfTheOwnerLastsLonger() {
		acquire(this.a, POLL);
		acquire(this.a, LEASE);
		assertThat(remaining()).isGreaterThan(POLL);
	}

	@Test
	public void repeatedAcquireOfTheOwnerNeverShortensTheLease() {
		acquire(this.a, LEASE);
		acquire(this.a, SHORT_POLL);
		assertThat(remaining()).isGreaterThan(POLL);
	}

	@Test
	public void repeatedAcquireOfTheOwnerSaysThatOthersWait() {
		assertThat(granted(acquire(this.a)).contended()).isFalse();
		acquire(this.b);
		assertThat(granted(acquire(this.a)).contended()).isTrue();
	}

	@Test
	public void anotherAttemptOfTheOwnersInstanceIsSomebodyElse() {
		acquire(this.a);
		AttemptId next = new AttemptId(this.a.instance(), this.a.number() + 1);
		busy(tryOnce(next));
		assertThat(release(next).ended()).isEqualTo(Ended.NOTHING);
		busy(tryOnce(this.b));
	}

	@Test
	public void renewedLeaseLastsFromNow() {
		Granted granted = granted(acquire(this.a, POLL));
		assertThat(renew(this.a, granted.block().first(), LEASE)).isEqualTo(new Renewed(false, null));
		assertThat(remaining()).isGreaterThan(POLL);
	}

	@Test
	public void renewNeverShortensTheLease() {
		Granted granted = granted(acquire(this.a));
		renew(this.a, granted.block().first(), SHORT_POLL);
		assertThat(remaining()).isGreaterThan(POLL);
	}

	@Test
	public void renewOfAnotherTokenIsGone() {
		Granted granted = granted(acquire(this.a));
		assertThat(renew(this.a, granted.block().first() + 1, LEASE)).isInstanceOf(Gone.class);
	}

	@Test
	public void renewOfAnotherAttemptIsGone() {
		Granted granted = granted(acquire(this.a));
		assertThat(renew(this.b, granted.block().first(), LEASE)).isInstanceOf(Gone.class);
	}

	@Test
	public void renewOfAnExpiredLeaseIsGoneAndRevivesNothing() {
		Granted granted = granted(acquire(this.a));
		expireLease(this.key);
		assertThat(renew(this.a, granted.block().first(), LEASE)).isInstanceOf(Gone.class);
		granted(acquire(this.b));
	}

	@Test
	public void renewSaysThatOthersWait() {
		Granted granted = granted(acquire(this.a));
		acquire(this.b);
		assertThat(renew(this.a, granted.block().first(), LEASE)).isEqualTo(new Renewed(true, null));
	}

	@Test
	public void renewAnswersEachGrantForItself() {
		LockKey other = LockKey.of("contract", "other " + UUID.randomUUID());
		Granted granted = granted(acquire(this.a));
		List<CompletionStage<RenewAnswer>> answers = store()
			.renew(List.of(new RenewCommand(other, this.a, 1, LEASE, false, TIMEOUT),
					new RenewCommand(this.key, this.a, granted.block().first(), LEASE, false, TIMEOUT)));
		assertThat(join(answers.get(0))).isInstanceOf(Gone.class);
		assertThat(join(answers.get(1))).isInstanceOf(Renewed.class);
	}

	@Test
	public void nextBlockStartsAboveTheCurrentOneAndTheFirstTokenStaysTheLeases() {
		Granted granted = granted(acquire(this.a));
		TokenBlock next = nextBlock(this.a, granted.block().first());
		assertThat(next.first()).isGreaterThan(granted.block().last());
		TokenBlock third = nextBlock(this.a, granted.block().first());
		assertThat(third.first()).isGreaterThan(next.last());
		assertThat(renew(this.a, next.first(), LEASE)).isInstanceOf(Gone.class);
	}

	@Test
	public void tokensAfterANextBlockAreAboveIt() {
		Granted granted = granted(acquire(this.a));
		TokenBlock next = nextBlock(this.a, granted.block().first());
		expireLease(this.key);
		assertThat(granted(acquire(this.b)).block().first()).isGreaterThan(next.last());
	}

	@Test
	public void tokensGrowOverACrash() {
		Granted granted = granted(acquire(this.a));
		expireLease(this.key);
		assertThat(granted(acquire(this.b)).block().first()).isGreaterThan(granted.block().last());
	}

	@Test
	public void tokensGrowOverARelease() {
		Granted granted = granted(acquire(this.a));
		release(this.a, granted.block().first() + 5);
		assertThat(granted(acquire(this.b)).block().first()).isGreaterThan(granted.block().first() + 5);
	}

	@Test
	public void releaseThatClaimsAnOldTokenDoesNotSetTheGreatestTokenBelowItsLease() {
		Granted first = granted(acquire(this.a));
		expireLease(this.key);
		Granted second = granted(acquire(this.b));
		release(this.b, first.block().first());
		assertThat(granted(acquire(this.c)).block().first()).isGreaterThanOrEqualTo(second.block().first());
	}

	@Test
	public void releaseWithoutATokenUsedDoesNotSetTheGreatestTokenBelowItsLease() {
		Granted first = granted(acquire(this.a));
		expireLease(this.key);
		Granted second = granted(acquire(this.b));
		release(this.b, ReleaseCommand.NONE);
		Granted third = granted(acquire(this.c));
		assertThat(third.block().first()).isGreaterThan(first.block().last())
			.isGreaterThanOrEqualTo(second.block().first());
	}

	@Test
	public void releaseWithAnUnknownTokenLeavesTheGreatest() {
		Granted granted = granted(acquire(this.a));
		release(this.a, ReleaseCommand.UNKNOWN);
		assertThat(granted(acquire(this.b)).block().first()).isGreaterThan(granted.block().last());
	}

	@Test
	public void releaseFreesTheKey() {
		acquire(this.a);
		assertThat(release(this.a)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.NOBODY));
		granted(acquire(this.b));
	}

	@Test
	public void repeatedReleaseDoesNoHarm() {
		acquire(this.a);
		release(this.a);
		assertThat(release(this.a)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.NOBODY));
		granted(acquire(this.b));
		assertThat(release(this.a)).isEqualTo(new ReleaseAnswer(Ended.NOTHING, Next.NOBODY));
		assertThat(remaining()).isGreaterThan(POLL);
	}

	@Test
	public void lateReleaseTouchesNoSuccessor() {
		acquire(this.a);
		expireLease(this.key);
		Granted granted = granted(acquire(this.b));
		assertThat(release(this.a).ended()).isEqualTo(Ended.NOTHING);
		assertThat(renew(this.b, granted.block().first(), LEASE)).isInstanceOf(Renewed.class);
	}

	@Test
	public void releaseHandsTheKeyToTheFirstInTheQueueAlone() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c);
		release(this.a);
		busy(acquire(this.c));
		busy(tryOnce(attempt("d")));
		assertThat(granted(acquire(this.b)).contended()).isTrue();
		release(this.b);
		assertThat(granted(acquire(this.c)).contended()).isFalse();
	}

	@Test
	public void placeIsKeptWhenItIsRefreshed() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c);
		acquire(this.b);
		release(this.a);
		granted(acquire(this.b));
	}

	@Test
	public void reservationIsForItsAttemptAndNotForItsInstance() {
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		busy(tryOnce(new AttemptId(this.b.instance(), this.b.number() + 1)));
		granted(acquire(this.b));
	}

	@Test
	public void reservationLastsOneAndAHalfPolls() {
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		assertThat(busy(tryOnce(this.c)).remaining()).isBetween(POLL.plusSeconds(4), POLL.plusSeconds(5));
	}

	@Test
	public void reservationThatNobodyClaimsFreesTheKey() {
		acquire(this.a);
		acquire(this.b, LEASE, SHORT_POLL);
		release(this.a);
		pass(SHORT_POLL.multipliedBy(2));
		granted(acquire(this.c));
	}

	@Test
	public void releasedReservationPassesOn() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c);
		release(this.a);
		assertThat(release(this.b).ended()).isEqualTo(Ended.RESERVATION);
		busy(tryOnce(this.b));
		granted(acquire(this.c));
	}

	@Test
	public void releasedPlaceIsGone() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c);
		assertThat(release(this.b).ended()).isEqualTo(Ended.PLACE);
		release(this.a);
		granted(acquire(this.c));
	}

	@Test
	public void tryWithoutAPlaceTakesNone() {
		acquire(this.a);
		tryOnce(this.b);
		assertThat(release(this.b).ended()).isEqualTo(Ended.NOTHING);
	}

	@Test
	public void grantTakesItsPlaceOutOfTheQueue() {
		acquire(this.a);
		acquire(this.b);
		expireLease(this.key);
		assertThat(granted(acquire(this.b)).contended()).isFalse();
		assertThat(release(this.b)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.NOBODY));
		granted(acquire(this.c));
	}

	@Test
	public void lostRecordMayBeTakenByAnybody() {
		Granted granted = granted(acquire(this.a));
		acquire(this.b);
		forget(this.key);
		assertThat(granted(acquire(this.c)).contended()).isFalse();
		assertThat(renew(this.a, granted.block().first(), LEASE)).isInstanceOf(Gone.class);
	}

	@Test
	public void expiredLeaseGoesToTheFirstInTheQueue() {
		HintRecorder hints = listen(this.b);
		acquire(this.a);
		acquire(this.b);
		expireLease(this.key);
		assertThat(busy(tryOnce(attempt("d"))).placed()).isFalse();
		hints.awaitOnly("granted " + this.b + " " + this.key);
		assertThat(busy(acquire(this.c)).placed()).isTrue();
		assertThat(granted(acquire(this.b)).contended()).isTrue();
		release(this.b);
		granted(acquire(this.c));
	}

	@Test
	public void whoPassesAnExpiredKeyOnTakesItsPlaceInTheSameStep() {
		acquire(this.a);
		acquire(this.b);
		expireLease(this.key);
		assertThat(busy(acquire(this.c)).placed()).isTrue();
		release(this.b);
		busy(tryOnce(attempt("d")));
		granted(acquire(this.c));
	}

	@Test
	public void expiredReservationGoesToTheNextInTheQueue() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c);
		release(this.a);
		expireLease(this.key);
		busy(tryOnce(attempt("d")));
		granted(acquire(this.c));
	}

	@Test
	public void attemptWhoseLeaseIsOverGetsNothingAnyMore() {
		acquire(this.a);
		expireLease(this.key);
		assertThat(acquire(this.a)).isInstanceOf(AcquireAnswer.Ended.class);
		acquire(this.c);
		release(this.c);
		assertThat(acquire(this.c)).isInstanceOf(AcquireAnswer.Ended.class);
		granted(acquire(this.b));
	}

	@Test
	public void attemptThatWasForcedGetsNothingAnyMore() {
		acquire(this.a);
		force();
		assertThat(acquire(this.a)).isInstanceOf(AcquireAnswer.Ended.class);
		granted(acquire(this.b));
	}

	@Test
	public void tryMeetsALingeringGrantAndItsOwnerHears() {
		HintRecorder hints = listen(this.a);
		AttemptId second = attempt("e");
		join(store().acquire(lingering(this.a)));
		assertThat(busy(tryWhereIdle(this.b)).placed()).isTrue();
		hints.awaitOnly("contended " + this.a + " " + this.b + " " + this.key);
		assertThat(busy(tryWhereIdle(second)).placed()).isFalse();
		assertThat(release(this.a)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.OTHER));
		assertThat(busy(tryWhereIdle(second)).placed()).isFalse();
		granted(tryWhereIdle(this.b));
		assertThat(busy(tryWhereIdle(this.c)).placed()).isFalse();
	}

	@Test
	public void placeThatWasNotSeenForThreePollsIsDropped() {
		listen(this.b);
		acquire(this.a);
		acquire(this.c);
		acquire(this.b, LEASE, SHORT_POLL);
		release(this.c);
		acquire(this.c);
		pass(SHORT_POLL.multipliedBy(3).plusMillis(50));
		release(this.a);
		granted(acquire(this.c));
	}

	@Test
	public void placeThatIsHeardIsKeptForThreePolls() {
		listen(this.b);
		acquire(this.a);
		acquire(this.b, LEASE, Duration.ofMillis(800));
		acquire(this.c);
		pass(Duration.ofMillis(1700));
		release(this.a);
		granted(acquire(this.b));
	}

	@Test
	public void placeThatNobodyHearsIsDroppedAfterTwoPolls() {
		acquire(this.a);
		acquire(this.b, LEASE, Duration.ofMillis(400));
		acquire(this.c);
		pass(Duration.ofMillis(400 * pollsOfUnheardPlaces() + 50));
		release(this.a);
		granted(acquire(this.c));
	}

	@Test
	public void fastPollerDoesNotShortenTheQueue() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c, LEASE, SHORT_POLL);
		pass(SHORT_POLL.multipliedBy(5));
		release(this.a);
		granted(acquire(this.b));
	}

	@Test
	public void requeuedAttemptTakesTheLastPlace() {
		acquire(this.a);
		acquire(this.b);
		AttemptId next = attempt("a");
		assertThat(release(this.a, Duration.ZERO, next)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.OTHER));
		assertThat(granted(acquire(this.b)).contended()).isTrue();
		release(this.b);
		granted(acquire(next));
	}

	@Test
	public void requeuedAttemptGetsTheReservationOfAnEmptyQueue() {
		acquire(this.a);
		AttemptId next = attempt("a");
		assertThat(release(this.a, Duration.ZERO, next)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.REQUEUED));
		busy(tryOnce(this.b));
		granted(acquire(next));
	}

	@Test
	public void requeueingAddsNoSecondPlace() {
		AttemptId next = attempt("a");
		acquire(this.a);
		acquire(next);
		acquire(this.b);
		assertThat(release(this.a, Duration.ZERO, next)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.REQUEUED));
		granted(acquire(next));
		release(next);
		granted(acquire(this.b));
		assertThat(release(next).ended()).isEqualTo(Ended.NOTHING);
	}

	@Test
	public void requeueingHappensOnlyWhereALeaseEnded() {
		AttemptId next = attempt("b");
		acquire(this.a);
		acquire(this.b);
		assertThat(release(this.b, Duration.ZERO, next)).isEqualTo(new ReleaseAnswer(Ended.PLACE, Next.NOBODY));
		assertThat(release(next).ended()).isEqualTo(Ended.NOTHING);
		acquire(this.b);
		release(this.a);
		assertThat(release(this.b, Duration.ZERO, next)).isEqualTo(new ReleaseAnswer(Ended.RESERVATION, Next.NOBODY));
		assertThat(release(next).ended()).isEqualTo(Ended.NOTHING);
	}

	@Test
	public void keptKeyIsHandedToNobodyAndItsQueueStays() {
		acquire(this.a);
		acquire(this.b);
		assertThat(release(this.a, POLL, null).ended()).isEqualTo(Ended.LEASE);
		busy(acquire(this.b));
		assertThat(tryOnce(this.a)).isInstanceOf(AcquireAnswer.Ended.class);
		assertThat(busy(tryOnce(this.c)).remaining()).isBetween(POLL.minusSeconds(5), POLL);
		assertThat(release(this.b).ended()).isEqualTo(Ended.PLACE);
	}

	@Test
	public void keptKeyGoesToTheFirstInTheQueueAfterItsRest() {
		acquire(this.a);
		acquire(this.b);
		release(this.a, POLL, null);
		expireLease(this.key);
		busy(tryOnce(this.c));
		granted(acquire(this.b));
	}

	@Test
	public void keptKeyMatchesNoAttempt() {
		Granted granted = granted(acquire(this.a));
		release(this.a, POLL, null);
		assertThat(renew(this.a, granted.block().first(), LEASE)).isInstanceOf(Gone.class);
		assertThat(release(this.a).ended()).isEqualTo(Ended.NOTHING);
		busy(tryOnce(this.b));
	}

	@Test
	public void keptKeyIsFreeAfterItsRest() {
		acquire(this.a);
		AttemptId next = attempt("a");
		assertThat(release(this.a, SHORT_POLL, next).next()).isEqualTo(Next.NOBODY);
		pass(SHORT_POLL.multipliedBy(2));
		granted(acquire(this.b));
	}

	@Test
	public void findSeesTheHolderAndWhoWaits() {
		Granted granted = granted(acquire(this.a));
		acquire(this.b);
		acquire(this.c);
		LockState state = find().orElseThrow();
		assertThat(state.key()).isEqualTo(this.key);
		assertThat(state.holder()).isEqualTo("holder of " + this.a.instance() + " 1");
		assertThat(state.token()).isEqualTo(granted.block().first());
		assertThat(state.waiting()).isEqualTo(2);
		assertThat(state.remaining()).isBetween(LEASE.minusSeconds(5), LEASE);
	}

	@Test
	public void findSeesNothingWhereTheKeyIsFreeOrReserved() {
		assertThat(find()).isEmpty();
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		assertThat(find()).isEmpty();
	}

	@Test
	public void findSeesAKeptKey() {
		acquire(this.a);
		release(this.a, POLL, null);
		assertThat(find()).isPresent();
	}

	@Test
	public void forceTakesTheKeyFromItsOwnerAndHandsItOn() {
		Granted granted = granted(acquire(this.a));
		acquire(this.b);
		assertThat(force()).isEqualTo(new ForceAnswer(true, List.of(this.a)));
		assertThat(renew(this.a, granted.block().first(), LEASE)).isInstanceOf(Gone.class);
		assertThat(release(this.a).ended()).isEqualTo(Ended.NOTHING);
		busy(tryOnce(this.c));
		assertThat(granted(acquire(this.b)).block().first()).isGreaterThan(granted.block().last());
	}

	@Test
	public void forceFreesAKeptKey() {
		acquire(this.a);
		release(this.a, POLL, null);
		assertThat(force()).isEqualTo(new ForceAnswer(true, List.of()));
		granted(acquire(this.b));
	}

	@Test
	public void forceOfAFreeOrReservedKeyDoesNothing() {
		assertThat(force()).isEqualTo(ForceAnswer.FREE);
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		assertThat(force()).isEqualTo(ForceAnswer.FREE);
		granted(acquire(this.b));
	}

	@Test
	public void ownerIsToldThatOthersWait() {
		HintRecorder hints = listen(this.a);
		acquire(this.a);
		acquire(this.b);
		hints.awaitOnly("contended " + this.a + " " + this.b + " " + this.key);
	}

	@Test
	public void headOfTheQueueIsToldOfItsTurn() {
		HintRecorder hints = listen(this.b);
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		hints.awaitOnly("granted " + this.b + " " + this.key);
	}

	@Test
	public void ownerIsToldThatItsKeyWasTaken() {
		HintRecorder hints = listen(this.a);
		acquire(this.a);
		force();
		hints.awaitOnly("forced " + this.a + " " + this.key);
	}

	@Test
	public void ownerIsAskedForItsKey() {
		HintRecorder hints = listen(this.a);
		acquire(this.a);
		acquire(this.b);
		assertThat(join(inspector().ask(this.key, TIMEOUT))).isTrue();
		hints.awaitHeard("asked " + this.a + " " + this.key);
		assertThat(find()).as("it has it until it gives it back").isPresent();
	}

	@Test
	public void nobodyIsAskedForAFreeKey() {
		assertThat(join(inspector().ask(this.key, TIMEOUT))).isFalse();
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		assertThat(join(inspector().ask(this.key, TIMEOUT))).as("reserved").isFalse();
	}

	@Test
	public void whoAskedIsToldThatTheKeyIsInUse() {
		HintRecorder hints = listen(this.b);
		wakeUps().inUse(this.key, this.b);
		hints.awaitOnly("in-use " + this.b + " " + this.key);
	}

	@Test
	public void hintThatThrowsBreaksNoCommand() {
		wakeUps().subscribe(this.b.instance(), new WakeUps.Hints() {

			@Override
			public void granted(LockKey key, AttemptId attempt) {
				throw new IllegalStateException("of the test");
			}

			@Override
			public void contended(LockKey key, AttemptId attempt, AttemptId by) {
				throw new IllegalStateException("of the test");
			}

			@Override
			public void inUse(LockKey key, AttemptId attempt) {
				throw new IllegalStateException("of the test");
			}

			@Override
			public void forced(LockKey key, AttemptId attempt) {
				throw new IllegalStateException("of the test");
			}

			@Override
			public void asked(LockKey key, AttemptId attempt) {
				throw new IllegalStateException("of the test");
			}

			@Override
			public void moved() {
				throw new IllegalStateException("of the test");
			}

			@Override
			public void reachable() {
				throw new IllegalStateException("of the test");
			}

		});
		acquire(this.a);
		acquire(this.b);
		assertThat(release(this.a).ended()).isEqualTo(Ended.LEASE);
		granted(acquire(this.b));
	}

	@Test
	public void hintMayRunCommandsOfItsKey() {
		HintRecorder hints = listen(this.b);
		hints.onGranted(() -> store().acquire(command(this.b, LEASE, POLL)));
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		hints.awaitOnly("granted " + this.b + " " + this.key);
		org.awaitility.Awaitility.await()
			.untilAsserted(() -> assertThat(find()).map(LockState::holder)
				.hasValueSatisfying((holder) -> assertThat(holder).contains(this.b.instance())));
	}

	protected final AcquireCommand command(AttemptId attempt, Duration lease, Duration poll) {
		return new AcquireCommand(this.key, attempt, "holder of " + attempt.instance() + " 1", lease, 7, false, poll,
				false, TIMEOUT);
	}

	private AcquireCommand lingering(AttemptId attempt) {
		return new AcquireCommand(this.key, attempt, "holder", LEASE, TokenBlock.SIZE, true, POLL, false, TIMEOUT);
	}

	private AcquireAnswer tryWhereIdle(AttemptId attempt) {
		return join(
				store().acquire(new AcquireCommand(this.key, attempt, "holder", LEASE, 1, false, POLL, true, TIMEOUT)));
	}

	protected final AcquireAnswer acquire(AttemptId attempt) {
		return acquire(attempt, LEASE, POLL);
	}

	protected final AcquireAnswer acquire(AttemptId attempt, Duration lease) {
		return acquire(attempt, lease, POLL);
	}

	protected final AcquireAnswer acquire(AttemptId attempt, Duration lease, Duration poll) {
		return join(store().acquire(command(attempt, lease, poll)));
	}

	protected final AcquireAnswer tryOnce(AttemptId attempt) {
		return acquire(attempt, LEASE, Duration.ZERO);
	}

	protected final RenewAnswer renew(AttemptId attempt, long firstToken, Duration lease) {
		return join(
				store().renew(List.of(new RenewCommand(this.key, attempt, firstToken, lease, false, TIMEOUT))).get(0));
	}

	protected final TokenBlock nextBlock(AttemptId attempt, long firstToken) {
		RenewCommand command = new RenewCommand(this.key, attempt, firstToken, LEASE, true, TIMEOUT);
		TokenBlock next = ((Renewed) join(store().renew(List.of(command)).get(0))).next();
		return Objects.requireNonNull(next, "no next block");
	}

	protected final ReleaseAnswer release(AttemptId attempt) {
		return release(attempt, ReleaseCommand.NONE);
	}

	protected final ReleaseAnswer release(AttemptId attempt, long lastToken) {
		return join(store().release(new ReleaseCommand(this.key, attempt, lastToken, Duration.ZERO, null, TIMEOUT)));
	}

	protected final ReleaseAnswer release(AttemptId attempt, Duration keep, @Nullable AttemptId requeue) {
		ReleaseCommand.Requeue place = (requeue != null) ? new ReleaseCommand.Requeue(requeue, POLL) : null;
		return join(store().release(new ReleaseCommand(this.key, attempt, ReleaseCommand.NONE, keep, place, TIMEOUT)));
	}

	protected final Optional<LockState> find() {
		return join(inspector().find(this.key, TIMEOUT)).stream().findFirst();
	}

	protected final ForceAnswer force() {
		return join(inspector().force(this.key, LeaseInspector.ALL, TIMEOUT));
	}

	protected final Duration remaining() {
		return find().orElseThrow().remaining();
	}

	/* Hears for the instance of an attempt, surely from when this returns. */
	protected HintRecorder listen(AttemptId attempt) {
		HintRecorder hints = new HintRecorder();
		wakeUps().subscribe(attempt.instance(), hints);
		return hints;
	}

	protected static Granted granted(AcquireAnswer answer) {
		assertThat(answer).isInstanceOf(Granted.class);
		return (Granted) answer;
	}

	protected static Busy busy(AcquireAnswer answer) {
		assertThat(answer).isInstanceOf(Busy.class);
		return (Busy) answer;
	}

	protected static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
	}

}
