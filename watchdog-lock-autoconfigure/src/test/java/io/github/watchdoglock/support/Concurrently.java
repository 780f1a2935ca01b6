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
 * Runs an action many times at once, each on a thread of its own.
 */
public final class Concurrently {

	private Concurrently() {
	}

	/**
	 * Run an action.
	 * @param <T> the type of the results
	 * @param times how often
	 * @param run the action
	 * @return the results
	 * @throws Exception if one run fails, or takes more than two minutes
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
	 * The action.
	 *
	 * @param <T> the type of the result
	 */
	public interface Run<T> {

		/**
		 * Run once.
		 * @param index from zero
		 * @return the result
		 * @throws Exception if it fails
		 */
		T run(int index) throws Exception;

	}

}
