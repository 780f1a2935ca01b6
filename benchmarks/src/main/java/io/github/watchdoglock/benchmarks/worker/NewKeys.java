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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.watchdoglock.benchmarks.lock.Competitor;

/**
 * Takes and releases many locks, each of another key, once. Answers with how many.
 *
 * @param prefix what keys begin with
 * @param count how many keys
 */
public record NewKeys(String prefix, int count) implements Task<Integer> {

	private static final int THREADS = 16;

	@Override
	public Integer run(Workplace place) throws Exception {
		Competitor competitor = place.only();
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			List<Future<Integer>> parts = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				int first = i;
				parts.add(threads.submit(() -> take(competitor, first)));
			}
			int taken = 0;
			for (Future<Integer> part : parts) {
				taken += part.get();
			}
			return taken;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private int take(Competitor competitor, int first) throws InterruptedException {
		int taken = 0;
		for (int k = first; k < this.count; k += THREADS) {
			competitor.lock(this.prefix + "-" + k).unlock();
			taken++;
		}
		return taken;
	}

}
