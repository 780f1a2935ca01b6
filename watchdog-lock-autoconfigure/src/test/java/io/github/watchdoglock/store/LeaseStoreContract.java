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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.store.AttemptId.Kind;
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
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * The contract of all stores of leases. The store under test lets time pass.
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

	private final AttemptId reader = as(this.a, Kind.READ);

	private final AttemptId other = as(this.b, Kind.READ);

	private final AttemptId third = as(this.c, Kind.READ);

	private final AttemptId writer = attempt("w");

	protected abstract LeaseStore store();

	protected abstract LeaseInspector inspector();

	protected abstract WakeUps wakeUps();

	protected abstract void pass(Duration time);

	protected abstract void expireLease(LockKey key);

	/* Three polls if the store does not know which instances are subscribed. */
	protected int pollsOfUnheardPlaces() {
		return 2;
	}

	protected static AttemptId attempt(String name) {
		return new AttemptId(name + "-" + UUID.randomUUID(), numbers.incrementAndGet());
	}

	private static AttemptId as(AttemptId attempt, Kind kind) {
		return new AttemptId(attempt.instance(), attempt.number(), kind);
	}

	@Test
	public void keyIsFreeAfterLeaseHasExpired() {
		acquire(this.a, SHORT_POLL);
		pass(SHORT_POLL.multipliedBy(2));
		granted(acquire(this.b));
	}

	@Test
	public void renewalWithOtherTokenIsAnsweredGone() {
		Granted granted = granted(acquire(this.a));
		assertThat(renew(this.a, granted.block().first() + 1, LEASE)).isInstanceOf(Gone.class);
	}

	@Test
	public void renewalsOfOneBatchAreAnsweredSeparately() {
		LockKey other = LockKey.of("contract", "other " + UUID.randomUUID());
		Granted granted = granted(acquire(this.a));
		List<CompletionStage<RenewAnswer>> answers = store()
			.renew(List.of(new RenewCommand(other, this.a, 1, LEASE, false, TIMEOUT),
					new RenewCommand(this.key, this.a, granted.block().first(), LEASE, false, TIMEOUT)));
		assertThat(join(answers.get(0))).isInstanceOf(Gone.class);
		assertThat(join(answers.get(1))).isInstanceOf(Renewed.class);
	}

	@Test
	public void tokensGrowAfterExpiredLeaseAndAfterRelease() {
		Granted first = granted(acquire(this.a));
		expireLease(this.key);
		Granted second = granted(acquire(this.b));
		assertThat(second.block().first()).isGreaterThan(first.block().last());
		release(this.b, second.block().first() + 5);
		assertThat(granted(acquire(this.c)).block().first()).isGreaterThan(second.block().first() + 5);
	}

	@Test
	public void lateReleaseDoesNotEndLeaseOfNextHolder() {
		acquire(this.a);
		expireLease(this.key);
		Granted granted = granted(acquire(this.b));
		assertThat(release(this.a).ended()).isEqualTo(Ended.NOTHING);
		assertThat(renew(this.b, granted.block().first(), LEASE)).isInstanceOf(Renewed.class);
	}

	@Test
	public void releaseReservesKeyForFirstAttemptInQueue() {
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
	public void expiredLeaseReservesKeyForFirstAttemptInQueue() {
		HintRecorder hints = listen(this.b);
		acquire(this.a);
		acquire(this.b);
		expireLease(this.key);
		assertThat(busy(tryOnce(attempt("d"))).placed()).as("attempt without poll gets a place in the queue").isFalse();
		hints.awaitOnly("granted " + this.b + " " + this.key);
		assertThat(busy(acquire(this.c)).placed()).isTrue();
		assertThat(granted(acquire(this.b)).contended()).isTrue();
		release(this.b);
		granted(acquire(this.c));
	}

	@Test
	public void expiredReservationPassesKeyToNextAttemptInQueue() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c);
		release(this.a);
		expireLease(this.key);
		busy(tryOnce(attempt("d")));
		granted(acquire(this.c));
	}

	@Test
	public void placeOfSubscribedInstanceIsKeptAfterTwoPolls() {
		listen(this.b);
		acquire(this.a);
		acquire(this.b, LEASE, Duration.ofMillis(800));
		acquire(this.c);
		pass(Duration.ofMillis(1700));
		release(this.a);
		granted(acquire(this.b));
	}

	@Test
	public void placeOfUnsubscribedInstanceIsDroppedAfterMissedPolls() {
		acquire(this.a);
		acquire(this.b, LEASE, Duration.ofMillis(400));
		acquire(this.c);
		pass(Duration.ofMillis(400 * pollsOfUnheardPlaces() + 50));
		release(this.a);
		granted(acquire(this.c));
	}

	@Test
	public void fastPollerDoesNotDropPlaceOfSlowPoller() {
		acquire(this.a);
		acquire(this.b);
		acquire(this.c, LEASE, SHORT_POLL);
		pass(SHORT_POLL.multipliedBy(5));
		release(this.a);
		granted(acquire(this.b));
	}

	@Test
	public void forceEndsLeaseAndReservesKeyForNextAttempt() {
		Granted granted = granted(acquire(this.a));
		acquire(this.b);
		assertThat(force()).isEqualTo(new ForceAnswer(true, List.of(this.a)));
		assertThat(renew(this.a, granted.block().first(), LEASE)).isInstanceOf(Gone.class);
		assertThat(release(this.a).ended()).isEqualTo(Ended.NOTHING);
		busy(tryOnce(this.c));
		assertThat(granted(acquire(this.b)).block().first()).isGreaterThan(granted.block().last());
	}

	@Test
	public void holderIsNotifiedOfWaiterAndOfForcedRelease() {
		HintRecorder hints = listen(this.a);
		acquire(this.a);
		acquire(this.b);
		hints.awaitOnly("contended " + this.a + " " + this.b + " " + this.key);
		force();
		hints.awaitHeard("forced " + this.a + " " + this.key);
	}

	@Test
	public void requestForKeyNotifiesHolderAndKeepsLease() {
		HintRecorder hints = listen(this.a);
		acquire(this.a);
		acquire(this.b);
		assertThat(join(inspector().request(this.key, LeaseInspector.ALL, TIMEOUT))).isNotEmpty();
		hints.awaitHeard("asked " + this.a + " " + this.key);
		assertThat(find()).as("it has it until it gives it back").isPresent();
	}

	@Test
	public void requestWithTokenNotifiesHolderAndKeepsLease() {
		HintRecorder hints = listen(this.a);
		acquire(this.a);
		assertThat(join(inspector().request(this.key, 1_234, TIMEOUT))).as("the holders").hasSize(1);
		hints.awaitHeard("force " + this.a + " 1234 " + this.key);
		assertThat(find()).as("it decides itself").isPresent();
	}

	@Test
	public void requestForFreeOrReservedKeyFindsNoHolder() {
		assertThat(join(inspector().request(this.key, LeaseInspector.ALL, TIMEOUT))).isEmpty();
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		assertThat(join(inspector().request(this.key, LeaseInspector.ALL, TIMEOUT))).as("reserved").isEmpty();
	}

	@Test
	public void inUseMessageReachesInstanceOfAttempt() {
		HintRecorder hints = listen(this.b);
		wakeUps().inUse(this.key, this.b);
		hints.awaitOnly("in-use " + this.b + " " + this.key);
	}

	@Test
	public void exceptionOfWakeUpListenerAffectsNoCommand() {
		listen(this.b).onGranted(() -> {
			throw new IllegalStateException("of the test");
		});
		acquire(this.a);
		acquire(this.b);
		assertThat(release(this.a).ended()).isEqualTo(Ended.LEASE);
		granted(acquire(this.b));
	}

	@Test
	public void wakeUpListenerMayAcquireGrantedKey() {
		HintRecorder hints = listen(this.b);
		hints.onGranted(() -> store().acquire(command(this.b, LEASE, POLL)));
		acquire(this.a);
		acquire(this.b);
		release(this.a);
		hints.awaitOnly("granted " + this.b + " " + this.key);
		await().untilAsserted(() -> assertThat(find()).map(LockState::holder)
			.hasValueSatisfying((holder) -> assertThat(holder).contains(this.b.instance())));
	}

	@Test
	public void writerIsGrantedAfterReleaseOfAllReaders() {
		acquire(this.reader);
		acquire(this.other);
		assertThat(busy(acquire(this.writer)).placed()).isTrue();
		assertThat(release(this.reader)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.NOBODY));
		busy(acquire(this.writer));
		assertThat(release(this.other)).isEqualTo(new ReleaseAnswer(Ended.LEASE, Next.OTHER));
		granted(acquire(this.writer));
		busy(tryOnce(this.third));
	}

	@Test
	public void adjacentReadersInQueueAreGrantedTogether() {
		HintRecorder hints = listen(this.reader);
		HintRecorder others = listen(this.other);
		acquire(this.writer);
		acquire(this.reader);
		acquire(this.other);
		acquire(attempt("w"));
		acquire(this.third);
		release(this.writer);
		hints.awaitOnly("granted " + this.reader + " " + this.key);
		others.awaitOnly("granted " + this.other + " " + this.key);
		granted(acquire(this.other));
		granted(acquire(this.reader));
		busy(acquire(this.third));
	}

	@Test
	public void readerBeyondSixtyFourWaitsForRelease() {
		List<AttemptId> readers = new ArrayList<>();
		for (int i = 0; i < Kind.MAX_HOLDERS; i++) {
			readers.add(as(attempt("r"), Kind.READ));
			granted(acquire(readers.get(i)));
		}
		Busy refusal = busy(acquire(this.reader));
		assertThat(refusal.placed()).isTrue();
		assertThat(refusal.other()).isEqualTo(Kind.READ);
		assertThat(join(inspector().find(this.key, TIMEOUT))).hasSize(Kind.MAX_HOLDERS)
			.allMatch((state) -> state.mode() == Mode.READ);
		assertThat(release(readers.get(17)).next()).isEqualTo(Next.OTHER);
		granted(acquire(this.reader));
	}

	@Test
	public void thirdAttemptForTwoPermitsWaitsForRelease() {
		granted(acquire(as(this.a, Kind.permits(2))));
		granted(acquire(as(this.b, Kind.permits(2))));
		busy(acquire(as(this.c, Kind.permits(2))));
		assertThat(release(as(this.a, Kind.permits(2))).next()).isEqualTo(Next.OTHER);
		busy(tryOnce(as(attempt("d"), Kind.permits(2))));
		granted(acquire(as(this.c, Kind.permits(2))));
	}

	@Test
	public void permitsAndLocksOfSameKeyRefuseEachOther() {
		AttemptId permit = as(this.a, Kind.permits(2));
		granted(acquire(permit));
		assertThat(refusal(this.writer)).hasMessageContaining("in use as permits");
		assertThat(refusal(this.other)).hasMessageContaining("in use as permits");
		release(permit);
		granted(acquire(this.writer));
		assertThat(refusal(as(this.c, Kind.permits(2)))).hasMessageContaining("in use as a lock");
	}

	@Test
	public void requestForKeyNotifiesAllReaders() {
		HintRecorder hints = listen(this.reader);
		HintRecorder others = listen(this.other);
		acquire(this.reader);
		acquire(this.other);
		assertThat(join(inspector().request(this.key, LeaseInspector.ALL, TIMEOUT))).isNotEmpty();
		hints.awaitOnly("asked " + this.reader + " " + this.key);
		others.awaitOnly("asked " + this.other + " " + this.key);
	}

	@Test
	public void forceWithTokenEndsLeaseOfOneReader() {
		Granted first = granted(acquire(this.reader));
		Granted second = granted(acquire(this.other));
		assertThat(join(inspector().force(this.key, second.block().last() + 1, TIMEOUT))).isEqualTo(ForceAnswer.FREE);
		assertThat(join(inspector().force(this.key, first.block().first(), TIMEOUT)))
			.isEqualTo(new ForceAnswer(true, List.of(this.reader)));
		assertThat(renew(this.reader, first.block().first(), LEASE)).isInstanceOf(Gone.class);
		assertThat(renew(this.other, second.block().first(), LEASE)).isInstanceOf(Renewed.class);
	}

	protected final AcquireCommand command(AttemptId attempt, Duration lease, Duration poll) {
		return new AcquireCommand(this.key, attempt, "holder of " + attempt.instance() + " 1", lease, 7, false, poll,
				false, TIMEOUT);
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

	protected final ReleaseAnswer release(AttemptId attempt) {
		return release(attempt, ReleaseCommand.NONE);
	}

	protected final ReleaseAnswer release(AttemptId attempt, long lastToken) {
		return join(store().release(new ReleaseCommand(this.key, attempt, lastToken, Duration.ZERO, null, TIMEOUT)));
	}

	protected final Optional<LockState> find() {
		return join(inspector().find(this.key, TIMEOUT)).stream().findFirst();
	}

	protected final ForceAnswer force() {
		return join(inspector().force(this.key, LeaseInspector.ALL, TIMEOUT));
	}

	/*
	 * Subscribe for the instance of an attempt; the subscription is active when this
	 * returns.
	 */
	protected HintRecorder listen(AttemptId attempt) {
		HintRecorder hints = new HintRecorder();
		wakeUps().subscribe(attempt.instance(), hints);
		return hints;
	}

	protected static Granted granted(AcquireAnswer answer) {
		assertThat(answer).as("command of the attempt is granted (use the answer as the message; line 441: is busy)")
			.isInstanceOf(Granted.class);
		return (Granted) answer;
	}

	protected static Busy busy(AcquireAnswer answer) {
		assertThat(answer).isInstanceOf(Busy.class);
		return (Busy) answer;
	}

	protected static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(10, TimeUnit.SECONDS).join();
	}

	private CommandRefusedException refusal(AttemptId attempt) {
		Throwable failure = catchThrowableOfType(CompletionException.class, () -> acquire(attempt)).getCause();
		return CommandRefusedException.class.cast(Objects.requireNonNull(failure));
	}

}
