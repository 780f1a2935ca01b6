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
import io.github.watchdoglock.LockException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.ReleaseCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for readers that share a lease: their notifications about each other, about the
 * store and about time limits.
 */
class ReadersEndTests extends TwoInstances {

	@AfterEach
	void nothingIsLeft() {
		assertAllAreServedAndNothingIsLeft();
	}

	@Test
	void maximumHoldTimeOfJoiningReaderEndsThatHoldOnTime() {
		LockHandle first = read();
		LockHandle limited = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(2))).join();
		this.firstInstance.pass(Duration.ofSeconds(2).minus(TestEngine.TICK));
		assertThat(this.firstInstance.events.count("lost: MAX_HOLD")).isZero();
		this.firstInstance.pass(TestEngine.TICK.multipliedBy(2));
		assertThat(this.firstInstance.events.count("lost: MAX_HOLD")).isOne();
		assertThat(first.isHeld()).as("'first' is held").isTrue();
		limited.close();
		first.close();
		this.firstInstance.pass(Duration.ofSeconds(1));
	}

	@Test
	void closeOfLostReaderSendsNoReleaseAfterTaskOfKeyFailed() {
		Handle other = (Handle) read();
		LockHandle limited = this.firstInstance.ask(READ.withMaxHoldTime(Duration.ofSeconds(2))).join();
		this.firstInstance.pass(Duration.ofSeconds(2).plus(TestEngine.TICK));
		assertThat(limited.isHeld()).as("'limited' is held").isFalse();
		other.hold().lease.lock.tasks().fail(new OutOfMemoryError("on purpose"));
		assertThat(other.loss()).map(LockLoss::reason).contains(LockLoss.Reason.FAILED);
		// As if the end of another lease had failed and is repeated.
		other.hold().lease.abort();
		limited.close();
		other.close();
		assertThat(this.store.count(ReleaseCommand.class)).isZero();
		this.firstInstance.assertNoKeyInUse();
		this.ticker.advance(Duration.ofSeconds(30));
	}

	@Test
	void longHoldIsReportedForEachReader() {
		ask(this.firstInstance, READ, 3);
		this.firstInstance.pass(Duration.ofSeconds(299));
		assertThat(this.firstInstance.events.count("long hold")).isZero();
		this.firstInstance.pass(Duration.ofSeconds(2));
		assertThat(this.firstInstance.events.count("long hold")).isEqualTo(3);
	}

	@Test
	void newReaderDoesNotPassWriterThatRenewalHasReported() {
		TestEngine deaf = deaf(SETTINGS);
		LockHandle first = deaf.ask(READ).join();
		CompletableFuture<LockHandle> writer = this.secondInstance.ask(FOREVER);
		TestEngine.pass(Duration.ofSeconds(11), deaf, this.secondInstance);
		CompletableFuture<LockHandle> late = deaf.ask(READ);
		assertThat(late).isNotDone();
		first.close();
		TestEngine.pass(Duration.ofSeconds(1), deaf, this.secondInstance);
		writer.join().close();
		TestEngine.pass(Duration.ofSeconds(2), deaf, this.secondInstance);
		late.join().close();
	}

	@Test
	void newReaderEndsExpiredHoldsOfReadersBeforeWatchdogTurn() {
		List<LockHandle> readers = List.of(read(), read());
		this.ticker.advance(Duration.ofSeconds(26));
		CompletableFuture<LockHandle> next = this.firstInstance.ask(READ);
		assertThat(this.firstInstance.events.count("lost: EXPIRED")).isEqualTo(2);
		assertThat(next.join().fencingToken()).isGreaterThan(readers.get(0).fencingToken());
		next.join().close();
		readers.forEach(LockHandle::close);
		this.firstInstance.pass(Duration.ofSeconds(1));
	}

	@Test
	void closeOfExpiredReaderReportsLossOfAllReaders() {
		List<LockHandle> readers = List.of(read(), read());
		this.ticker.advance(Duration.ofSeconds(26));
		readers.get(0).close();
		assertThat(this.firstInstance.events.count("lost: EXPIRED")).isEqualTo(2);
		readers.get(1).close();
		this.firstInstance.pass(Duration.ofSeconds(1));
	}

	@Test
	void allReadersAreLostWhenExtensionFindsLeaseGone() throws Exception {
		LockHandle other = read();
		try (LockHandle mine = this.firstInstance.engine.acquire(READ)) {
			StoreFaults.forget(this.memory, KEY);
			LockRequest stronger = READ.withLease(Lease.renewed(Duration.ofSeconds(60)));
			assertThatExceptionOfType(LockException.class)
				.isThrownBy(() -> this.firstInstance.engine.acquire(stronger));
			assertThat(mine.isHeld()).as("'mine' is held").isFalse();
		}
		assertThat(other.isHeld()).as("'other' is held").isFalse();
		assertThat(this.firstInstance.events.count("lost: GONE")).isEqualTo(2);
	}

	private LockHandle read() {
		return this.firstInstance.ask(READ).join();
	}

}
