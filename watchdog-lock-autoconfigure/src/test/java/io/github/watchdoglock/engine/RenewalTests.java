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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who is renewed, when, and who is no longer.
 */
@SuppressWarnings("FutureReturnValueIgnored")
class RenewalTests {

	private final ManualTicker ticker = new ManualTicker();

	private final InMemoryLeaseStore memory = new InMemoryLeaseStore(this.ticker, InstantSource.system());

	private final ScriptedStore store = new ScriptedStore(this.memory);

	private final TestEngine test = new TestEngine(this.ticker, this.store, this.memory, this.memory);

	@Test
	void aRenewedLeaseIsRenewedOncePerPeriodForAsLongAsItIsHeld() {
		LockHandle handle = this.test.ask(LockRequest.of("orders")).join();
		this.test.pass(Duration.ofMinutes(10));
		assertThat(handle.isHeld()).isTrue();
		// A period is a third of 30 s, give or take a tenth.
		assertThat(this.store.count(RenewCommand.class)).isBetween(54L, 67L);
		assertThat(this.test.events.count("renewed")).isEqualTo(this.store.count(RenewCommand.class));
	}

	@Test
	void aFixedLeaseIsNotRenewed() {
		LockHandle handle = this.test.ask(LockRequest.of("orders").withLease(Lease.fixed(Duration.ofSeconds(5))))
			.join();
		this.test.pass(Duration.ofMillis(4_900));
		assertThat(handle.isHeld()).isTrue();
		this.test.pass(Duration.ofMillis(100));
		assertThat(handle.isHeld()).isFalse();
		assertThat(this.store.count(RenewCommand.class)).isZero();
		assertThat(this.test.events.heard).contains("lost: EXPIRED");
	}

	@Test
	void manyCyclesLeaveOneRenewalPerPeriodAndOneAlarm() {
		for (int i = 0; i < 20_000; i++) {
			this.test.ask(LockRequest.of("orders")).join().close();
		}
		assertThat(this.test.pendingAlarms()).isZero();
		assertThat(this.test.cohorts()).isZero();
		this.test.ask(LockRequest.of("orders")).join();
		assertThat(this.test.pendingAlarms()).isOne();
		this.test.pass(Duration.ofSeconds(100));
		assertThat(this.store.count(RenewCommand.class)).isBetween(9L, 12L);
	}

	@Test
	void renewalsOfHoldsMadeTogetherAreSpreadOverThePeriod() {
		for (int i = 0; i < 1_000; i++) {
			this.test.ask(LockRequest.of("orders", "" + i));
		}
		List<Long> perHalfSecond = new ArrayList<>();
		long before = 0;
		this.test.pass(Duration.ofSeconds(5));
		for (int i = 0; i < 10; i++) {
			this.test.pass(Duration.ofMillis(500));
			long renewed = this.store.count(RenewCommand.class);
			perHalfSecond.add(renewed - before);
			before = renewed;
		}
		assertThat(perHalfSecond).allSatisfy((count) -> assertThat(count).isBetween(50L, 160L));
	}

	@Test
	void renewalStopsWithTheClose() {
		this.test.ask(LockRequest.of("orders")).join().close();
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.count(RenewCommand.class)).isZero();
	}

	@Test
	void renewalStopsWhenTheReleaseFails() {
		LockHandle handle = this.test.ask(LockRequest.of("orders")).join();
		this.store.down = true;
		handle.close();
		this.store.down = false;
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.count(RenewCommand.class)).isZero();
		assertThat(this.test.events.heard).contains("release failed: LockStoreException");
		assertThat(this.test.engine.find(handle.key())).isEmpty();
	}

	@Test
	void renewalStopsWithTheLoss() {
		this.test.ask(LockRequest.of("orders"));
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(30));
		long sent = this.store.count(RenewCommand.class);
		this.test.pass(Duration.ofMinutes(1));
		assertThat(this.store.count(RenewCommand.class)).isEqualTo(sent).isPositive();
		assertThat(this.test.pendingAlarms()).isZero();
	}

	@Test
	void aFailedRenewalIsTriedAgainWithinTheLease() {
		LockHandle handle = this.test.ask(LockRequest.of("orders")).join();
		this.store.down = true;
		this.test.pass(Duration.ofSeconds(18));
		assertThat(handle.isHeld()).isTrue();
		this.store.down = false;
		this.test.pass(Duration.ofMinutes(1));
		assertThat(handle.isHeld()).isTrue();
		assertThat(this.test.events.count("at risk")).isOne();
		assertThat(this.test.events.count("recovered")).isOne();
		assertThat(this.test.events.count("renewal failed")).isBetween(5L, 200L);
	}

	@Test
	void aStoreThatThrowsCostsNobodyElseItsRenewal() {
		LeaseStore throwing = new LeaseStore() {

			@Override
			public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
				return RenewalTests.this.memory.acquire(command);
			}

			@Override
			public List<CompletionStage<RenewAnswer>> renew(List<RenewCommand> commands) {
				throw new LinkageError("broken");
			}

			@Override
			public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
				return RenewalTests.this.memory.release(command);
			}

		};
		TestEngine broken = new TestEngine(this.ticker, throwing, this.memory, this.memory);
		LockHandle handle = broken.ask(LockRequest.of("orders")).join();
		broken.pass(Duration.ofSeconds(20));
		assertThat(broken.events.count("renewal failed")).isGreaterThan(2);
		assertThat(handle.isHeld()).isTrue();
		broken.pass(Duration.ofSeconds(10));
		assertThat(broken.events.count("lost: EXPIRED")).isOne();
	}

}
