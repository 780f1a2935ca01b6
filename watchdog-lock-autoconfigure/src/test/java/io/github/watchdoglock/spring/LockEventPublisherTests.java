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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.event.LockAcquiredEvent;
import io.github.watchdoglock.event.LockAtRiskEvent;
import io.github.watchdoglock.event.LockEvent;
import io.github.watchdoglock.event.LockLongHoldEvent;
import io.github.watchdoglock.event.LockLostEvent;
import io.github.watchdoglock.event.LockMaxHoldExceededEvent;
import io.github.watchdoglock.event.LockRecoveredEvent;
import io.github.watchdoglock.event.LockReleaseFailedEvent;
import io.github.watchdoglock.listener.SelectiveListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockEventPublisher}.
 */
class LockEventPublisherTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	@Test
	void eventReachesListenersOfOwnTypeAndOfBaseType() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Listeners.class)) {
			LockEventPublisher publisher = new LockEventPublisher(context, false);
			Exception cause = new IllegalStateException("connection refused");
			LockLoss loss = new LockLoss(KEY, 7, LockLoss.Reason.GONE);
			List<StackTraceElement> stack = List.of(new StackTraceElement("shop.Report", "run", "Report.java", 7));
			publisher.atRisk(KEY, 7, Duration.ofSeconds(3), cause);
			publisher.recovered(KEY, 7);
			publisher.longHold(KEY, 7, Duration.ofMinutes(5), stack);
			publisher.maxHoldExceeded(KEY, 7, Duration.ofMinutes(6), stack);
			publisher.lost(loss, Duration.ofSeconds(9));
			publisher.releaseFailed(KEY, 7, cause);
			Listeners listeners = context.getBean(Listeners.class);
			assertThat(listeners.all).containsExactly(new LockAtRiskEvent(KEY, 7, Duration.ofSeconds(3), cause),
					new LockRecoveredEvent(KEY, 7), new LockLongHoldEvent(KEY, 7, Duration.ofMinutes(5), stack),
					new LockMaxHoldExceededEvent(KEY, 7, Duration.ofMinutes(6), stack),
					new LockLostEvent(loss, Duration.ofSeconds(9)), new LockReleaseFailedEvent(KEY, 7, cause));
			assertThat(listeners.all)
				.allSatisfy((event) -> assertThat(event.key() + " " + event.token()).isEqualTo("orders:42 7"));
			assertThat(listeners.lost).singleElement()
				.satisfies((event) -> assertThat(event.reason()).isEqualTo(LockLoss.Reason.GONE));
		}
	}

	@Test
	void routineNotificationsAreNotPublished() {
		List<Object> events = new ArrayList<>();
		SelectiveListener publisher = new LockEventPublisher(events::add, false);
		publisher.waiting(KEY);
		publisher.acquired(KEY, 7, Duration.ZERO);
		publisher.notAcquired(KEY, LockListener.Outcome.TIMEOUT, Duration.ZERO);
		publisher.renewed(KEY, 7);
		publisher.renewalFailed(KEY, 7, new IllegalStateException());
		publisher.released(KEY, 7, Duration.ZERO);
		publisher.releaseRepeated(KEY, 7, SelectiveListener.End.DONE);
		assertThat(events).isEmpty();
		assertThat(publisher.receivesRoutine()).isFalse();
		assertThat(publisher.receivesRepetitions()).isFalse();
	}

	@Test
	void acquiredEventIsPublishedWhenEnabled() {
		List<Object> events = new ArrayList<>();
		LockListener publisher = new LockEventPublisher(events::add, true);
		publisher.acquired(KEY, 7, Duration.ofMillis(3));
		publisher.released(KEY, 7, Duration.ZERO);
		assertThat(events).containsExactly(new LockAcquiredEvent(KEY, 7, Duration.ofMillis(3)));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void publishFailureIsIgnoredOnlyWhenContextIsClosed(boolean closing) {
		ConfigurableApplicationContext context = mock();
		given(context.isClosed()).willReturn(closing);
		willThrow(new IllegalStateException("closed")).given(context).publishEvent(any(Object.class));
		LockEventPublisher publisher = new LockEventPublisher(context, false);
		if (closing) {
			assertThatNoException().isThrownBy(() -> publisher.recovered(KEY, 7));
		}
		else {
			assertThatIllegalStateException().isThrownBy(() -> publisher.recovered(KEY, 7));
		}
	}

	static class Listeners {

		private final List<LockEvent> all = new ArrayList<>();

		private final List<LockLostEvent> lost = new ArrayList<>();

		@EventListener
		void hear(LockEvent event) {
			this.all.add(event);
		}

		@EventListener
		void hear(LockLostEvent event) {
			this.lost.add(event);
		}

	}

}
