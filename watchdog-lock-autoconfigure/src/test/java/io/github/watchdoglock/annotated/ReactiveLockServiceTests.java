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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.ReactiveLockService;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for reactive work that code puts under a lock, alone and together with annotated
 * methods.
 */
@ExtendWith(DroppedErrors.class)
class ReactiveLockServiceTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final LockKey KEY = LockKey.of("reactive");

	private static final LockRequest REQUEST = LockRequest.of(KEY);

	@RegisterExtension
	static final LockedApplication application = new LockedApplication(Work.class,
			"watchdog-lock.locks.strict.on-loss=fail", "watchdog-lock.locks.brief.lease-time=20s");

	private final ReactiveLockService locks = application.bean(ReactiveLockService.class);

	private final Work work = application.bean(Work.class);

	private final Sinks.One<String> source = Sinks.one();

	@AfterEach
	void end() {
		this.source.tryEmitEmpty();
		application.awaitAllFree();
	}

	@Test
	void cancelWhileWaitingEndsTheAttempt() {
		LockRequest patient = REQUEST.withWaitTime(Duration.ofSeconds(20));
		AtomicInteger subscriptions = new AtomicInteger();
		try (LockHandle elsewhere = application.holdElsewhere("reactive")) {
			Disposable subscription = this.locks.withLock(patient, Mono.fromRunnable(subscriptions::incrementAndGet))
				.subscribe();
			await().until(() -> held().size() == 1);
			subscription.dispose();
			await().until(() -> held().isEmpty());
			assertThat(elsewhere.isHeld()).isTrue();
		}
		assertThat(subscriptions).hasValue(0);
	}

	@Test
	void heldKeyAndUnsupportedRequestAreErrorSignals() {
		try (LockHandle elsewhere = application.holdElsewhere("reactive")) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.locks.withLock(REQUEST, Mono.just("run")).block(SOON))
				.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(KEY));
			assertThat(elsewhere.isHeld()).isTrue();
		}
		Mono<String> refused = this.locks.withLock(REQUEST.withReleaseAfterTransaction(), Mono.just("run"));
		assertThatIllegalArgumentException().isThrownBy(() -> refused.block(SOON))
			.withMessageContaining("cannot be released after a transaction");
	}

	@Test
	void fixedLeaseIsRenewedDuringReentryWithDefaultLease() {
		Mono<Boolean> renewed = Mono.fromSupplier(() -> held().get(0).lease().renewed());
		LockRequest brief = REQUEST.withLease(Lease.fixed(Duration.ofSeconds(5)));
		assertThat(this.locks.withLock(brief, renewed).block(SOON)).isFalse();
		assertThat(this.locks.withLock(brief, this.locks.withLock(REQUEST, renewed)).block(SOON)).isTrue();
		assertThat(this.locks.withLock(brief, this.locks.withLock(brief, renewed)).block(SOON)).isFalse();
	}

	@Test
	void workReentersLockInCodeAndByAnnotationInEitherOrder() {
		Mono<String> inner = this.locks.withLock(REQUEST, Mono.fromSupplier(() -> "within " + held().size()));
		assertThat(this.locks.withLock(REQUEST, Mono.defer(() -> inner)).block(SOON)).isEqualTo("within 1");
		assertThat(this.work.annotated(() -> inner).block(SOON)).isEqualTo("within 1");
		assertThat(this.locks
			.withLock(REQUEST, this.work.annotated(() -> Mono.fromSupplier(() -> "annotated " + held().size())))
			.block(SOON)).isEqualTo("annotated 1");
	}

	@Test
	void reentryUsesLeaseOfPropertyUnlessRequestSetsLease() {
		LockRequest brief = LockRequest.of("brief");
		Mono<Lease> lease = Mono.fromSupplier(() -> held().get(0).lease());
		assertThat(this.locks.withLock(brief, this.locks.withLock(brief, lease)).block(SOON))
			.isEqualTo(Lease.renewed(Duration.ofSeconds(20)));
		Lease longer = Lease.renewed(Duration.ofSeconds(40));
		assertThat(this.locks.withLock(brief, this.locks.withLock(brief.withLease(longer), lease)).block(SOON))
			.isEqualTo(longer);
	}

	@Test
	void lossFailsWorkOnlyWhenPropertySetsOnLossFail() {
		CompletableFuture<String> result = this.locks.withLock(REQUEST, this.source.asMono()).toFuture();
		lose(KEY);
		this.source.tryEmitValue("done");
		assertThat(result).succeedsWithin(SOON).isEqualTo("done");
		CompletableFuture<String> strict = this.locks
			.withLock(LockRequest.of("strict"), Mono.just("done").doFirst(() -> lose(LockKey.of("strict"))))
			.toFuture();
		assertThat(strict).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LockLostException.class);
	}

	@Test
	@SuppressWarnings("NullAway")
	void nullRequestOrWorkIsRejectedBeforeSubscription() {
		assertThatNullPointerException().isThrownBy(() -> this.locks.withLock(null, Mono.empty()))
			.withMessageContaining("'request'");
		assertThatNullPointerException().isThrownBy(() -> this.locks.withLock(REQUEST, (Flux<String>) null))
			.withMessageContaining("'work'");
	}

	private static List<LockSnapshot> held() {
		return application.bean(LocalLocks.class).list();
	}

	private static void lose(LockKey key) {
		await().until(() -> application.isHeld(key.name()));
		application.bean(LockService.class).forceRelease(key);
		await().until(() -> held().isEmpty());
	}

	static class Work {

		@DistributedLock("reactive")
		Mono<String> annotated(Supplier<Mono<String>> source) {
			return source.get();
		}

	}

}
