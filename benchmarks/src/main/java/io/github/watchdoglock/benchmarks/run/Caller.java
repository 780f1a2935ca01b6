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

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Competitor.Held;
import io.github.watchdoglock.benchmarks.run.Contention.Result.CallerResult;
import org.HdrHistogram.Histogram;

/**
 * A caller that acquires and releases a lock repeatedly, on its own thread.
 */
final class Caller implements Callable<Contention.Result> {

	private final Competitor competitor;

	private final String key;

	private final int instance;

	private final int number;

	private final ExclusionCell cell;

	private final Contention task;

	private final Histogram pairs = Contention.Result.histogram();

	private final Arrivals arrivals = new Arrivals();

	private final SplittableRandom random;

	private final Histogram gaps = Contention.Result.histogram();

	private long acquired;

	private long total;

	private long longestWait;

	private long longestWrite;

	Caller(Competitor competitor, String key, int instance, int number, ExclusionCell cell, Contention task) {
		this.competitor = competitor;
		this.key = key;
		this.instance = instance;
		this.number = number;
		this.cell = cell;
		this.task = task;
		this.random = new SplittableRandom(number);
	}

	@Override
	public Contention.Result call() throws InterruptedException {
		Span span = this.task.span();
		long work = this.task.work().toNanos();
		long interval = this.task.interval().toNanos();
		// Callers that pause do not all begin at the same time.
		long due = System.nanoTime() + this.random.nextLong(interval + 1);
		for (long now = System.nanoTime(); now - span.until() < 0; now = System.nanoTime()) {
			if (interval > 0) {
				Span.sleepUntil(due);
				due += interval;
				now = System.nanoTime();
			}
			turn(this.task.mix().next(this.random), span, work, now);
		}
		return new Contention.Result(List
			.of(new CallerResult(this.instance, this.acquired, this.longestWait, this.longestWrite, this.arrivals)),
				this.total, this.pairs, this.gaps, 0, 0);
	}

	private void turn(Use use, Span span, long work, long asked) throws InterruptedException {
		Held held = use.take(this.competitor, this.key);
		long got = System.nanoTime();
		long done;
		long gap;
		try {
			gap = use.enter(this.cell, this.number, this.instance, held.token(), got);
			// A caller that acquires the lock after the end only lets the others end.
			if (work > 0 && got - span.until() < 0) {
				Span.sleepUntil(got + work);
			}
			done = System.nanoTime();
			use.leave(this.cell, this.number, this.instance, done);
		}
		finally {
			held.unlock();
		}
		long ended = System.nanoTime();
		this.total++;
		if (got - span.from() >= 0) {
			this.longestWait = Math.max(this.longestWait, got - asked);
			if (use == Use.WRITE) {
				this.longestWrite = Math.max(this.longestWrite, got - asked);
			}
		}
		if (span.contains(got)) {
			this.acquired++;
			if (this.task.ordered()) {
				this.arrivals.add(asked, got);
			}
			this.pairs.recordValue(ended - done + (got - asked));
			if (gap >= 0) {
				this.gaps.recordValue(gap);
			}
		}
	}

}
