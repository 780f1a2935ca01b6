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

package io.github.watchdoglock.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Does something many times at once, each on a thread of its own.
 */
public final class Concurrently {

	private Concurrently() {
	}

	/**
	 * Do it.
	 * @param <T> what comes of it
	 * @param times how often
	 * @param run what to do
	 * @return what came of each
	 * @throws Exception if one fails, or takes more than two minutes
	 */
	public static <T> List<T> run(int times, Run<T> run) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(times);
		try {
			List<Future<T>> running = new ArrayList<>();
			for (int i = 0; i < times; i++) {
				int index = i;
				running.add(threads.submit(() -> run.run(index)));
			}
			List<T> results = new ArrayList<>();
			for (Future<T> each : running) {
				results.add(each.get(2, TimeUnit.MINUTES));
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * What is done.
	 *
	 * @param <T> what comes of it
	 */
	public interface Run<T> {

		/**
		 * Do it once.
		 * @param index from zero
		 * @return what comes of it
		 * @throws Exception if it fails
		 */
		T run(int index) throws Exception;

	}

}
