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

package io.github.watchdoglock.scenario;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.event.LockEvent;
import io.github.watchdoglock.event.LockLongHoldEvent;
import io.github.watchdoglock.event.LockLostEvent;
import io.github.watchdoglock.event.LockMaxHoldExceededEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * A method that doesn't come to an end: its operators are told where it is, and at its
 * maximum its lock is taken away.
 */
@ExtendWith(OutputCaptureExtension.class)
class LongHoldTests {

	@Test
	void stuckHolderIsShownAndLosesItsLockAtTheMaximum(CapturedOutput output) {
		try (ConfigurableApplicationContext application = application("watchdog-lock.store=local",
				"watchdog-lock.long-hold-warning=200ms")) {
			Events events = application.getBean(Events.class);
			Report report = application.getBean(Report.class);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> report.strict(events.lost))
				.satisfies((ex) -> assertThat(ex.getReason()).isEqualTo(LockLoss.Reason.MAX_HOLD));
			await().until(() -> events.heard.size() == 3);
			assertThat(events.heard).hasOnlyElementsOfTypes(LockLongHoldEvent.class, LockMaxHoldExceededEvent.class,
					LockLostEvent.class);
			LockLongHoldEvent longHold = events.of(LockLongHoldEvent.class);
			assertThat(longHold.held()).isGreaterThanOrEqualTo(Duration.ofMillis(200));
			assertThat(longHold.stack()).extracting(StackTraceElement::getMethodName).contains("await", "strict");
			assertThat(events.of(LockMaxHoldExceededEvent.class).stack()).isNotEmpty();
			assertThat(count(application, "watchdog.lock.long.holds")).isOne();
			assertThat(count(application, "watchdog.lock.lost", "reason", "max-hold")).isOne();
			assertThat(output)
				.containsPattern(
						"WARN .*Lock 'report' \\(token \\d+, instance \\S+@\\S+\\) is held for \\d+ ms, unusually long")
				.containsPattern(
						"WARN .*Lock 'report' \\(token \\d+, instance \\S+@\\S+\\) is held for \\d+ ms, longer than its maximum")
				.contains("\tat " + Report.class.getName() + ".strict(LongHoldTests.java:");
		}
	}

	@Test
	void maximumOfThePropertyInterruptsWhereThePropertySaysSo() {
		try (ConfigurableApplicationContext application = application("watchdog-lock.store=local",
				"watchdog-lock.max-hold-time=400ms", "watchdog-lock.on-loss=interrupt")) {
			Report report = application.getBean(Report.class);
			assertThatIllegalStateException().isThrownBy(() -> report.silent(new CountDownLatch(1)))
				.withCauseInstanceOf(InterruptedException.class);
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			Events events = application.getBean(Events.class);
			await().until(() -> events.heard.size() == 2);
			assertThat(events.of(LockLostEvent.class).reason()).isEqualTo(LockLoss.Reason.MAX_HOLD);
		}
	}

	@Test
	void maximumOfThePropertyCountsInCodeToo() throws Exception {
		try (ConfigurableApplicationContext application = application("watchdog-lock.store=local",
				"watchdog-lock.max-hold-time=300ms");
				LockHandle handle = application.getBean(LockService.class).acquire(LockRequest.of("report"))) {
			assertThat(handle.whenLost().toCompletableFuture().get(20, TimeUnit.SECONDS).reason())
				.isEqualTo(LockLoss.Reason.MAX_HOLD);
		}
	}

	private static double count(ConfigurableApplicationContext application, String meter, String... tags) {
		return application.getBean(MeterRegistry.class).get(meter).tag("lock", "report").tags(tags).counter().count();
	}

	private static ConfigurableApplicationContext application(String... properties) {
		return SmallApplication.run(List.of(Report.class, Events.class, SimpleMeterRegistry.class), properties);
	}

	static class Events {

		private final List<LockEvent> heard = new CopyOnWriteArrayList<>();

		private final CountDownLatch lost = new CountDownLatch(1);

		@EventListener
		void on(LockEvent event) {
			this.heard.add(event);
			if (event instanceof LockLostEvent) {
				this.lost.countDown();
			}
		}

		private <T extends LockEvent> T of(Class<T> type) {
			return this.heard.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
		}

	}

	static class Report {

		@DistributedLock(name = "report", maxHoldTime = "600ms", onLoss = OnLoss.FAIL)
		boolean strict(CountDownLatch end) {
			return await(end);
		}

		@DistributedLock("report")
		boolean silent(CountDownLatch end) {
			return await(end);
		}

		private static boolean await(CountDownLatch end) {
			try {
				return end.await(60, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
