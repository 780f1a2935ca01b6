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

package io.github.watchdoglock.benchmarks.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Competitor.Held;
import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.run.Contention.Result.CallerResult;
import io.github.watchdoglock.benchmarks.run.ExclusionCell.ExclusionViolation;
import io.github.watchdoglock.benchmarks.run.Task.Workplace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Contention}.
 */
@SuppressWarnings("NullAway.Init")
class ContentionTests {

	@TempDir
	private Path folder;

	@Test
	void resultCountsCallersOfAllLocalInstances() throws Exception {
		Competitor lock = create(Contender.FAIR_LOCK);
		Contention.Result result = task(Duration.ofMillis(1), 2, 1, 3).run(new Workplace(2, List.of(lock, lock)));
		assertThat(result.callers()).extracting(CallerResult::instance).containsExactly(2, 3, 3, 3);
		assertThat(result.acquired()).isPositive().isEqualTo(result.pairs().getTotalCount());
		assertThat(result.total()).isGreaterThanOrEqualTo(result.acquired());
		assertThat(result.gaps().getTotalCount()).isPositive();
		assertThat(result.callers()).allMatch((caller) -> caller.longestWait() > 0);
	}

	@Test
	void lockWithoutExclusionFailsWithViolation() {
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> task(Duration.ofMillis(1), 4).run(new Workplace(1, List.of(create(Contender.NO_LOCK)))))
			.withCauseInstanceOf(ExclusionViolation.class);
	}

	@Test
	void tokenThatDoesNotGrowFailsWithViolation() {
		AtomicLong token = new AtomicLong(1_000_000_000);
		ReentrantLock lock = new ReentrantLock();
		Competitor counting = (key) -> {
			lock.lock();
			return held(token.getAndDecrement(), lock);
		};
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> task(Duration.ZERO, 1).run(new Workplace(1, List.of(counting))))
			.withCauseInstanceOf(ExclusionViolation.class)
			.withMessageContaining("token 999999999 after token 1000000000");
		assertThat(lock.isLocked()).isFalse();
	}

	@Test
	void callersWithOwnKeysPassWithoutExclusion() throws Exception {
		Contention task = new Contention("own", true, List.of(4), Duration.ofMillis(1), Duration.ZERO, Mix.EXCLUSIVE,
				false, span(), file());
		assertThat(task.run(new Workplace(1, List.of(create(Contender.NO_LOCK)))).acquired()).isPositive();
	}

	@ParameterizedTest
	@EnumSource(Mix.class)
	void eachMixRecordsArrivalOfEachAcquisition(Mix mix) throws Exception {
		Competitor lock = create(Contender.ONE_JVM);
		Contention task = new Contention(mix.name(), false, List.of(4, 4), Duration.ofMillis(1), Duration.ZERO, mix,
				true, span(), file());
		Contention.Result result = task.run(new Workplace(1, List.of(lock, create(Contender.ONE_JVM))));
		assertThat(result.acquired()).isPositive();
		assertThat(Arrivals.overtakers(result.callers().stream().map(CallerResult::arrivals).toList()))
			.hasSize(Math.toIntExact(result.acquired()));
		assertThat(result.callers()).as("longest write is recorded only for readers")
			.anyMatch((caller) -> (caller.longestWrite() > 0) == (mix == Mix.READERS));
	}

	@ParameterizedTest
	@EnumSource(Mix.class)
	void eachMixDetectsLockWithoutExclusion(Mix mix) throws IOException {
		ExclusionCell.map(this.folder.resolve("cells")).forEach(ExclusionCell::clear);
		Contention task = new Contention("none", false, List.of(16), Duration.ofMillis(1), Duration.ZERO, mix, false,
				span(), file());
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> task.run(new Workplace(1, List.of(create(Contender.NO_LOCK)))))
			.withCauseInstanceOf(ExclusionViolation.class);
	}

	private Contention task(Duration work, Integer... callers) {
		return new Contention("one", false, List.of(callers), work, Duration.ZERO, Mix.EXCLUSIVE, false, span(),
				file());
	}

	private static Span span() {
		return Span.in(Duration.ofMillis(50), Duration.ofMillis(800));
	}

	private String file() {
		return this.folder.resolve("cells").toString();
	}

	private static Competitor create(Contender contender) {
		return contender.create(0, Duration.ofSeconds(30), "");
	}

	private static Held held(long token, ReentrantLock lock) {
		return new Held() {

			@Override
			public void unlock() {
				lock.unlock();
			}

			@Override
			public long token() {
				return token;
			}

		};
	}

}
