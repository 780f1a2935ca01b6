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

package io.github.watchdoglock.annotated;

import java.time.Duration;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The attributes {@code leaseTime} and {@code renewal}, which say together whether the
 * watchdog renews a lock.
 */
class LeaseAttributesTests {

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class, "watchdog-lock.lease-time=600ms");

	private final Work work = application.bean(Work.class);

	@Test
	void leaseOfThePropertyIsRenewedAndAGivenOneIsNot() {
		assertThat(this.work.silent()).isEqualTo(Lease.renewed(Duration.ofMillis(600)));
		assertThat(this.work.minusOne()).isEqualTo(Lease.renewed(Duration.ofMillis(600)));
		assertThat(this.work.given()).isEqualTo(Lease.fixed(Duration.ofMillis(300)));
	}

	@Test
	void renewalOverridesThatRule() {
		assertThat(this.work.givenRenewed()).isEqualTo(Lease.renewed(Duration.ofMillis(300)));
		assertThat(this.work.notRenewed()).isEqualTo(Lease.fixed(Duration.ofMillis(600)));
	}

	@Test
	void fixedLeaseThatEndsUnderItsMethodIsALoss() {
		assertThat(this.work.tooLong()).isEqualTo(LockLoss.Reason.EXPIRED);
	}

	@Test
	void renewedLeaseLastsAsLongAsTheMethod() {
		assertThat(this.work.renewed()).isTrue();
	}

	static class Work {

		private final LocalLocks locks;

		Work(LocalLocks locks) {
			this.locks = locks;
		}

		@DistributedLock
		Lease silent() {
			return lease();
		}

		@DistributedLock(leaseTime = "-1")
		Lease minusOne() {
			return lease();
		}

		@DistributedLock(leaseTime = "300ms")
		Lease given() {
			return lease();
		}

		@DistributedLock(leaseTime = "300ms", renewal = Renewal.ON)
		Lease givenRenewed() {
			return lease();
		}

		@DistributedLock(renewal = Renewal.OFF)
		Lease notRenewed() {
			return lease();
		}

		@DistributedLock(leaseTime = "300ms")
		LockLoss.Reason tooLong() {
			return this.locks.current().get(0).whenLost().toCompletableFuture().join().reason();
		}

		@DistributedLock(leaseTime = "300ms", renewal = Renewal.ON)
		boolean renewed() {
			await().until(() -> this.locks.list().get(0).elapsed().compareTo(Duration.ofMillis(700)) > 0);
			return this.locks.current().get(0).isHeld();
		}

		private Lease lease() {
			return this.locks.list().get(0).lease();
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
