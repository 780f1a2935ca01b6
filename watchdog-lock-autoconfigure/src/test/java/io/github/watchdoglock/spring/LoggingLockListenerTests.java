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
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.SelectiveListener.End;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.store.OutcomeUnknownException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LoggingLockListener}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LoggingLockListenerTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	private final LoggingLockListener listener = new LoggingLockListener(() -> "shop@here");

	@Test
	void riskLossAndFailedReleaseAreLoggedAsWarningsWithToken(CapturedOutput output) {
		this.listener.atRisk(KEY, 7, Duration.ofSeconds(3), new IllegalStateException("connection refused"));
		this.listener.lost(new LockLoss(KEY, 7, LockLoss.Reason.EXPIRED), Duration.ofSeconds(9));
		this.listener.releaseFailed(KEY, 7, new IllegalStateException("connection refused"));
		assertThat(written(output).filter((line) -> line.contains("WARN"))).hasSize(3)
			.allMatch((line) -> line.contains("Lock 'orders:42' (token 7, instance shop@here)"));
		assertThat(output).contains("lost in 3 s").contains("was lost after 9 s: it was not renewed in time (expired)");
	}

	@Test
	void longHoldIsLoggedAsWarningWithStackOfThread(CapturedOutput output) {
		List<StackTraceElement> stack = List.of(
				new StackTraceElement("app", "shop", "1.0", "shop.Report", "read", "Report.java", 42),
				new StackTraceElement("shop.Report", "run", "Report.java", 7));
		this.listener.longHold(KEY, 7, Duration.ofMinutes(5), stack);
		this.listener.maxHoldExceeded(KEY, 8, Duration.ofMinutes(6), stack);
		this.listener.longHold(KEY, 9, Duration.ofMinutes(7), List.of());
		assertThat(output.toString().lines().map((line) -> line.replaceFirst("^.*WARN.*?(?=Lock ')", "")))
			.containsExactly(
					"Lock 'orders:42' (token 7, instance shop@here) has been held for 300 s, longer than watchdog-lock.long-hold-warning. Stack of its thread:",
					"\tat shop.Report.read(Report.java:42)", "\tat shop.Report.run(Report.java:7)",
					"Lock 'orders:42' (token 8, instance shop@here) has been held for 360 s, its maximum (maxHoldTime, watchdog-lock.max-hold-time), and is not renewed any more. Stack of its thread:",
					"\tat shop.Report.read(Report.java:42)", "\tat shop.Report.run(Report.java:7)",
					"Lock 'orders:42' (token 9, instance shop@here) has been held for 420 s, longer than watchdog-lock.long-hold-warning. It belongs to no thread");
		assertThat(written(output).filter((line) -> line.contains("WARN"))).hasSize(3);
	}

	@Test
	void failedReleaseWarningSaysWhetherReleaseIsRepeated(CapturedOutput output) {
		this.listener.releaseFailed(KEY, 7, new OutcomeUnknownException("no answer", null));
		this.listener.releaseFailed(KEY, 8, new CommandRefusedException("NOPERM", null));
		assertThat(written(output).filter((line) -> line.contains("WARN"))).hasSize(2);
		assertThat(output).contains(
				"(token 7, instance shop@here) could not be released: the release is repeated until it succeeds or the lease has expired")
			.contains(
					"(token 8, instance shop@here) could not be released: the lock is free when its lease has expired");
	}

	@Test
	void storeFailureIsLoggedInOneLineAndOtherErrorWithStack(CapturedOutput output) {
		LockStoreException failure = new LockStoreException("Not connected", new IllegalStateException("refused"));
		this.listener.atRisk(KEY, 7, Duration.ofSeconds(5), failure);
		this.listener.releaseFailed(KEY, 8, failure);
		assertThat(output.toString().lines()).hasSize(2).allMatch((line) -> line.endsWith(". Cause: Not connected"));
		this.listener.atRisk(KEY, 9, Duration.ofSeconds(5), new IllegalStateException("a bug"));
		assertThat(output).contains("a bug", "\tat ");
	}

	@Test
	void endOfReleaseRepetitionsIsLoggedAsInfo(CapturedOutput output) {
		Stream.of(End.values()).forEach((end) -> this.listener.releaseRepeated(KEY, 7, end));
		assertThat(written(output)).hasSize(3).allMatch((line) -> line.contains("INFO"));
		assertThat(output).contains(
				"Lock 'orders:42' (token 7, instance shop@here), which could not be released before, has been released",
				"is free, because its lease has expired",
				"is free when its lease has expired; the release is not repeated");
	}

	@Test
	void differingPermitsAndFullReadersAreLoggedOncePerName(CapturedOutput output) {
		for (int i = 0; i < 3; i++) {
			LockKey key = LockKey.of("export", "" + i);
			this.listener.permitsDiffer(key, 5, 6);
			this.listener.readersFull(key, 64);
		}
		this.listener.permitsDiffer(KEY, 2, 3);
		assertThat(written(output)).as("warnings: two for name 'export', one for 'orders'")
			.hasSize(3)
			.allMatch((line) -> line.contains("WARN"));
		assertThat(output).contains(
				"Lock 'export' (instance shop@here) is requested with 5 permits, and by other callers with 6",
				"Lock 'export' (instance shop@here) is read with 64 leases",
				"Lock 'orders' (instance shop@here) is requested with 2 permits, and by other callers with 3");
	}

	@Test
	void recoveryFromRiskIsLoggedAsInfo(CapturedOutput output) {
		this.listener.recovered(KEY, 7);
		assertThat(output).contains("INFO")
			.contains("Lock 'orders:42' (token 7, instance shop@here) is no longer at risk");
	}

	@Test
	void routineNotificationsAreLoggedOnlyAtDebugLevel(CapturedOutput output) {
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		logging.setLogLevel(LoggingLockListener.class.getName(), LogLevel.DEBUG);
		try {
			this.listener.acquired(KEY, 7, Duration.ofMillis(3));
			this.listener.released(KEY, 7, Duration.ofMillis(5));
			this.listener.notAcquired(KEY, LockListener.Outcome.TIMEOUT, Duration.ofMillis(9));
		}
		finally {
			logging.setLogLevel(LoggingLockListener.class.getName(), null);
		}
		this.listener.acquired(KEY, 8, Duration.ofMillis(3));
		assertThat(written(output)).hasSize(3).allMatch((line) -> line.contains("DEBUG"));
		assertThat(output).contains("Lock 'orders:42' (token 7, instance shop@here) was acquired after 3 ms")
			.contains("Lock 'orders:42' (token 7, instance shop@here) was released after 5 ms",
					"Lock 'orders:42' (instance shop@here) was not acquired after 9 ms: TIMEOUT");
	}

	@Test
	void lineBreakInKeyIsReplacedAndLongKeyIsCut(CapturedOutput output) {
		this.listener.lost(new LockLoss(LockKey.of("orders", "4\n2" + "x".repeat(1_000)), 7, LockLoss.Reason.GONE),
				Duration.ZERO);
		assertThat(written(output)).singleElement(InstanceOfAssertFactories.STRING)
			.contains("Lock 'orders:4?2xxx")
			.contains("xxx...' (token 7, ")
			.hasSizeLessThan(600);
	}

	/* Without lines of connections of other tests. */
	private static Stream<String> written(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("LoggingLockListener"));
	}

}
