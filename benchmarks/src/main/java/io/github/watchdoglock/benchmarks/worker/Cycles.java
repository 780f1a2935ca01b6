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

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.benchmarks.lock.Competitor;

/**
 * Takes and releases a lock many times, then takes it once more and keeps it. Answers
 * with how many times.
 *
 * @param key the key
 * @param count how many times
 */
public record Cycles(String key, int count) implements Task<Integer> {

	@Override
	public Integer run(Workplace place) throws Exception {
		Competitor competitor = place.only();
		CountDownLatch held = new CountDownLatch(1);
		AtomicReference<Throwable> failure = new AtomicReference<>();
		Thread holder = new Thread(() -> {
			try {
				for (int i = 0; i < this.count; i++) {
					competitor.lock(this.key).unlock();
				}
				place.kept().add(competitor.lock(this.key));
				held.countDown();
				new CountDownLatch(1).await();
			}
			catch (Throwable ex) {
				failure.set(ex);
				held.countDown();
			}
		}, "holder");
		holder.setDaemon(true);
		holder.start();
		held.await();
		if (failure.get() != null) {
			throw new IllegalStateException("The lock could not be taken", failure.get());
		}
		return this.count;
	}

}
