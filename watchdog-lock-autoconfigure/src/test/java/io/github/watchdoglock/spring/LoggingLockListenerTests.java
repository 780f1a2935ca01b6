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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LoggingLockListener}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LoggingLockListenerTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private final LoggingLockListener listener = new LoggingLockListener();

	@Test
	void whatPutsExclusionInDoubtIsAWarningWithKeyAndToken(CapturedOutput output) {
		this.listener.atRisk(KEY, 7, Duration.ofSeconds(3), new IllegalStateException("connection refused"));
		this.listener.lost(new LockLoss(KEY, 7, LockLoss.Reason.EXPIRED), Duration.ofSeconds(9));
		this.listener.releaseFailed(KEY, 7, new IllegalStateException("connection refused"));
		assertThat(output.toString().lines().filter((line) -> line.contains("WARN"))).hasSize(3)
			.allMatch((line) -> line.contains("Lock 'orders:42' (token 7)"));
		assertThat(output).contains("lost in 3000 ms").contains("was lost after 9000 ms: expired");
	}

	@Test
	void recoveryIsInformation(CapturedOutput output) {
		this.listener.recovered(KEY, 7);
		assertThat(output).contains("INFO").contains("Lock 'orders:42' (token 7) is no longer at risk");
	}

}
