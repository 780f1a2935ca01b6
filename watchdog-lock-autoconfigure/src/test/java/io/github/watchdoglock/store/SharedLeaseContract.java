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
import java.util.concurrent.CompletionException;

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
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Gone;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer.Renewed;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What every store does where several have a key: readers, or who has a permit.
 */
public abstract class SharedLeaseContract extends LeaseStoreContract {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final AttemptId reader = as(this.a, Kind.READ);

	private final AttemptId other = as(this.b, Kind.READ);

	private final AttemptId third = as(this.c, Kind.READ);

	private final AttemptId writer = attempt("w");

	private static AttemptId as(AttemptId attempt, Kind kind) {
		return new AttemptId(attempt.instance(), attempt.number(), kind);
	}

	@Test
	public void readersHaveAKeyTogether() {
		Granted first = granted(acquire(this.reader));
		Granted second = granted(acquire(this.other));
		assertThat(first.block().last()).isEqualTo(first.block().first());
		assertThat(second.block().first()).isGreaterThan(first.block().last());
		assertThat(states()).extracting(LockState::token)
			.containsExactlyInAnyOrder(first.block().first(), second.block().first());
	}

	@Test
	public void writerWaitsForAllReaders() {
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
	public void writerHasAGreaterTokenThanAllReadersBeforeItAndALesserOneThanThoseAfter() {
		acquire(this.reader);
		Granted second = granted(acquire(this.other));
		release(this.other, second.block().first());
		release(this.reader);
		Granted written = granted(acquire(this.writer));
		assertThat(written.block().first()).isGreaterThan(second.block().last());
		release(this.writer, written.block().last());
		assertThat(granted(acquire(this.third)).block().first()).isGreaterThan(written.block().last());
	}

	@Test
	public void waitingWriterIsNotPassedByNewReaders() {
		acquire(this.reader);
		acquire(this.writer);
		assertThat(busy(tryOnce(this.other)).placed()).isFalse();
		assertThat(busy(acquire(this.other)).placed()).isTrue();
		release(this.reader);
		busy(acquire(this.other));
		granted(acquire(this.writer));
	}

	@Test
	public void readersComeInWhenTheWriterAheadOfThemGivesUp() {
		HintRecorder hints = listen(this.other);
		acquire(this.reader);
		acquire(this.writer);
		acquire(this.other);
		assertThat(release(this.writer)).isEqualTo(new ReleaseAnswer(Ended.PLACE, Next.OTHER));
		hints.awaitOnly("granted " + this.other + " " + this.key);
		granted(acquire(this.other));
	}

	@Test
	public void readersWhoStandTogetherComeTogether() {
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
	public void readersComeTogetherWhenAWritersLeaseHasEnded() {
		acquire(this.writer);
		acquire(this.reader);
		acquire(this.other);
		expireLease(this.key);
		granted(acquire(this.other));
		granted(acquire(this.reader));
	}

	@Test
	public void sixtyFourReadAtMost() {
		List<AttemptId> readers = new ArrayList<>();
		for (int i = 0; i < Kind.MOST; i++) {
			readers.add(as(attempt("r"), Kind.READ));
			granted(acquire(readers.get(i)));
		}
		Busy refusal = busy(acquire(this.reader));
		assertThat(refusal.placed()).isTrue();
		assertThat(refusal.other()).isEqualTo(Kind.READ);
		assertThat(states()).hasSize(Kind.MOST).allMatch((state) -> state.mode() == Mode.READ);
		assertThat(release(readers.get(17)).next()).isEqualTo(Next.OTHER);
		granted(acquire(this.reader));
	}

	@Test
	public void whoAsksForAPermitHearsOfAnotherNumber() {
		AttemptId five = as(attempt("five"), Kind.permits(5));
		AttemptId six = as(attempt("six"), Kind.permits(6));
		AttemptId two = as(attempt("two"), Kind.permits(2));
		assertThat(granted(acquire(five)).other()).isNull();
		assertThat(granted(acquire(as(attempt("too"), Kind.permits(5)))).other()).isNull();
		assertThat(granted(acquire(six)).other()).isEqualTo(Kind.permits(5));
		assertThat(busy(acquire(two)).other()).isEqualTo(Kind.permits(5));
		assertThat(states()).extracting(LockState::permits)
			.containsExactlyInAnyOrder(List.of(5), List.of(5), List.of(6));
		release(six);
		assertThat(busy(acquire(as(attempt("last"), Kind.permits(5)))).other()).isEqualTo(Kind.permits(2));
	}

	@Test
	public void holderIsRenewedAloneAndNeverShortened() {
		Granted brief = granted(acquire(this.reader, POLL));
		Granted lasting = granted(acquire(this.other, LEASE));
		assertThat(renew(this.other, lasting.block().first(), POLL)).isInstanceOf(Renewed.class);
		assertThat(states()).extracting((state) -> state.remaining().compareTo(POLL) > 0).containsExactly(false, true);
		assertThat(renew(this.reader, brief.block().first(), LEASE.multipliedBy(2))).isInstanceOf(Renewed.class);
		assertThat(states()).first().extracting(LockState::token).isEqualTo(lasting.block().first());
		assertThat(renew(this.other, brief.block().first(), LEASE)).isInstanceOf(Gone.class);
	}

	@Test
	public void holderWhoseLeaseHasEndedIsGoneAndGetsNothingWhileOthersStay() {
		Granted brief = granted(acquire(this.reader, SHORT_POLL));
		acquire(this.other);
		pass(SHORT_POLL.multipliedBy(2));
		assertThat(renew(this.reader, brief.block().first(), LEASE)).isInstanceOf(Gone.class);
		assertThat(acquire(this.reader)).isInstanceOf(AcquireAnswer.Ended.class);
		assertThat(states()).hasSize(1);
	}

	@Test
	public void repeatedAcquireOfAHolderHasTheSameToken() {
		Granted first = granted(acquire(this.reader));
		acquire(this.other);
		assertThat(granted(acquire(this.reader)).block()).isEqualTo(first.block());
		assertThat(states()).hasSize(2);
	}

	@Test
	public void oneMoreTokenIsGreaterThanAllThatWereGiven() {
		Granted first = granted(acquire(this.reader));
		Granted second = granted(acquire(this.other));
		TokenBlock next = nextBlock(this.reader, first.block().first());
		assertThat(next.first()).isEqualTo(next.last()).isGreaterThan(second.block().last());
		assertThat(granted(acquire(this.third)).block().first()).isGreaterThan(next.last());
	}

	@Test
	public void tokenIsNotSetBackBelowAnothers() {
		acquire(this.reader);
		Granted second = granted(acquire(this.other));
		release(this.reader, ReleaseCommand.NONE);
		assertThat(granted(acquire(this.third)).block().first()).isGreaterThan(second.block().last());
	}

	@Test
	public void readersMinimumHoldKeepsWritersOutAndLetsReadersIn() {
		acquire(this.reader);
		acquire(this.other);
		assertThat(release(this.reader, POLL, null).ended()).isEqualTo(Ended.LEASE);
		release(this.other);
		busy(tryOnce(this.writer));
		assertThat(tryOnce(this.reader)).isInstanceOf(AcquireAnswer.Ended.class);
		granted(acquire(this.third));
		release(this.third);
		assertThat(busy(tryOnce(this.writer)).remaining()).isBetween(POLL.minusSeconds(5), POLL);
	}

	@Test
	public void asManyHaveAPermitAsThereAre() {
		granted(acquire(as(this.a, Kind.permits(2))));
		granted(acquire(as(this.b, Kind.permits(2))));
		busy(acquire(as(this.c, Kind.permits(2))));
		assertThat(release(as(this.a, Kind.permits(2))).next()).isEqualTo(Next.OTHER);
		busy(tryOnce(as(attempt("d"), Kind.permits(2))));
		granted(acquire(as(this.c, Kind.permits(2))));
	}

	@Test
	public void eachGoesByItsOwnNumberOfPermits() {
		granted(acquire(as(this.a, Kind.permits(2))));
		granted(acquire(as(this.b, Kind.permits(2))));
		busy(tryOnce(as(this.c, Kind.permits(2))));
		granted(acquire(as(this.c, Kind.permits(3))));
		busy(tryOnce(as(attempt("d"), Kind.permits(3))));
	}

	@Test
	public void onePermitIsAnExclusiveLock() {
		granted(acquire(as(this.a, Kind.permits(1))));
		assertThat(busy(acquire(this.b)).other()).isNull();
		assertThat(states()).extracting(LockState::permits).containsExactly(List.of());
		release(this.a);
		busy(acquire(as(this.c, Kind.permits(1))));
	}

	@Test
	public void permitOfADeadHolderComesFree() {
		granted(acquire(as(this.a, Kind.permits(2)), SHORT_POLL));
		granted(acquire(as(this.b, Kind.permits(2))));
		assertThat(busy(tryOnce(as(this.c, Kind.permits(2)))).remaining()).isLessThanOrEqualTo(SHORT_POLL);
		pass(SHORT_POLL.multipliedBy(2));
		granted(tryOnce(as(this.c, Kind.permits(2))));
	}

	@Test
	public void otherKindIsAnErrorAndNoContention() {
		AttemptId permit = as(this.a, Kind.permits(2));
		granted(acquire(permit));
		assertThat(refusal(this.writer)).hasMessageContaining("in use as permits");
		assertThat(refusal(this.other)).hasMessageContaining("in use as permits");
		release(permit);
		granted(acquire(this.writer));
		assertThat(refusal(as(this.c, Kind.permits(2)))).hasMessageContaining("in use as a lock");
	}

	@Test
	public void undoingOneAttemptTakesNothingOfAnother() {
		AttemptId next = as(new AttemptId(this.a.instance(), this.a.number() + 1), Kind.READ);
		Granted granted = granted(acquire(this.reader));
		assertThat(release(next).ended()).isEqualTo(Ended.NOTHING);
		acquire(next);
		assertThat(release(next, ReleaseCommand.UNKNOWN).ended()).isEqualTo(Ended.LEASE);
		assertThat(renew(this.reader, granted.block().first(), LEASE)).isInstanceOf(Renewed.class);
	}

	@Test
	public void allHoldersAreToldThatOthersWait() {
		HintRecorder hints = listen(this.reader);
		HintRecorder others = listen(this.other);
		acquire(this.reader);
		acquire(this.other);
		acquire(this.writer);
		hints.awaitOnly("contended " + this.reader + " " + this.writer + " " + this.key);
		others.awaitOnly("contended " + this.other + " " + this.writer + " " + this.key);
	}

	@Test
	public void allHoldersAreAsked() {
		HintRecorder hints = listen(this.reader);
		HintRecorder others = listen(this.other);
		acquire(this.reader);
		acquire(this.other);
		assertThat(join(inspector().ask(this.key, TIMEOUT))).isTrue();
		hints.awaitOnly("asked " + this.reader + " " + this.key);
		others.awaitOnly("asked " + this.other + " " + this.key);
	}

	@Test
	public void forceTakesTheKeyFromAll() {
		acquire(this.reader);
		acquire(this.other);
		assertThat(force()).isEqualTo(new ForceAnswer(true, List.of(this.reader, this.other)));
		granted(acquire(this.writer));
	}

	@Test
	public void forceTakesOneByItsToken() {
		Granted first = granted(acquire(this.reader));
		Granted second = granted(acquire(this.other));
		assertThat(join(inspector().force(this.key, second.block().last() + 1, TIMEOUT))).isEqualTo(ForceAnswer.FREE);
		assertThat(join(inspector().force(this.key, first.block().first(), TIMEOUT)))
			.isEqualTo(new ForceAnswer(true, List.of(this.reader)));
		assertThat(renew(this.reader, first.block().first(), LEASE)).isInstanceOf(Gone.class);
		assertThat(renew(this.other, second.block().first(), LEASE)).isInstanceOf(Renewed.class);
	}

	private List<LockState> states() {
		return join(inspector().find(this.key, TIMEOUT));
	}

	private CommandRefusedException refusal(AttemptId attempt) {
		Throwable failure = catchThrowableOfType(CompletionException.class, () -> acquire(attempt)).getCause();
		return CommandRefusedException.class.cast(Objects.requireNonNull(failure));
	}

}
