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

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockUpgradeException;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.RenewCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for readers that follow a writer of their own instance.
 */
class ReadersAfterWriterTests extends TwoInstances {

	@AfterEach
	void nothingIsLeft() {
		assertAllAreServedAndNothingIsLeft();
	}

	@Test
	void waitingReadersShareLeaseOfWriterAndNextWriterFollows() {
		LockHandle writer = write();
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 5);
		CompletableFuture<LockHandle> next = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> last = this.firstInstance.ask(READ);
		this.store.commands.clear();
		writer.close();
		assertThat(readers).allMatch(CompletableFuture::isDone);
		assertThat(this.firstInstance.engine.localLocks().list())
			.filteredOn((lock) -> lock.status() == LockSnapshot.Status.HELD)
			.hasSize(5)
			.allMatch((held) -> held.mode() == LockSnapshot.Mode.READ);
		long token = readers.get(0).join().fencingToken();
		assertThat(readers).extracting((reader) -> reader.join().fencingToken()).containsOnly(token);
		assertThat(token).isGreaterThan(writer.fencingToken());
		closeAll(readers.subList(0, 4));
		assertThat(next).isNotDone();
		readers.get(4).join().close();
		assertThat(next.join().fencingToken()).isGreaterThan(token);
		assertThat(this.firstInstance.ask(READ_ONCE)).isCompletedExceptionally();
		assertThat(last).isNotDone();
		next.join().close();
		assertThat(last.join().fencingToken()).isGreaterThan(next.join().fencingToken());
		assertThat(this.store.commands).as("commands sent for hand-offs").isEmpty();
		last.join().close();
		assertThat(this.store.commands).hasSize(1).hasOnlyElementsOfType(ReleaseCommand.class);
	}

	@Test
	void atMostSixteenReadersPassWaitingReaderOfOtherInstance() {
		LockHandle writer = write();
		CompletableFuture<LockHandle> elsewhere = this.secondInstance.ask(READ);
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 20);
		writer.close();
		assertThat(readers.stream().filter(CompletableFuture::isDone))
			.as("readers that passed the waiting reader of the other instance")
			.hasSize(16);
		assertThat(elsewhere).isNotDone();
		closeAll(readers.subList(0, 16));
		assertThat(elsewhere).isCompleted();
		// As neighbours in the queue.
		assertThat(readers).allMatch(CompletableFuture::isDone);
	}

	@Test
	void newReaderJoinsReadersUnlessWriterWaits() {
		LockHandle writer = write();
		CompletableFuture<LockHandle> first = this.firstInstance.ask(READ);
		writer.close();
		assertThat(this.firstInstance.ask(READ_ONCE).join().fencingToken()).isEqualTo(first.join().fencingToken());
		assertThat(this.firstInstance.ask(ONCE)).isCompletedExceptionally();
		assertThat(this.secondInstance.ask(READ_ONCE)).isCompletedExceptionally();
		CompletableFuture<LockHandle> waiting = this.firstInstance.ask(FOREVER);
		CompletableFuture<LockHandle> third = this.firstInstance.ask(READ);
		assertThat(this.firstInstance.ask(READ_ONCE)).isCompletedExceptionally();
		assertThat(third).isNotDone();
		waiting.cancel(false);
		assertThat(third).isCompleted();
	}

	@Test
	void laterReaderWaitsForFirstReaderWhenConfirmationFails() {
		CompletableFuture<LockHandle> first = readAWhileAgo();
		this.store.down = true;
		CompletableFuture<LockHandle> later = this.firstInstance.ask(READ);
		CompletableFuture<LockHandle> once = this.firstInstance.ask(READ_ONCE);
		this.store.down = false;
		assertThat(first.join().isHeld()).as("'first.join' is held").isTrue();
		assertThat(later).isNotDone();
		assertThat(once).isCompletedExceptionally();
		first.join().close();
		this.firstInstance.pass(Duration.ofSeconds(1));
		assertThat(later).isCompleted();
	}

	@Test
	void waitingReaderJoinsReadersWhenStoreRecovers() {
		CompletableFuture<LockHandle> first = readAWhileAgo();
		this.store.down = true;
		CompletableFuture<LockHandle> later = this.firstInstance.ask(READ);
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(later).isNotDone();
		this.store.down = false;
		passUntil(() -> this.firstInstance.events.count("recovered") == 1);
		assertThat(later.join().fencingToken()).isEqualTo(first.join().fencingToken());
	}

	/* Acquired longer ago than a confirmation is valid. */
	private CompletableFuture<LockHandle> readAWhileAgo() {
		LockHandle writer = write();
		CompletableFuture<LockHandle> reader = this.firstInstance.ask(READ);
		writer.close();
		this.ticker.advance(Duration.ofSeconds(1));
		return reader;
	}

	@Test
	void readerWithLongerLeaseIsServedByHandOffAfterFirstReader() {
		LockHandle writer = write();
		CompletableFuture<LockHandle> reader = this.firstInstance.ask(READ);
		CompletableFuture<LockHandle> longer = this.firstInstance
			.ask(READ.withLease(Lease.renewed(Duration.ofSeconds(60))));
		CompletableFuture<LockHandle> next = this.firstInstance.ask(FOREVER);
		writer.close();
		assertThat(longer).isNotDone();
		this.store.commands.clear();
		reader.join().close();
		assertThat(longer.join().remaining()).isGreaterThan(Duration.ofSeconds(40));
		longer.join().close();
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
		assertThat(this.store.commands).hasSize(2).hasOnlyElementsOfType(RenewCommand.class);
	}

	@Test
	void readerWithoutWaitTimeSharesIdleLeaseWithWaitingReader() {
		TestEngine lingering = engine(LINGERING);
		lingering.ask(FOREVER).join().close();
		this.ticker.advance(Duration.ofSeconds(1));
		this.store.hold = true;
		CompletableFuture<LockHandle> first = lingering.ask(READ);
		CompletableFuture<LockHandle> once = lingering.ask(READ_ONCE);
		CompletableFuture<LockHandle> writer = lingering.ask(ONCE);
		this.store.deliver();
		assertThat(first).isCompleted();
		assertThat(once.join().fencingToken()).isEqualTo(first.join().fencingToken());
		assertThat(writer).isCompletedExceptionally();
		closeAll(List.of(first, once));
		assertThat(this.secondInstance.engine.find(KEY)).isEmpty();
	}

	@Test
	void exceptionOfRejectedWriterContainsRemainingTimeOfReader() throws Exception {
		LockHandle writer = write();
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance, READ, 2);
		writer.close();
		readers.get(1).join().close();
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.firstInstance.engine.acquire(ONCE))
			.satisfies((ex) -> assertThat(ex.getRemaining()).isEqualTo(readers.get(0).join().remaining()));
	}

	@Test
	void upgradeFailsForReaderThatJoinedReadersAfterWriter() throws Exception {
		LockHandle writer = write();
		CompletableFuture<LockHandle> behind = this.firstInstance.ask(READ);
		writer.close();
		assertThat(behind).isCompleted();
		try (LockHandle reading = this.firstInstance.engine.acquire(READ)) {
			assertThat(reading.fencingToken()).isEqualTo(behind.join().fencingToken());
			assertThatExceptionOfType(LockUpgradeException.class)
				.isThrownBy(() -> this.firstInstance.engine.acquire(FOREVER));
		}
	}

	@Test
	void nextWriterIsServedOnlyAfterStopMarginOfLostReader() {
		LockHandle writer = write();
		CompletableFuture<LockHandle> limited = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(20)));
		CompletableFuture<LockHandle> other = this.firstInstance.ask(READ);
		CompletableFuture<LockHandle> next = this.firstInstance.ask(FOREVER);
		writer.close();
		TestEngine.pass(Duration.ofSeconds(21), this.firstInstance, this.secondInstance);
		assertThat(limited.join().loss()).map(LockLoss::reason).contains(LockLoss.Reason.MAX_HOLD);
		assertThat(other.join().isHeld()).as("'other.join' is held").isTrue();
		other.join().close();
		// One of the five seconds of the stop margin has already passed.
		assertServedAfter(next, Duration.ofSeconds(3), Duration.ofSeconds(2));
		limited.join().close();
		this.firstInstance.pass(Duration.ofSeconds(1));
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
		assertThat(this.secondInstance.ask(READ_ONCE)).isCompletedExceptionally();
	}

	@Test
	void lateCloseOfLostReaderDoesNotEndLeaseOfNextWriter() {
		LockHandle writer = write();
		CompletableFuture<LockHandle> limited = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(20)));
		CompletableFuture<LockHandle> other = this.firstInstance.ask(READ);
		writer.close();
		TestEngine.pass(Duration.ofSeconds(30), this.firstInstance, this.secondInstance);
		CompletableFuture<LockHandle> next = this.firstInstance.ask(FOREVER);
		other.join().close();
		TestEngine.pass(Duration.ofSeconds(1), this.firstInstance, this.secondInstance);
		assertThat(next).isCompleted();
		limited.join().close();
		TestEngine.pass(Duration.ofSeconds(1), this.firstInstance, this.secondInstance);
		assertThat(this.secondInstance.ask(READ_ONCE)).isCompletedExceptionally();
	}

	@Test
	void longerLeaseOfOneReaderExtendsAllReadersAndIsReleasedWithThem() throws Exception {
		LockHandle writer = write();
		CompletableFuture<LockHandle> other = this.firstInstance.ask(READ);
		writer.close();
		try (LockHandle first = this.firstInstance.engine.acquire(READ);
				LockHandle again = this.firstInstance.engine
					.acquire(READ.withLease(Lease.renewed(Duration.ofSeconds(60))))) {
			assertThat(again.remaining()).isGreaterThan(Duration.ofSeconds(40));
			assertThat(other.join().remaining()).isEqualTo(again.remaining());
			assertThat(first.isHeld()).as("'first' is held").isTrue();
		}
		CompletableFuture<LockHandle> next = this.firstInstance.ask(FOREVER);
		this.store.commands.clear();
		other.join().close();
		assertThat(this.store.sent(ReleaseCommand.class)).hasSize(1);
		assertThat(next.join().isHeld()).as("'next.join' is held").isTrue();
	}

	@Test
	void readersWithFixedLeaseAreServedOneAfterAnother() {
		LockHandle writer = write();
		List<CompletableFuture<LockHandle>> readers = ask(this.firstInstance,
				READ.withLease(Lease.fixed(Duration.ofSeconds(20))), 2);
		writer.close();
		assertThat(readers.get(0)).isCompleted();
		assertThat(readers.get(1)).isNotDone();
		readers.get(0).join().close();
		assertThat(readers.get(1).join().fencingToken()).isGreaterThan(readers.get(0).join().fencingToken());
	}

	/* Acquired with a block of tokens, as if several callers wait. */
	private LockHandle write() {
		LockHandle writer = this.firstInstance.ask(FOREVER).join();
		CompletableFuture<LockHandle> second = this.firstInstance.ask(FOREVER);
		writer.close();
		return second.join();
	}

}
