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
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.OnLoss;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for customizers that complete requests before they are processed.
 */
class CompletedRequestsTests extends RunningEngine {

	private static final LockRequest REQUEST = LockRequest.of("orders");

	private static final Lease LEASE = Lease.fixed(Duration.ofSeconds(7));

	@BeforeEach
	void complete() {
		this.engine.customizations().completeRequests((request) -> request.withLease(LEASE).withOnLoss(OnLoss.FAIL));
	}

	@Test
	void customizerCompletesRequestOfEachAcquireMethod() throws Exception {
		assertCompleted(this.engine.acquire(REQUEST));
		assertCompleted(this.engine.tryAcquire(REQUEST).orElseThrow());
		assertCompleted(this.engine.acquireAsync(REQUEST).join());
		assertCompleted(this.engine.acquireAll(List.of(REQUEST)));
		Lock view = this.engine.asLock(REQUEST);
		assertThat(view.tryLock()).isTrue();
		assertCompleted(view::unlock);
	}

	@Test
	void executeUsesCompletedRequestAndFailsOnLoss() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.engine.execute(REQUEST, (handle) -> {
			assertCompleted(() -> {
			});
			return this.engine.forceRelease(REQUEST.key());
		}));
	}

	@Test
	void asynchronousRequestFailsThroughFutureWhenCompletionIsInvalid() {
		assertThat(this.engine.acquireAsync(REQUEST.withMinHoldTime(Duration.ofSeconds(8)))).isCompletedExceptionally();
	}

	private void assertCompleted(AutoCloseable lock) throws Exception {
		assertThat(this.engine.localLocks().list()).extracting(LockSnapshot::lease).containsExactly(LEASE);
		lock.close();
	}

}
