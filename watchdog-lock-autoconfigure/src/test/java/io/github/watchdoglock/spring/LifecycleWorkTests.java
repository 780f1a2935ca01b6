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

package io.github.watchdoglock.spring;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.LeaderTerm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.SmartLifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LifecycleWork}.
 */
class LifecycleWorkTests {

	private final SmartLifecycle target = mock(SmartLifecycle.class);

	private final LeaderTerm term = mock(LeaderTerm.class);

	private final AtomicBoolean disturbed = new AtomicBoolean();

	private final LifecycleWork work = new LifecycleWork(this.target, "consumer");

	LifecycleWorkTests() {
		willAnswer((call) -> {
			call.getArgument(0, Runnable.class).run();
			return null;
		}).given(this.target).stop(any());
	}

	@AfterEach
	void isStoppedUndisturbed() {
		then(this.target).should().stop(any());
		assertThat(this.disturbed).isFalse();
	}

	@Test
	@Timeout(10)
	void beanIsStoppedWhenStartSwallowsInterrupt() throws Exception {
		given(this.term.isLeading()).willReturn(false);
		willAnswer((call) -> Thread.interrupted()).given(this.target).start();
		Thread.currentThread().interrupt();
		this.work.lead(this.term);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	@Timeout(10)
	void interruptDuringStartDoesNotReachStop() {
		given(this.term.isLeading()).willReturn(false);
		willAnswer((call) -> {
			Thread.currentThread().interrupt();
			return null;
		}).given(this.target).start();
		watchStop();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.work.lead(this.term));
	}

	@Test
	@Timeout(10)
	void interruptAfterTermHasExpiredDoesNotReachStop() {
		Thread leader = Thread.currentThread();
		CountDownLatch asked = new CountDownLatch(1);
		given(this.term.isLeading()).willAnswer((call) -> {
			asked.countDown();
			return false;
		});
		Thread ending = new Thread(() -> {
			await().until(() -> asked.getCount() == 0 && leader.getState() == Thread.State.TIMED_WAITING);
			leader.interrupt();
		});
		watchStop();
		ending.start();
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> this.work.lead(this.term));
	}

	@Test
	@Timeout(10)
	void beanIsStoppedWhenTermExpiresWithoutInterrupt() throws Exception {
		given(this.term.isLeading()).willReturn(true, false);
		this.work.lead(this.term);
	}

	@Test
	void beanIsStoppedUninterruptedWhenStartFailsByInterrupt() {
		willAnswer((call) -> {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted");
		}).given(this.target).start();
		watchStop();
		assertThatIllegalStateException().isThrownBy(() -> this.work.lead(this.term));
	}

	/* A thread that waits interruptibly, as many do. */
	private void watchStop() {
		willAnswer((call) -> {
			try {
				var unused = new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException ex) {
				this.disturbed.set(true);
			}
			call.getArgument(0, Runnable.class).run();
			return null;
		}).given(this.target).stop(any());
	}

	@Test
	void failedStartStopsBeanAndReportsBothErrors() {
		given(this.term.isLeading()).willReturn(true);
		willThrow(new IllegalStateException("half started")).given(this.target).start();
		willThrow(new IllegalArgumentException("nor stopped")).given(this.target).stop(any());
		assertThatIllegalStateException().isThrownBy(() -> this.work.lead(this.term))
			.withMessage("half started")
			.satisfies((ex) -> assertThat(ex).hasSuppressedException(new IllegalArgumentException("nor stopped")));
	}

}
