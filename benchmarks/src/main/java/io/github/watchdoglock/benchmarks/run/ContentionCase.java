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
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.worker.Contention;
import io.github.watchdoglock.benchmarks.worker.ContentionResult;
import io.github.watchdoglock.benchmarks.worker.Span;

/**
 * Callers that take and release locks.
 *
 * @param id names it
 * @param title says what happens
 * @param contenders who takes part
 * @param ownKeys whether each caller has a key of its own
 * @param callers how many callers each instance has
 * @param work how long a lock is held
 * @param length how long a round is measured
 * @param settings how much is measured besides
 */
record ContentionCase(String id, String title, List<Contender> contenders, boolean ownKeys, List<Integer> callers,
		Duration work, Duration length, Settings settings) implements Case {

	private static final int TRIES = 3;

	@Override
	public void warmUp(Fleet fleet, Place place) throws IOException, InterruptedException {
		measure(fleet, place, Span.in(Duration.ZERO, this.settings.warmUp()));
	}

	/* Where a machine is so busy that callers did not get going, they get more time. */
	@Override
	public Map<String, Double> round(Fleet fleet, Place place) throws IOException, InterruptedException {
		Duration ramp = this.settings.ramp();
		ContentionFigures figures = measure(fleet, place, Span.in(ramp, this.length));
		for (int i = 1; i < TRIES && figures.result().acquired() == 0; i++) {
			ramp = ramp.multipliedBy(5);
			figures = measure(fleet, place, Span.in(ramp, this.length));
		}
		return figures.values(this);
	}

	private ContentionFigures measure(Fleet fleet, Place place, Span span) throws IOException {
		place.cells().clear();
		RedisUsage before = place.redis().usage();
		String key = this.id + "-" + fleet.contender().name().toLowerCase(Locale.ROOT);
		fleet.give(new Contention(key, this.ownKeys, this.callers.stream().mapToInt((n) -> n).toArray(), this.work,
				span, place.cellsFile()));
		span.awaitBegin();
		double cpuBefore = place.redis().usage().cpuSeconds();
		span.awaitEnd();
		double cpu = place.redis().usage().cpuSeconds() - cpuBefore;
		ContentionResult result = ContentionResult.sum(fleet.answers(ContentionResult.class));
		RedisUsage usage = place.redis().usage().since(before);
		return new ContentionFigures(result, span, usage, cpu, fleet.contender());
	}

	boolean isShared() {
		return !this.ownKeys && this.callers.stream().mapToInt((n) -> n).sum() > 1;
	}

}
