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

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Held;
import org.jspecify.annotations.Nullable;

/**
 * Takes many locks, each of another key, and keeps them until the JVM ends. Answers with
 * the bytes of heap for each, what the caller keeps included.
 *
 * @param prefix what keys begin with
 * @param count how many locks
 */
public record HoldMany(String prefix, int count) implements Task<Double> {

	private static final int THREADS = 16;

	@Override
	public Double run(Workplace place) throws Exception {
		Competitor competitor = place.only();
		// Classes, connections and buffers are there before it is counted.
		place.kept().add(competitor.lock(this.prefix + "-first"));
		@Nullable Held[] held = new Held[this.count];
		place.kept().add(held);
		long before = usedHeap();
		CountDownLatch taken = new CountDownLatch(THREADS);
		AtomicReference<Throwable> failure = new AtomicReference<>();
		for (int i = 0; i < THREADS; i++) {
			int first = i;
			Thread thread = new Thread(() -> {
				try {
					for (int k = first; k < held.length; k += THREADS) {
						held[k] = competitor.lock(this.prefix + "-" + k);
					}
				}
				catch (Throwable ex) {
					failure.set(ex);
				}
				taken.countDown();
				stay();
			}, "holder-" + i);
			thread.setDaemon(true);
			thread.start();
		}
		taken.await();
		if (failure.get() != null) {
			throw new IllegalStateException("Not all locks could be taken", failure.get());
		}
		return (usedHeap() - before) / (double) this.count;
	}

	/* A lock is held by a thread that lives. */
	private static void stay() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/* The least of some, since renewals go on meanwhile. */
	private static long usedHeap() {
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
		}
		return least;
	}

}
