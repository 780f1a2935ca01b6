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

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.store.CommandRefusedException;
import io.github.watchdoglock.support.FakeLockService;
import io.github.watchdoglock.support.InterceptorFixture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SkippedJobs}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SkippedJobsTests {

	private final LockStoreException down = new LockStoreException("Redis is down", null);

	private final CommandRefusedException refused = new CommandRefusedException("NOPERM", null);

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final FakeLockService service = this.fixture.service;

	private final Jobs jobs = this.fixture.proxy(new Jobs());

	private long now;

	private final SkippedJobs skipped = new SkippedJobs(() -> this.now);

	@Test
	void scheduledJobIsSkippedWhileRedisFails(CapturedOutput output) {
		this.service.failure = this.down;
		this.jobs.scheduled();
		assertThat(this.jobs.runs()).isZero();
		this.service.failure = null;
		this.jobs.scheduled();
		assertThat(this.jobs.runs()).isOne();
		assertThat(messages(output)).containsExactly(
				"Job 'Jobs.scheduled' was skipped: Redis is down."
						+ " Further skipped runs are logged at most once a minute",
				"Redis responds again. Skipped runs of job 'Jobs.scheduled': 1");
	}

	@Test
	void endOfOutageIsLoggedIfOtherInstanceHoldsLock(CapturedOutput output) {
		this.service.failure = this.down;
		this.jobs.scheduled();
		this.service.failure = null;
		this.service.busy = true;
		this.jobs.scheduled();
		assertThat(messages(output)).last().isEqualTo("Redis responds again. Skipped runs of job 'Jobs.scheduled': 1");
	}

	@Test
	void jobIsNotSkippedIfTheCommandIsRefused() {
		assertThrows(this.jobs::scheduled, this.refused);
		assertThrows(this.jobs::scheduled, new LockStoreException("Lock 'job' was not acquired: NOPERM", this.refused));
	}

	private void assertThrows(ThrowingCallable job, LockStoreException failure) {
		this.service.failure = failure;
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(job).isSameAs(failure);
	}

	@Test
	void jobIsNotSkippedIfItsFenceCannotBeRaised(CapturedOutput output) {
		assertThrows(this.jobs::scheduled, new LockStoreException("Lock 'job' was not acquired", new SQLException()));
		this.service.failure = null;
		this.jobs.scheduled();
		assertThat(messages(output)).isEmpty();
	}

	@Test
	void jobWithoutScheduleOrWithResultIsNotSkippedDuringOutage() {
		assertThrows(this.jobs::unscheduled, this.down);
		assertThrows(this.jobs::count, this.down);
	}

	@Test
	void skippedRunsAreLoggedAgainAfterAMinute(CapturedOutput output) {
		var method = InterceptorFixture.method(Jobs.class, "scheduled");
		assertThat(this.skipped.skip(method, this.down)).isTrue();
		List<Integer> logged = new ArrayList<>();
		for (int seconds : new int[] { 59, 1, 59 }) {
			this.now += Duration.ofSeconds(seconds).toNanos();
			this.skipped.skip(method, this.down);
			logged.add(messages(output).size());
		}
		assertThat(logged).containsExactly(1, 2, 2);
		assertThat(messages(output)).allMatch((message) -> message.startsWith("Job "));
		this.skipped.end(method);
		this.skipped.end(method);
		assertThat(messages(output)).hasSize(3).last().asString().endsWith(": 4");
	}

	private static List<String> messages(CapturedOutput output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains("SkippedJobs "))
			.map((line) -> line.replaceFirst("^.*SkippedJobs +(--|:) ", ""))
			.toList();
	}

	static class Jobs {

		private final AtomicInteger runs = new AtomicInteger();

		int runs() {
			return this.runs.get();
		}

		@Scheduled(fixedRate = 1_000)
		@LockedJob("scheduled")
		void scheduled() {
			this.runs.incrementAndGet();
		}

		@LockedJob("unscheduled")
		void unscheduled() {
			this.runs.incrementAndGet();
		}

		@Scheduled(fixedRate = 1_000)
		@LockedJob("count")
		Optional<Integer> count() {
			return Optional.of(this.runs.incrementAndGet());
		}

	}

}
