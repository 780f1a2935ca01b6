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

package io.github.watchdoglock.interceptor.reactive;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import io.github.watchdoglock.support.FakeLockService;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReactiveLocks} and {@link SharedHandle}.
 */
class ReactiveLocksTests {

	private static final LockRequest REQUEST = LockRequest.of(LockKey.of("a")).withOnLoss(OnLoss.FAIL);

	private static final RequestedLock WANTED = new RequestedLock(REQUEST, Contention.FAIL);

	private final FakeLockService service = new FakeLockService();

	private final ReactiveLocks locks = new ReactiveLocks();

	private final CompletableFuture<LockHandle> answer = new CompletableFuture<>();

	@Test
	void failedAcquisitionReportsCauseWithoutCompletionException() {
		IllegalStateException cause = new IllegalStateException();
		assertThat(this.locks.expect(WANTED, CompletableFuture.failedFuture(new CompletionException(cause))))
			.isCompletedWithValue(Optional.of(cause));
		assertThat(this.locks.expect(WANTED, CompletableFuture.failedFuture(cause)))
			.isCompletedWithValue(Optional.of(cause));
		IllegalStateException caused = new IllegalStateException(new IllegalArgumentException());
		assertThat(this.locks.expect(WANTED, CompletableFuture.failedFuture(caused)))
			.isCompletedWithValue(Optional.of(caused));
	}

	@Test
	void acquisitionAfterCloseIsCancelledAndGrantedHandleReleased() {
		var unused = this.locks.close();
		var unusedToo = this.locks.expect(WANTED, this.answer);
		assertThat(this.answer).isCancelled();
		var unusedEither = this.locks.expect(WANTED, CompletableFuture.completedFuture(this.service.grant(REQUEST)));
		assertThat(this.service.events).containsExactly("lock", "unlock");
		assertThat(this.locks.within(Map.of())).isEmpty();
	}

	@Test
	void sharedHandleIsClosedByLastUserAndRejectsLaterUsers() {
		SharedHandle shared = new SharedHandle(WANTED, this.service.grant(REQUEST));
		assertThat(shared.join()).isTrue();
		assertThat(shared.leave()).isCompleted();
		assertThat(this.service.events).containsExactly("lock");
		assertThat(shared.leave()).isCompleted();
		assertThat(this.service.events).containsExactly("lock", "unlock");
		assertThat(shared.join()).isFalse();
		assertThat(shared.join()).isFalse();
	}

}
