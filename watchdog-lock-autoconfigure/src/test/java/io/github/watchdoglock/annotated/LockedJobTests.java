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

package io.github.watchdoglock.annotated;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.annotation.LockedJob;
import io.github.watchdoglock.support.SlowWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LockedJob}.
 */
class LockedJobTests {

	@RegisterExtension
	static final LockedApplication application = new LockedApplication(Job.class);

	private final Job job = application.bean(Job.class);

	private final Job sameElsewhere = application.beanElsewhere(Job.class);

	@Test
	void quickJobIsNotRepeatedWithinMinimumHoldTime() {
		this.job.quick();
		long ended = System.nanoTime();
		this.sameElsewhere.quick();
		this.job.quick();
		assertThat(this.job.runs()).as("runs of this instance within the minimum hold time").hasSize(1);
		assertThat(this.sameElsewhere.runs()).as("runs of the other instance within the minimum hold time").isEmpty();
		await().pollInterval(Duration.ofMillis(50)).until(() -> {
			this.sameElsewhere.quick();
			return !this.sameElsewhere.runs().isEmpty();
		});
		assertThat(Duration.ofNanos(System.nanoTime() - ended)).isGreaterThan(Duration.ofMillis(900));
	}

	@Test
	void jobIsSkippedForHeldKeyButRunsForOtherKeyOrFalseCondition() {
		this.job.runs().clear();
		this.job.export("a", () -> {
			this.sameElsewhere.export("a", () -> this.job.runs().add("the same tenant"));
			this.sameElsewhere.export("b", () -> this.job.runs().add("another tenant"));
			this.sameElsewhere.export("dry", () -> this.job.runs().add("without lock"));
		});
		assertThat(this.job.runs()).containsExactly("another tenant", "without lock");
	}

	@Test
	void scheduledJobRunsInOneInstanceAtATime() {
		this.job.start();
		this.sameElsewhere.start();
		await().until(() -> this.job.scheduled().size() + this.sameElsewhere.scheduled().size() >= 4);
		List<Long> all = new CopyOnWriteArrayList<>(this.job.scheduled());
		all.addAll(this.sameElsewhere.scheduled());
		List<Long> inOrder = all.stream().sorted().toList();
		for (int i = 1; i < inOrder.size(); i++) {
			// A run of the job takes 100 ms.
			assertThat(Duration.ofNanos(inOrder.get(i) - inOrder.get(i - 1))).isGreaterThan(Duration.ofMillis(95));
		}
	}

	@EnableScheduling
	static class Job {

		private final List<String> runs = new CopyOnWriteArrayList<>();

		private final List<Long> scheduled = new CopyOnWriteArrayList<>();

		private volatile boolean started;

		@LockedJob(name = "quick", minHoldTime = "1s")
		void quick() {
			this.runs.add("quick");
		}

		@LockedJob(name = "export", key = "#tenant", condition = "#tenant != 'dry'")
		void export(String tenant, Runnable work) {
			work.run();
		}

		@Scheduled(fixedRate = 20)
		@LockedJob
		void scheduledWork() throws InterruptedException {
			if (this.started) {
				this.scheduled.add(System.nanoTime());
				SlowWork.take(Duration.ofMillis(100));
			}
		}

		List<String> runs() {
			return this.runs;
		}

		List<Long> scheduled() {
			return this.scheduled;
		}

		void start() {
			this.started = true;
		}

	}

}
