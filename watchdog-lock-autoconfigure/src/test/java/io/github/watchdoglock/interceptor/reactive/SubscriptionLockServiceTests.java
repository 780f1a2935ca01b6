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

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SubscriptionLockService}.
 */
class SubscriptionLockServiceTests {

	private static final LockRequest REQUEST = LockRequest.of(LockKey.of("a"));

	private final FakeLockService service = new FakeLockService();

	private final SubscriptionLockService locks = on(this.service);

	@Test
	void withLockRunsPublisherBetweenLockAndUnlock() {
		assertThat(this.locks.withLock(REQUEST, Mono.fromSupplier(() -> List.copyOf(this.service.trail))).block())
			.containsExactly("lock a");
		assertThat(this.locks.withLock(REQUEST, Flux.just(1, 2)).collectList().block()).containsExactly(1, 2);
		assertThat(this.service.trail).containsExactly("lock a", "unlock a", "lock a", "unlock a");
		assertThat(this.service.requests).extracting(LockRequest::onLoss).containsExactly(OnLoss.FAIL, OnLoss.FAIL);
	}

	@Test
	void withLockFailsWhenLockIsBusyOrLost() {
		this.service.busy = true;
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.locks.withLock(REQUEST, Mono.just("run")).block());
		this.service.busy = false;
		Mono<String> losing = Mono.fromSupplier(() -> {
			this.service.lose(REQUEST.key());
			return "run";
		});
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.withLock(REQUEST, losing).block());
	}

	@Test
	void nestedLockIsReenteredOnlyOnSameUnderlyingService() {
		FakeLockService elsewhere = new FakeLockService();
		Mono<String> nested = this.locks.withLock(REQUEST, on(elsewhere).withLock(REQUEST, Mono.just("within")));
		assertThat(nested.block()).isEqualTo("within");
		assertThat(elsewhere.trail).containsExactly("lock a", "unlock a");
		assertThat(on(this.service).withLock(REQUEST, this.locks.withLock(REQUEST, Mono.just("again"))).block())
			.isEqualTo("again");
		assertThat(this.service.trail).containsExactly("lock a", "unlock a", "lock a", "strengthen a", "unlock a");
	}

	@Test
	void nullAnswerOfLockServiceIsReportedWithKey() {
		LockService mock = mock(LockService.class);
		given(mock.acquireAsync(any())).willReturn(CompletableFuture.completedFuture(null));
		assertThatIllegalStateException()
			.isThrownBy(() -> on(mock).withLock(REQUEST, Mono.just("run")).block(InterceptorFixture.SOON))
			.withMessageContaining("LockService returned null for lock 'a'");
	}

	private static SubscriptionLockService on(LockService service) {
		return new SubscriptionLockService(service, Instrumentation.NONE, (request) -> request.withOnLoss(OnLoss.FAIL));
	}

}
