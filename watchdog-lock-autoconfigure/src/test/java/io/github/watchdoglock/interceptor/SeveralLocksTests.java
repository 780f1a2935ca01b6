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

package io.github.watchdoglock.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for methods with several locks.
 */
class SeveralLocksTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final FakeLockService service = this.fixture.service;

	private final Transfers transfers = this.fixture.proxy(new Transfers());

	@Test
	void elementsOfKeyAreLockedInOrderAndReleasedInReverse() {
		assertThat(this.transfers.between(List.of("b", "a", "c", "a"))).contains("done");
		assertThat(this.service.trail).containsExactly("lock accounts:a", "lock accounts:b", "lock accounts:c",
				"unlock accounts:c", "unlock accounts:b", "unlock accounts:a");
	}

	@Test
	void repeatedAnnotationsAcquireLocksInOrderOfNameAndId() {
		this.transfers.repeated("7");
		assertThat(this.service.trail).containsExactly("lock a:7", "lock b", "lock b:7", "unlock b:7", "unlock b",
				"unlock a:7");
	}

	@Test
	void eachAnnotationHasItsOwnCondition() {
		this.transfers.conditional(true);
		this.transfers.conditional(false);
		assertThat(this.service.trail).containsExactly("lock a", "lock b", "unlock b", "unlock a", "lock b",
				"unlock b");
	}

	@Test
	void eachAnnotationHasItsOwnLeaseAndPolicies() {
		this.transfers.repeated("7");
		assertThat(this.service.requests).extracting(LockRequest::lease)
			.containsExactly(Lease.fixed(Duration.ofSeconds(5)), Lease.renewed(Duration.ofSeconds(30)),
					Lease.renewed(Duration.ofSeconds(30)));
		assertThat(this.service.requests).extracting(LockRequest::onLoss)
			.containsExactly(OnLoss.REPORT, OnLoss.FAIL, OnLoss.REPORT);
	}

	@Test
	void waitTimeIsSharedByAllLocksOfCall() {
		this.service.delay = Duration.ofMillis(100);
		this.transfers.between(List.of("a", "b", "c"));
		List<Duration> waits = this.service.requests.stream().map(LockRequest::waitTime).toList();
		assertThat(waits.get(0)).hasMillis(300);
		assertThat(waits.get(1)).isBetween(Duration.ZERO, Duration.ofMillis(200));
		assertThat(waits.get(2)).isBetween(Duration.ZERO, Duration.ofMillis(100));
	}

	@Test
	void indefiniteWaitAndZeroWaitAreNotReducedByEarlierLocks() {
		this.service.delay = Duration.ofMillis(2);
		this.transfers.repeated("7");
		assertThat(this.service.requests).extracting(LockRequest::waitTime)
			.containsExactly(Duration.ofMillis(-1), Duration.ZERO, Duration.ZERO);
	}

	@Test
	void acquiredLocksAreReleasedIfAnotherLockIsBusy() {
		this.service.taken.add(LockKey.of("accounts", "b"));
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.transfers.between(List.of("c", "b", "a")))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(LockKey.of("accounts", "b")));
		assertThat(this.service.trail).containsExactly("lock accounts:a", "unlock accounts:a");
	}

	@Test
	void locksAreReleasedWhenALaterOneFailsWithAnError() {
		this.service.failFrom = 2;
		this.service.error = new OutOfMemoryError("on purpose");
		assertThatExceptionOfType(OutOfMemoryError.class)
			.isThrownBy(() -> this.transfers.between(List.of("c", "b", "a")));
		assertThat(this.service.trail).containsExactly("lock accounts:a", "lock accounts:b", "unlock accounts:b",
				"unlock accounts:a");
	}

	@Test
	void firstBusyLockDecidesByItsOwnOnContention() {
		this.service.taken.add(LockKey.of("skips"));
		assertThat(this.transfers.policies()).isEmpty();
		this.service.taken.add(LockKey.of("fails"));
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.transfers::policies);
	}

	@Test
	void acquiredLocksAreReleasedAfterStoreFailureOrInterrupt() {
		this.service.failFrom = 2;
		this.service.failure = new LockStoreException("down", null);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.transfers.between(List.of("a", "b", "c")));
		this.service.failure = null;
		this.service.failFrom = 5;
		this.service.interrupted = true;
		assertThatExceptionOfType(LockInterruptedException.class)
			.isThrownBy(() -> this.transfers.between(List.of("a", "b", "c")));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.service.trail).containsExactly("lock accounts:a", "lock accounts:b", "unlock accounts:b",
				"unlock accounts:a", "lock accounts:a", "lock accounts:b", "unlock accounts:b", "unlock accounts:a");
	}

	@Test
	void readAndWriteLockOfSameKeyAreAcquiredAsOneWriteLock() {
		this.transfers.copy("a", "b");
		assertThat(this.service.trail).containsExactly("lock catalog:a", "lock catalog:b", "unlock catalog:b",
				"unlock catalog:a");
		assertThat(this.service.requests).extracting(LockRequest::mode).containsExactly(LockMode.READ, LockMode.WRITE);
		this.service.trail.clear();
		this.service.requests.clear();
		this.transfers.copy("a", "a");
		assertThat(this.service.trail).containsExactly("lock catalog:a", "unlock catalog:a");
		assertThat(this.service.requests).extracting(LockRequest::mode, LockRequest::waitTime, LockRequest::onLoss)
			.containsExactly(tuple(LockMode.WRITE, Duration.ZERO, OnLoss.FAIL));
	}

	@Test
	void keyWithAndWithoutPermitsIsRejectedBeforeAcquisition() {
		this.transfers.counted("a", "b");
		assertThat(this.service.requests).extracting(LockRequest::permits).containsExactly(null, 5);
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> this.transfers.counted("a", "a"))
			.withMessageContaining("counted(String, String): it requests lock 'export:a' with 'permits' and without");
		assertThat(this.service.requests).hasSize(2);
	}

	@Test
	void lossOfAnyLockWithOnLossFailIsThrown() {
		this.service.lossAtClose = LockLoss.Reason.GONE;
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.transfers.repeated("7"))
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(LockKey.of("b")));
	}

	public static class Transfers {

		@DistributedLock(name = "accounts", key = "#accounts", waitTime = "300ms")
		public Optional<String> between(List<String> accounts) {
			return Optional.of("done");
		}

		@DistributedLock(name = "b", key = "#id", waitTime = "0s")
		@DistributedLock(name = "b", onLoss = OnLoss.FAIL, waitTime = "0s")
		@DistributedLock(name = "a", key = "#id", leaseTime = "5s", waitTime = "-1")
		public void repeated(String id) {
		}

		@DistributedLock("b")
		@DistributedLock(name = "a", condition = "#needed")
		public void conditional(boolean needed) {
		}

		@DistributedLock(name = "catalog", key = "#from", mode = LockMode.READ)
		@DistributedLock(name = "catalog", key = "#to", waitTime = "0s", onLoss = OnLoss.FAIL)
		public void copy(String from, String to) {
		}

		@DistributedLock(name = "export", key = "#alone")
		@DistributedLock(name = "export", key = "#counted", permits = 5)
		public void counted(String alone, String counted) {
		}

		@DistributedLock(name = "skips", onContention = OnContention.SKIP)
		@DistributedLock("fails")
		public Optional<String> policies() {
			return Optional.of("run");
		}

	}

}
