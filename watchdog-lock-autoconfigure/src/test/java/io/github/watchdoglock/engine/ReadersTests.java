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
import java.util.concurrent.locks.ReadWriteLock;
import java.util.stream.Stream;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockUpgradeException;
import io.github.watchdoglock.store.AcquireCommand;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for keys with readers and writers, with two instances.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class ReadersTests extends TwoInstances {

	@AfterEach
	void nothingIsLeft() {
		assertAllAreServedAndNothingIsLeft();
	}

	@Test
	void readersOfInstanceShareLeaseAndToken() {
		List<LockHandle> readers = read(this.firstInstance, 10);
		assertThat(this.store.commands).as("commands sent for ten readers").hasSize(1);
		assertThat(readers).extracting(LockHandle::fencingToken).containsOnly(readers.get(0).fencingToken());
		assertThat(this.firstInstance.engine.localLocks().list()).hasSize(10);
		this.firstInstance.pass(Duration.ofMinutes(1));
		assertThat(readers).allMatch(LockHandle::isHeld);
		this.store.commands.clear();
		readers.forEach(LockHandle::close);
		assertThat(this.store.commands).hasSize(1).hasOnlyElementsOfType(ReleaseCommand.class);
	}

	@Test
	void readersThatArriveDuringAcquireCommandShareLease() {
		this.store.hold = true;
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 10);
		this.store.deliver();
		assertThat(readers).allMatch(CompletableFuture::isDone);
		assertThat(this.store.commands).hasSize(1);
	}

	@Test
	void laterReaderConfirmsLeaseBeforeJoining() {
		readAWhileAgo();
		this.store.commands.clear();
		this.store.hold = true;
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 3);
		assertThat(readers).noneMatch(CompletableFuture::isDone);
		this.store.deliver();
		assertThat(readers).allMatch(CompletableFuture::isDone);
		assertThat(this.store.commands).hasSize(1).hasOnlyElementsOfType(RenewCommand.class);
	}

	/* Acquired longer ago than a confirmation is valid. */
	private LockHandle readAWhileAgo() {
		LockHandle first = read(this.firstInstance, 1).get(0);
		this.ticker.advance(Duration.ofSeconds(1));
		return first;
	}

	@Test
	void confirmationThatIsAnsweredWhileAWriterHasTheLeaseLetsNoReaderIn() {
		CompletableFuture<LockHandle> first = readAfterAWriter();
		this.store.commands.clear();
		this.store.hold = true;
		passUntilSent(RenewCommand.class);
		CompletableFuture<LockHandle> second = this.firstInstance.ask(READ);
		assertThat(this.store.count(RenewCommand.class)).as("renewal and confirmation sent").isEqualTo(2);
		this.store.deliverOne();
		CompletableFuture<LockHandle> writer = this.firstInstance.ask(FOREVER);
		closeAll(List.of(second, first));
		assertThat(writer.join().isHeld()).as("'writer.join' is held").isTrue();
		CompletableFuture<LockHandle> third = this.firstInstance.ask(READ);
		this.store.deliverOne();
		assertThat(third).isNotDone();
		this.store.deliver();
	}

	private CompletableFuture<LockHandle> readAfterAWriter() {
		CompletableFuture<LockHandle> before = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> reader = this.firstInstance.ask(READ);
		before.join().close();
		return reader;
	}

	@Test
	void laterWriterTimesOutAfterEarlierWriterMadeRoomForReader() {
		readAfterAWriter();
		this.firstInstance.pass(Duration.ofMillis(100));
		CompletableFuture<LockHandle> writer = this.firstInstance.ask(FOREVER.withWaitTime(Duration.ofMillis(50)));
		CompletableFuture<LockHandle> second = this.firstInstance.ask(READ);
		CompletableFuture<LockHandle> other = this.firstInstance.ask(FOREVER.withWaitTime(Duration.ofSeconds(1)));
		assertThat(List.of(writer, second, other)).noneMatch(CompletableFuture::isDone);
		this.firstInstance.pass(Duration.ofMillis(80));
		assertThat(writer).isCompletedExceptionally();
		assertThat(second).isCompleted();
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(other).isCompletedExceptionally();
	}

	@Test
	void laterReaderGetsNewLeaseWhenConfirmationFindsLeaseGone() {
		LockHandle first = readAWhileAgo();
		this.memory.force(KEY, 0, Duration.ofSeconds(1));
		LockHandle second = read(this.firstInstance, 1).get(0);
		assertThat(first.loss()).isPresent();
		assertThat(second.isHeld()).as("'second' is held").isTrue();
		assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
	}

	@Test
	void firstReaderKeepsHoldWhenConfirmationForLaterReaderFails() {
		LockHandle first = readAWhileAgo();
		this.store.down = true;
		assertThat(this.firstInstance.ask(READ)).isCompletedExceptionally();
		this.store.down = false;
		CompletableFuture<LockHandle> third = this.firstInstance.ask(READ);
		assertThat(third).isCompleted();
		assertThat(first.isHeld()).as("'first' is held").isTrue();
		first.close();
		third.join().close();
		this.firstInstance.pass(Duration.ofSeconds(1));
	}

	@Test
	void laterReaderIsServedWhenFirstReaderClosesDuringConfirmation() {
		LockHandle first = readAWhileAgo();
		this.store.hold = true;
		CompletableFuture<LockHandle> second = this.firstInstance.ask(READ);
		first.close();
		this.store.deliver();
		assertThat(second).isCompleted();
	}

	@Test
	void writerIsServedWhenReaderGivesUpDuringConfirmation() {
		LockHandle first = readAWhileAgo();
		this.store.hold = true;
		CompletableFuture<LockHandle> second = this.firstInstance.ask(READ);
		CompletableFuture<LockHandle> writer = this.firstInstance.ask(FOREVER);
		second.cancel(false);
		this.store.deliver();
		assertThat(writer).isNotDone();
		first.close();
		assertThat(writer).isCompleted();
	}

	@Test
	void readersDoNotPassWaitingWriter() {
		LockHandle first = read(this.firstInstance, 1).get(0);
		CompletableFuture<LockHandle> writer = this.firstInstance.ask(FOREVER);
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 2);
		readers.addAll(ask(this.secondInstance, READ, 2));
		CompletableFuture<LockHandle> last = this.firstInstance.ask(FOREVER);
		assertThat(readers).noneMatch(CompletableFuture::isDone);
		first.close();
		assertThat(writer).isCompleted();
		assertThat(readers).noneMatch(CompletableFuture::isDone);
		writer.join().close();
		// The readers of its instance, and then, within the hand-off budget, its next
		// writer.
		assertThat(readers.subList(0, 2)).allMatch(CompletableFuture::isDone);
		assertThat(last).isNotDone();
		closeAll(readers.subList(0, 2));
		assertThat(readers.subList(2, 4)).noneMatch(CompletableFuture::isDone);
		last.join().close();
		assertThat(readers).allMatch(CompletableFuture::isDone);
	}

	@Test
	void readersWithDifferentLeaseTimesGetSeparateLeases() {
		LockRequest brief = READ.withLease(Lease.fixed(Duration.ofSeconds(20)));
		LockRequest longer = READ.withLease(Lease.renewed(Duration.ofSeconds(60)));
		List<LockHandle> readers = Stream.of(READ, longer, brief, brief)
			.map((request) -> this.firstInstance.ask(request).join())
			.toList();
		assertThat(this.store.sent(AcquireCommand.class)).hasSize(4);
		assertThat(this.firstInstance.engine.find(KEY).orElseThrow().holders()).isEqualTo(4);
		assertThat(readers).allMatch(LockHandle::isHeld);
		this.firstInstance.pass(Duration.ofSeconds(21));
		assertThat(readers.get(2).isHeld()).isFalse();
		assertThat(readers.get(0).isHeld()).isTrue();
		readers.forEach(LockHandle::close);
		this.firstInstance.pass(Duration.ofSeconds(1));
	}

	@Test
	void writerOfOtherInstanceIsPassedByAtMostSixteenReaders() {
		LockHandle first = read(this.firstInstance, 1).get(0);
		CompletableFuture<LockHandle> writer = this.secondInstance.ask(FOREVER);
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 20);
		assertThat(readers.stream().filter(CompletableFuture::isDone)).as("readers that passed the waiting writer")
			.hasSize(16);
		first.close();
		closeAll(readers.subList(0, 16));
		assertThat(writer).isCompleted();
		assertThat(readers.get(16)).isNotDone();
		writer.join().close();
		assertThat(readers).allMatch(CompletableFuture::isDone);
	}

	@Test
	void writerOfOtherInstanceIsPassedForAtMostFiftyMilliseconds() {
		LockHandle first = read(this.firstInstance, 1).get(0);
		CompletableFuture<LockHandle> writer = this.secondInstance.ask(FOREVER);
		this.ticker.advance(Duration.ofMillis(49));
		LockHandle second = read(this.firstInstance, 1).get(0);
		this.ticker.advance(Duration.ofMillis(1));
		CompletableFuture<LockHandle> third = this.firstInstance.ask(READ);
		assertThat(third).isNotDone();
		first.close();
		second.close();
		assertThat(writer).isCompleted();
	}

	@Test
	void readerPastMaximumHoldTimeIsLostAlone() {
		LockHandle limited = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(20))).join();
		LockHandle other = read(this.firstInstance, 1).get(0);
		assertThat(other.fencingToken()).isEqualTo(limited.fencingToken());
		CompletableFuture<LockHandle> writer = this.secondInstance.ask(FOREVER);
		TestEngine.pass(Duration.ofSeconds(21), this.firstInstance, this.secondInstance);
		assertThat(limited.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		assertThat(other.isHeld()).as("'other' is held").isTrue();
		other.close();
		// One of the five seconds of the stop margin has already passed.
		assertServedAfter(writer, Duration.ofSeconds(3), Duration.ofSeconds(2));
		limited.close();
		assertThat(writer.join().isHeld()).as("'writer.join' is held").isTrue();
	}

	@Test
	void lastCloseOfReadersPastMaximumHoldTimeReleasesLease() {
		LockHandle first = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(15))).join();
		LockHandle last = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(20))).join();
		this.firstInstance.pass(Duration.ofSeconds(21));
		assertThat(this.firstInstance.events.count("lost: MAX_HOLD")).isEqualTo(2);
		last.close();
		assertSilent(this.firstInstance, Duration.ofMillis(20));
		this.store.commands.clear();
		first.close();
		this.firstInstance.pass(Duration.ofMillis(20));
		assertThat(this.store.commands).hasSize(1).hasOnlyElementsOfType(ReleaseCommand.class);
	}

	@Test
	void forceReleaseOfSharedLeaseEndsAllReadersOfInstance() {
		List<LockHandle> readers = read(this.firstInstance, 3);
		LockHandle elsewhere = read(this.secondInstance, 1).get(0);
		assertThat(this.secondInstance.engine.forceRelease(KEY, readers.get(0).fencingToken())).isTrue();
		assertThat(this.firstInstance.events.count("lost: FORCED")).isEqualTo(3);
		assertThat(readers).noneMatch(LockHandle::isHeld);
		assertThat(elsewhere.isHeld()).as("'elsewhere' is held").isTrue();
	}

	@Test
	void allReadersAreLostWhenRenewalFindsLeaseGone() {
		List<LockHandle> readers = read(this.firstInstance, 3);
		this.ticker.advance(Duration.ofSeconds(45));
		LockHandle elsewhere = read(this.secondInstance, 1).get(0);
		this.ticker.advance(Duration.ofSeconds(-45));
		this.firstInstance.pass(Duration.ofSeconds(11));
		assertThat(this.firstInstance.events.count("lost: GONE")).isEqualTo(3);
		readers.forEach(LockHandle::close);
		assertThat(elsewhere.isHeld()).as("'elsewhere' is held").isTrue();
		this.ticker.advance(Duration.ofMinutes(2));
	}

	@Test
	void expiredLeaseIsReleasedWhenLastReaderCloses() {
		List<LockHandle> readers = read(this.firstInstance, 3);
		this.store.down = true;
		this.firstInstance.pass(Duration.ofSeconds(26));
		assertThat(this.firstInstance.events.count("lost: EXPIRED")).isEqualTo(3);
		assertThat(this.firstInstance.events.count("at risk")).isEqualTo(3);
		this.store.down = false;
		readers.subList(0, 2).forEach(LockHandle::close);
		assertSilent(this.firstInstance, Duration.ofMillis(20));
		readers.get(2).close();
		this.firstInstance.pass(Duration.ofMillis(20));
		assertThat(this.store.sent(ReleaseCommand.class)).hasSize(1);
	}

	@Test
	void readerWhoseThreadHasEndedIsLostAlone() throws Exception {
		LockHandle other = read(this.firstInstance, 1).get(0);
		LockHandle dead = TestEngine.onThreadThatEnds(() -> this.firstInstance.engine.acquire(READ));
		CompletableFuture<LockHandle> writer = this.secondInstance.ask(FOREVER);
		passUntil(() -> {
			this.secondInstance.turn();
			return dead.loss().isPresent();
		});
		assertThat(dead.loss()).map(LockLoss::reason).contains(LockLoss.Reason.ABANDONED);
		assertThat(other.isHeld()).as("'other' is held").isTrue();
		other.close();
		// The work may continue for the stop margin, a sixth of the lease.
		Duration margin = Duration.ofSeconds(5);
		assertServedAfter(writer, margin.minus(TestEngine.TICK.multipliedBy(3)), Duration.ofSeconds(1));
	}

	@Test
	void leaseIsReleasedWhenThreadOfLastReaderHasEnded() throws Exception {
		var unused = TestEngine.onThreadThatEnds(() -> this.firstInstance.engine.acquire(READ));
		CompletableFuture<LockHandle> writer = this.secondInstance.ask(FOREVER);
		TestEngine.pass(Duration.ofSeconds(18), this.firstInstance, this.secondInstance);
		assertThat(writer).isCompleted();
	}

	@Test
	void minimumHoldTimeDelaysWritersButNotReaders() {
		LockHandle kept = this.firstInstance.ask(READ.withMinHoldTime(Duration.ofSeconds(20))).join();
		LockHandle last = read(this.firstInstance, 1).get(0);
		kept.close();
		last.close();
		CompletableFuture<LockHandle> reader = this.secondInstance.ask(READ);
		assertThat(reader).isCompleted();
		reader.join().close();
		assertServedAfter(this.secondInstance.ask(FOREVER), Duration.ofSeconds(19), Duration.ofSeconds(2));
	}

	@Test
	void minimumHoldTimeIsKeptWhenOtherReaderIsLost() {
		LockHandle kept = this.firstInstance.ask(READ.withMinHoldTime(Duration.ofSeconds(20))).join();
		LockHandle limited = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(10))).join();
		kept.close();
		this.firstInstance.pass(Duration.ofSeconds(11));
		assertThat(limited.loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		limited.close();
		assertServedAfter(this.secondInstance.ask(FOREVER), Duration.ofSeconds(8), Duration.ofSeconds(2));
	}

	@Test
	void readersWithFixedLeaseDoNotShareLease() {
		this.store.hold = true;
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance,
				READ.withLease(Lease.fixed(Duration.ofSeconds(20))), 2);
		this.store.deliver();
		assertThat(readers).allMatch(CompletableFuture::isDone);
		assertThat(readers.get(0).join().fencingToken()).isNotEqualTo(readers.get(1).join().fencingToken());
	}

	@Test
	void readersThatArriveDuringConfirmationPassWriterWithinHandOffBudget() {
		LockHandle first = readAWhileAgo();
		CompletableFuture<LockHandle> writer = this.secondInstance.ask(FOREVER);
		this.store.hold = true;
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 40);
		this.store.deliver();
		assertThat(readers).filteredOn(CompletableFuture::isDone).hasSizeLessThanOrEqualTo(16);
		first.close();
		closeAll(readers.stream().filter(CompletableFuture::isDone).toList());
		TestEngine.pass(Duration.ofSeconds(1), this.firstInstance, this.secondInstance);
		assertThat(writer).isCompleted();
	}

	@Test
	void laterReaderDoesNotTimeOutWhileStoreAnswersEarlierReaders() {
		this.store.hold = true;
		LockRequest fixed = READ.withLease(Lease.fixed(Duration.ofSeconds(60)));
		List<CompletableFuture<LockHandle>> readers = Stream.of(READ, fixed, READ)
			.map(this.firstInstance::ask)
			.toList();
		CompletableFuture<LockHandle> writer = this.firstInstance.ask(FOREVER);
		Duration most = this.store.sent(AcquireCommand.class).get(0).timeout();
		for (int i = 0; i < 3; i++) {
			this.ticker.advance(most.multipliedBy(9).dividedBy(20));
			this.store.deliverOne();
		}
		assertThat(readers).allMatch(CompletableFuture::isDone);
		assertThat(writer).isNotDone();
		this.store.deliver();
		closeAll(readers);
		this.firstInstance.pass(Duration.ofSeconds(1));
		assertThat(writer).isCompleted();
	}

	@Test
	void confirmationTimeoutIsReducedByTimeAlreadyWaited() {
		LockRequest read = READ.withLease(Lease.renewed(Duration.ofSeconds(1)));
		this.firstInstance.ask(read).join();
		this.ticker.advance(Duration.ofMillis(100));
		this.store.commands.clear();
		this.store.hold = true;
		CompletableFuture<LockHandle> writer = this.firstInstance.ask(FOREVER);
		this.firstInstance.ask(read);
		this.ticker.advance(Duration.ofMillis(40));
		writer.cancel(true);
		assertThat(this.store.sent(RenewCommand.class)).singleElement()
			.returns(Duration.ofMillis(160), RenewCommand::timeout);
		this.store.deliver();
	}

	@Test
	void readerFailsWhenStoreTimeoutPassedBehindWriter() {
		LockHandle first = readAWhileAgo();
		this.store.hold = true;
		CompletableFuture<LockHandle> writer = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> reader = this.firstInstance.ask(READ);
		this.ticker.advance(this.store.sent(AcquireCommand.class).get(0).timeout());
		writer.cancel(true);
		assertThat(reader).isCompletedExceptionally();
		this.store.deliver();
		first.close();
		this.firstInstance.pass(Duration.ofSeconds(1));
	}

	@Test
	void newReaderEndsExpiredFixedHoldAndIsServed() {
		LockHandle fixed = this.firstInstance.ask(READ.withLease(Lease.fixed(Duration.ofSeconds(10)))).join();
		this.ticker.advance(fixed.remaining().minusMillis(50));
		LockHandle first = this.firstInstance.ask(READ).join();
		assertThat(fixed.isHeld()).as("'fixed' is held").isTrue();
		this.ticker.advance(Duration.ofMillis(100));
		LockHandle second = this.firstInstance.ask(READ).join();
		assertThat(fixed.isHeld()).as("'fixed' is held").isFalse();
		assertThat(second.isHeld()).as("'second' is held").isTrue();
		List.of(fixed, first, second).forEach(LockHandle::close);
		this.firstInstance.pass(Duration.ofSeconds(1));
	}

	@Test
	void threadWithWriteLockMayAcquireReadLock() throws Exception {
		LockHandle writing = this.firstInstance.engine.acquire(FOREVER);
		LockHandle reading = acquire(READ);
		assertThat(reading.fencingToken()).isEqualTo(writing.fencingToken());
		writing.close();
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(READ);
		assertThat(elsewhere).isNotDone();
		reading.close();
		assertThat(elsewhere).isCompleted();
	}

	@Test
	void upgradeFailsForThreadWithReadLock() throws Exception {
		try (LockHandle reading = acquire(READ); LockHandle again = this.firstInstance.engine.acquire(READ)) {
			assertThatExceptionOfType(LockUpgradeException.class)
				.isThrownBy(() -> this.firstInstance.engine.acquire(FOREVER))
				.withMessageContaining("orders")
				.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(KEY));
			assertThat(this.firstInstance.ask(FOREVER)).isCompletedExceptionally();
			assertThat(again.fencingToken()).isEqualTo(reading.fencingToken());
			assertThat(reading.isHeld()).as("'reading' is held").isTrue();
		}
	}

	@Test
	void acquireAllWithReadAndWriteOfSameKeyAcquiresWriteLock() throws Exception {
		try (LockHandles both = this.firstInstance.engine.acquireAll(List.of(READ, FOREVER))) {
			assertThat(both.isHeld()).as("'both' is held").isTrue();
			assertThat(this.secondInstance.ask(READ_ONCE)).isCompletedExceptionally();
		}
	}

	@Test
	@SuppressWarnings("LockNotBeforeTry")
	void readWriteLockViewsShareReadsAndExcludeWriters() throws Exception {
		ReadWriteLock views = this.firstInstance.engine.asReadWriteLock(LockRequest.of(KEY));
		views.readLock().lock();
		assertThat(TestEngine.onThreadThatEnds(() -> {
			boolean locked = views.readLock().tryLock();
			views.readLock().unlock();
			return locked && !views.writeLock().tryLock();
		})).isTrue();
		assertThatExceptionOfType(LockUpgradeException.class).isThrownBy(() -> views.writeLock().tryLock());
		views.readLock().unlock();
		views.writeLock().lock();
		assertThat(TestEngine.onThreadThatEnds(() -> views.readLock().tryLock())).isFalse();
		views.readLock().lock();
		views.writeLock().unlock();
		views.readLock().unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> views.readLock().unlock());
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.firstInstance.engine.asReadWriteLock(LockRequest.of(KEY).withPermits(2)));
	}

	@Test
	@SuppressWarnings("LockNotBeforeTry")
	void unlockOfViewFailsWhenHoldHasOtherMode() {
		ReadWriteLock views = this.firstInstance.engine.asReadWriteLock(LockRequest.of(KEY));
		views.writeLock().lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> views.readLock().unlock())
			.withMessageContaining("is not locked for reading by thread");
		assertThat(this.firstInstance.engine.localLocks().current(KEY)).get().matches(LockHandle::isHeld);
		views.readLock().lock();
		views.writeLock().unlock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> views.writeLock().unlock())
			.withMessageContaining("is not locked for writing by thread");
		views.readLock().unlock();
		views.readLock().lock();
		assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(() -> views.writeLock().unlock());
		assertThatExceptionOfType(IllegalMonitorStateException.class)
			.isThrownBy(() -> this.firstInstance.engine.asLock(LockRequest.of(KEY)).unlock());
		views.readLock().unlock();
	}

	@Test
	void readWriteLockViewsIgnorePermitsOfProperties() {
		LockService service = Mockito.mock(LockService.class);
		Mockito.when(service.asReadWriteLock(ArgumentMatchers.any())).thenCallRealMethod();
		ReadWriteLock unused = service.asReadWriteLock(LockRequest.of(KEY));
		Mockito.verify(service).asLock(LockRequest.of(KEY).withPermits(0).withMode(LockMode.READ));
		Mockito.verify(service).asLock(LockRequest.of(KEY).withPermits(0).withMode(LockMode.WRITE));
	}

	@Test
	void requestWithoutWaitTimeFailsAtOnceWhenKeyIsBusy() {
		LockHandle writer = this.secondInstance.ask(FOREVER).join();
		assertThat(this.firstInstance.ask(READ_ONCE)).isCompletedExceptionally();
		writer.close();
		LockHandle reader = read(this.secondInstance, 1).get(0);
		assertThat(this.firstInstance.ask(ONCE)).isCompletedExceptionally();
		LockHandle here = read(this.firstInstance, 1).get(0);
		assertThat(this.firstInstance.ask(ONCE)).isCompletedExceptionally();
		assertThat(this.firstInstance.ask(READ_ONCE)).isCompleted();
		assertThat(reader.isHeld()).as("'reader' is held").isTrue();
		assertThat(here.isHeld()).as("'here' is held").isTrue();
	}

	@Test
	void longerLeaseOfOneReaderExtendsAllReaders() throws Exception {
		LockRequest brief = READ.withLease(Lease.renewed(Duration.ofSeconds(10)));
		LockHandle other = this.firstInstance.ask(brief).join();
		try (LockHandle first = this.firstInstance.engine.acquire(brief);
				LockHandle again = this.firstInstance.engine
					.acquire(READ.withLease(Lease.renewed(Duration.ofSeconds(60))))) {
			assertThat(again.remaining()).isGreaterThan(Duration.ofSeconds(40));
			assertThat(other.remaining()).isEqualTo(again.remaining());
			assertThat(first.isHeld()).as("'first' is held").isTrue();
			this.firstInstance.pass(Duration.ofMinutes(2));
			assertThat(other.isHeld()).as("'other' is held").isTrue();
		}
	}

	@Test
	void readersAreLostWhenEngineIsClosed() throws Exception {
		List<LockHandle> readers = read(this.firstInstance, 3);
		var unused = TestEngine.onThreadThatEnds(() -> this.firstInstance.engine.acquire(READ));
		this.firstInstance.engine.close();
		assertThat(readers).noneMatch(LockHandle::isHeld);
		this.firstInstance.assertNoKeyInUse();
		this.ticker.advance(Duration.ofSeconds(30));
	}

	private static List<LockHandle> read(TestEngine engine, int count) {
		return ask(engine, READ, count).stream().map(CompletableFuture::join).toList();
	}

}
