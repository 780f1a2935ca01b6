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
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.LockNews;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the properties that report and limit long holds, in an application.
 */
class LongHoldTests {

	@Test
	void maxHoldTimePropertyInterruptsHolderWhenOnLossIsInterrupt() {
		try (ConfigurableApplicationContext application = application("watchdog-lock.max-hold-time=400ms",
				"watchdog-lock.on-loss=interrupt")) {
			Report report = application.getBean(Report.class);
			assertThatIllegalStateException().isThrownBy(report::write).withCauseInstanceOf(InterruptedException.class);
			assertThat(Thread.currentThread().isInterrupted()).isFalse();
			await().untilAsserted(
					() -> assertThat(application.getBean(LockNews.class).losses()).extracting(LockLoss::reason)
						.containsExactly(LockLoss.Reason.MAX_HOLD));
		}
	}

	@Test
	void maxHoldTimePropertyAppliesToLocksAcquiredInCode() throws Exception {
		try (ConfigurableApplicationContext application = application("watchdog-lock.max-hold-time=300ms");
				LockHandle handle = application.getBean(LockService.class).acquire(LockRequest.of("report"))) {
			assertThat(handle.whenLost().toCompletableFuture().get(20, TimeUnit.SECONDS).reason())
				.isEqualTo(LockLoss.Reason.MAX_HOLD);
		}
	}

	private static ConfigurableApplicationContext application(String... properties) {
		return SmallApplication.run(List.of(Report.class, LockNews.class),
				StringUtils.addStringToArray(properties, "watchdog-lock.store=local"));
	}

	static class Report {

		@DistributedLock("report")
		void write() {
			SlowWork.uninterrupted(Duration.ofMinutes(1));
		}

	}

}
