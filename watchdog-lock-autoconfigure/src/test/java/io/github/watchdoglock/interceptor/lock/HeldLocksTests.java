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

package io.github.watchdoglock.interceptor.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.RecordingInstrumentation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link HeldLocks} and {@link RequestedLock}.
 */
class HeldLocksTests {

	private final FakeLockService service = new FakeLockService();

	private final RecordingInstrumentation instrumentation = new RecordingInstrumentation();

	@Test
	void hasAnyIsTrueOnlyForLossPoliciesOfHeldLocks() {
		HeldLocks held = held("a", OnLoss.REPORT);
		assertThat(held.hasAny(OnLoss.FAIL)).as("hasAny(FAIL) with a lock that reports losses").isFalse();
		assertThat(held.hasAny(OnLoss.INTERRUPT)).isFalse();
		HeldLocks both = held.and(wanted("b", OnLoss.FAIL), handle("b"));
		assertThat(both.hasAny(OnLoss.FAIL)).as("hasAny(FAIL) after a lock with FAIL was added").isTrue();
		assertThat(both.hasAny(OnLoss.INTERRUPT)).isFalse();
		assertThat(held("c", OnLoss.INTERRUPT).hasAny(OnLoss.INTERRUPT)).isTrue();
		assertThat(held("c", OnLoss.INTERRUPT).hasAny(OnLoss.FAIL)).isFalse();
	}

	@Test
	void interruptCallbackRunsOnlyForLossesWithInterruptPolicy() {
		List<LockLoss> losses = new ArrayList<>();
		HeldLocks held = held("a", OnLoss.REPORT).and(wanted("b", OnLoss.INTERRUPT), handle("b"));
		held.whenInterrupted(losses::add);
		this.service.lose(LockKey.of("a"));
		assertThat(losses).isEmpty();
		this.service.lose(LockKey.of("b"));
		assertThat(losses).extracting(LockLoss::key).containsExactly(LockKey.of("b"));
		assertThat(held.failingLoss()).isNull();
	}

	@Test
	void instrumentationNestsInOrderOfLocksAndContextHasLastKey() throws Throwable {
		HeldLocks held = held("a", OnLoss.REPORT).and(wanted("b", OnLoss.REPORT), handle("b"));
		assertThat(held.run(this.instrumentation, () -> this.instrumentation.trail.toString()))
			.isEqualTo("[begin a, begin b]");
		assertThat(this.instrumentation.trail).containsExactly("begin a", "begin b", "end b", "end a");
		assertThat(held.context(this.instrumentation)).isEqualTo(Map.of("key", LockKey.of("b")));
		assertThat(HeldLocks.NONE.context(this.instrumentation)).isEmpty();
	}

	@Test
	void closeAsyncReleasesInReverseOrderWithoutWaiting() {
		CompletableFuture<Void> closing = new CompletableFuture<>();
		this.service.closing = closing;
		HeldLocks held = held("a", OnLoss.REPORT).and(wanted("b", OnLoss.REPORT), handle("b"));
		held.detach();
		CompletableFuture<Void> closed = held.closeAsync();
		assertThat(this.service.trail).containsExactly("lock a", "lock b", "detach a", "detach b", "unlock b",
				"unlock a");
		assertThat(closed).isNotDone();
		closing.complete(null);
		assertThat(closed).isCompleted();
	}

	@Test
	void closeStartsReleaseOfAllLocksBeforeWaitingForAny() {
		List<String> calls = new ArrayList<>();
		HeldLocks one = HeldLocks.NONE.and(wanted("a", OnLoss.REPORT), recording("a", calls));
		one.close();
		assertThat(calls).containsExactly("close a");
		calls.clear();
		one.and(wanted("b", OnLoss.REPORT), recording("b", calls)).close();
		assertThat(calls).containsExactly("closeAsync b", "closeAsync a", "close b", "close a");
	}

	@Test
	void closeReleasesRemainingLocksWhenReleaseThrowsError() {
		List<String> calls = new ArrayList<>();
		LockHandle failing = mock(LockHandle.class, (call) -> {
			throw new OutOfMemoryError("on purpose");
		});
		HeldLocks held = HeldLocks.NONE.and(wanted("a", OnLoss.REPORT), recording("a", calls))
			.and(wanted("b", OnLoss.REPORT), failing);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(held::close);
		assertThat(calls).contains("close a");
	}

	@Test
	void waitTimeIsReducedByTimeAlreadyWaited() throws InterruptedException {
		ask(Duration.ofSeconds(10), Duration.ofSeconds(4));
		ask(Duration.ofSeconds(10), Duration.ofSeconds(10));
		ask(Duration.ofSeconds(10), Duration.ofSeconds(11));
		ask(Duration.ofSeconds(10), Duration.ZERO);
		ask(Duration.ZERO, Duration.ofSeconds(1));
		ask(Duration.ofMillis(-1), Duration.ofSeconds(1));
		assertThat(this.service.requests).extracting(LockRequest::waitTime)
			.containsExactly(Duration.ofSeconds(6), Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10), Duration.ZERO,
					Duration.ofMillis(-1));
		LockRequest silent = LockRequest.of(LockKey.of("a")).withOnLoss(OnLoss.FAIL);
		var unused = new RequestedLock(silent, Contention.FAIL).acquire(this.service, Duration.ofSeconds(1));
		assertThat(this.service.requests).last().isSameAs(silent);
	}

	private void ask(Duration wait, Duration waited) throws InterruptedException {
		LockRequest request = LockRequest.of(LockKey.of("a")).withOnLoss(OnLoss.FAIL).withWaitTime(wait);
		var unused = new RequestedLock(request, Contention.FAIL).acquire(this.service, waited);
	}

	private HeldLocks held(String name, OnLoss onLoss) {
		return HeldLocks.NONE.and(wanted(name, onLoss), handle(name));
	}

	private LockHandle handle(String name) {
		return this.service.grant(LockRequest.of(LockKey.of(name)));
	}

	private static RequestedLock wanted(String name, OnLoss onLoss) {
		return new RequestedLock(LockRequest.of(LockKey.of(name)).withOnLoss(onLoss), Contention.FAIL);
	}

	private static LockHandle recording(String name, List<String> calls) {
		return mock(LockHandle.class, (call) -> {
			calls.add(call.getMethod().getName() + " " + name);
			return call.getMethod().getName().equals("closeAsync") ? CompletableFuture.completedFuture(null) : null;
		});
	}

}
