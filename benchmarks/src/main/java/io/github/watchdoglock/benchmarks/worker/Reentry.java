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

package io.github.watchdoglock.benchmarks.worker;

import io.github.watchdoglock.benchmarks.lock.Competitor;

/**
 * One thread takes and releases again a lock that it holds. Answers with nanoseconds for
 * each pair.
 *
 * @param key the key
 * @param span what is measured; what comes before is for getting going
 */
public record Reentry(String key, Span span) implements Task<Double> {

	/* Of calls that take nanoseconds the clock must not be a part. */
	private static final int BATCH = 16;

	@Override
	public Double run(Workplace place) throws Exception {
		Competitor competitor = place.only();
		var outer = competitor.lock(this.key);
		try {
			while (System.nanoTime() - this.span.from() < 0) {
				batch(competitor);
			}
			long start = System.nanoTime();
			long pairs = 0;
			long end;
			do {
				batch(competitor);
				pairs += BATCH;
				end = System.nanoTime();
			}
			while (end - this.span.until() < 0);
			return (end - start) / (double) pairs;
		}
		finally {
			outer.unlock();
		}
	}

	private void batch(Competitor competitor) throws InterruptedException {
		for (int i = 0; i < BATCH; i++) {
			competitor.lock(this.key).unlock();
		}
	}

}
