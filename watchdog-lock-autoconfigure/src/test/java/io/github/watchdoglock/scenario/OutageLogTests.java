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
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the log of an application with one job and one role while Redis is restarted.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class OutageLogTests {

	private static final Duration OUTAGE = Duration.ofSeconds(10);

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	@Test
	void outageOfTenSecondsIsLoggedWithoutStackTraces(CapturedOutput output) {
		try (ConfigurableApplicationContext application = SmallApplication.run(List.of(Job.class),
				"spring.data.redis.port=" + redis.port(), "watchdog-lock.leaders.reports.lease-time=6s")) {
			Job job = application.getBean(Job.class);
			LeaderElection election = application.getBean(LeaderElection.class);
			await().until(() -> job.runs() > 1 && election.of("reports").isLeader());
			int before = output.getAll().length();
			redis.stop();
			await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(1)).until(() -> true);
			redis.start();
			int runs = job.runs();
			await().atMost(Duration.ofSeconds(20))
				.until(() -> job.runs() > runs + 1 && election.of("reports").isLeader());
			List<String> lines = output.getAll().substring(before).lines().toList();
			assertThat(lines).noneMatch((line) -> line.startsWith("\tat "));
			assertThat(lines).as("log lines of one outage").hasSizeLessThan(12);
			assertThat(levels(lines, ".ConnectionBackOff")).containsExactly("WARN", "INFO");
			assertThat(levels(lines, ".SkippedJobs")).containsExactly("WARN", "INFO");
		}
	}

	private static List<String> levels(List<String> lines, String logger) {
		return lines.stream()
			.filter((line) -> line.contains(logger + " "))
			.map((line) -> line.contains(" WARN ") ? "WARN" : line.contains(" INFO ") ? "INFO" : line)
			.toList();
	}

	@EnableScheduling
	static class Job {

		private final AtomicInteger runs = new AtomicInteger();

		int runs() {
			return this.runs.get();
		}

		@Scheduled(fixedRate = 1_000)
		@LockedJob("job")
		void run() {
			this.runs.incrementAndGet();
		}

	}

}
