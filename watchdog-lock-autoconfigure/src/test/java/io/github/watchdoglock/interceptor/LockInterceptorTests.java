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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockUpgradeException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LockInterceptor}.
 */
class LockInterceptorTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final FakeLockService service = this.fixture.service;

	private final Orders orders = this.fixture.proxy(new Orders(this.service.events));

	@Test
	void methodRunsWhileItsLockIsHeld() {
		assertThat(this.orders.place("42")).isEqualTo("placed");
		assertThat(this.service.events).containsExactly("lock", "place", "unlock");
		assertThat(this.service.requests).singleElement()
			.satisfies((request) -> assertThat(request.key()).isEqualTo(LockKey.of("Orders.place", "42")));
		assertThat(this.fixture.instrumentation.trail).containsExactly("begin Orders.place:42", "end Orders.place:42");
		assertThat(this.fixture.advisor.getOrder()).isEqualTo(LockAdvisor.DEFAULT_ORDER);
	}

	@Test
	void lockIsAcquiredForCallThroughInterfaceProxy() {
		this.fixture.interfaceProxy(new Orders(this.service.events), Placing.class).place("42");
		assertThat(this.service.events).containsExactly("lock", "place", "unlock");
	}

	@Test
	void methodRunsWithoutItsLockWhereTheConditionIsFalse() {
		this.orders.urgent(false);
		assertThat(this.service.events).containsExactly("urgent");
		this.orders.urgent(true);
		assertThat(this.service.events).containsExactly("urgent", "lock", "urgent", "unlock");
	}

	@Test
	void conditionThatIsNeitherTrueNorFalseFailsTheCall() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.orders.odd("text"))
			.withMessageEndingWith("is a java.lang.String, and must be true or false");
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.orders.odd(null))
			.withMessageEndingWith("is null, and must be true or false");
		assertThat(this.service.events).isEmpty();
	}

	@Test
	void keyIsNotComputedWhereTheConditionIsFalse() {
		this.orders.known(null);
		this.orders.known("42");
		assertThat(this.service.requests).extracting(LockRequest::key)
			.containsExactly(LockKey.of("Orders.known", "42"));
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.orders.known(" "));
		assertThat(this.service.events).containsExactly("known", "lock", "known", "unlock");
	}

	@Test
	void callFailsWithoutRunningMethodIfLockIsBusy() {
		this.service.busy = true;
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.place("42"));
		assertThat(this.service.events).isEmpty();
	}

	@Test
	void methodIsSkippedIfLockIsBusyWithOnContentionSkip() {
		this.service.busy = true;
		assertThat(this.orders.skip(() -> "run")).isEmpty();
		assertThat(this.service.events).isEmpty();
	}

	@Test
	void lockUpgradeExceptionIsThrownDespiteOnContentionSkip() {
		LockUpgradeException refusal = new LockUpgradeException(LockKey.of("Orders.skip"));
		this.service.failure = refusal;
		assertThatExceptionOfType(LockUpgradeException.class).isThrownBy(() -> this.orders.skip(() -> "run"))
			.isSameAs(refusal);
		assertThat(this.service.events).isEmpty();
	}

	@Test
	void contentionInsideMethodIsThrownDespiteOnContentionSkip() {
		LockNotAcquiredException inner = new LockNotAcquiredException(LockKey.of("inner"), Duration.ZERO, null, null);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.orders.skip(() -> {
			throw inner;
		})).isSameAs(inner);
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void interruptIsThrownUncheckedAndTheFlagIsSet() {
		this.service.interrupted = true;
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.orders.skip(() -> "run"));
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void interruptedExceptionIsThrownIfDeclaredByMethod() {
		this.service.interrupted = true;
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.orders::interruptible);
		assertThat(Thread.interrupted()).isFalse();
	}

	@Test
	void exceptionOfMethodIsThrownAndLockIsReleased() {
		assertThatIOException().isThrownBy(this.orders::fail).withMessage("disk full");
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void lossFoundAtReleaseIsThrownWithOnLossFail() {
		this.service.lossAtClose = LockLoss.Reason.GONE;
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.strict(() -> "run"))
			.withMessageContaining("Lock 'Orders.strict' (token 1) was lost: Redis has lost it");
		assertThat(this.service.events).containsExactly("lock", "unlock");
	}

	@Test
	void lossIsNotThrownWithoutOnLossFail() {
		this.service.lossAtClose = LockLoss.Reason.GONE;
		assertThat(this.orders.place("42")).isEqualTo("placed");
		assertThat(this.orders.interrupting()).isEqualTo("run");
	}

	@Test
	void lossIsThrownIfPropertySetsOnLossFail() {
		this.fixture.defaults = InterceptorFixture.defaults(Duration.ofSeconds(30), Duration.ZERO, null,
				OnContention.FAIL, OnLoss.FAIL, (lease) -> {
				});
		this.service.lossAtClose = LockLoss.Reason.EXPIRED;
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.place("42"));
		assertThat(this.orders.interrupting()).isEqualTo("run");
	}

	@Test
	void lossDoesNotReplaceExceptionOfMethod() {
		this.service.lossAtClose = LockLoss.Reason.GONE;
		IllegalStateException business = new IllegalStateException("business");
		assertThatIllegalStateException().isThrownBy(() -> this.orders.strict(() -> {
			throw business;
		})).isSameAs(business).satisfies((ex) -> assertThat(ex.getSuppressed()).isEmpty());
	}

	@Test
	void lossAfterTheMethodsOwnCommitIsNotThrown() {
		List<String> watched = new ArrayList<>();
		this.fixture.commits = (transaction) -> {
			watched.add("begin " + transaction);
			return () -> watched.add("end");
		};
		this.service.lossAtClose = LockLoss.Reason.EXPIRED;
		assertThat(this.orders.strict(() -> "run")).isEqualTo("run");
		assertThat(watched).containsExactly("begin " + Orders.class.getName() + ".strict", "end");
	}

	@Test
	void lockIsReleasedIfMethodOrCommitWatchFails() {
		List<String> watched = new ArrayList<>();
		this.fixture.commits = (transaction) -> () -> watched.add("end");
		assertThatIllegalStateException().isThrownBy(() -> this.orders.strict(() -> {
			throw new IllegalStateException("business");
		}));
		assertThat(watched).containsExactly("end");
		this.fixture.commits = (transaction) -> {
			throw new IllegalStateException("no watch");
		};
		assertThatIllegalStateException().isThrownBy(() -> this.orders.strict(() -> "run")).withMessage("no watch");
		assertThat(this.service.events).containsExactly("lock", "unlock", "lock", "unlock");
	}

	interface Placing {

		String place(String orderId);

	}

	interface Work {

		@Nullable String run();

	}

	public static class Orders implements Placing {

		private final List<String> events;

		Orders(List<String> events) {
			this.events = events;
		}

		@Override
		@DistributedLock(key = "#orderId")
		public String place(String orderId) {
			this.events.add("place");
			return "placed";
		}

		@DistributedLock(condition = "#needed")
		public void urgent(boolean needed) {
			this.events.add("urgent");
		}

		@DistributedLock(key = "#id", condition = "#id != null")
		public void known(@Nullable String id) {
			this.events.add("known");
		}

		@DistributedLock(condition = "#needed")
		public void odd(@Nullable Object needed) {
		}

		@DistributedLock(onContention = OnContention.SKIP)
		public Optional<String> skip(Work work) {
			return Optional.ofNullable(work.run());
		}

		@DistributedLock(onLoss = OnLoss.FAIL)
		public @Nullable String strict(Work work) {
			return work.run();
		}

		@DistributedLock(onLoss = OnLoss.INTERRUPT)
		public String interrupting() {
			return "run";
		}

		@DistributedLock
		public void interruptible() throws InterruptedException {
			this.events.add("interruptible");
		}

		@DistributedLock
		public void fail() throws IOException {
			throw new IOException("disk full");
		}

	}

}
