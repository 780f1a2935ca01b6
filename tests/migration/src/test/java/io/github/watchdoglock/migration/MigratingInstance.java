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

package io.github.watchdoglock.migration;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import io.github.watchdoglock.migration.Generation.Orders;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The main class of an instance. It prints a line when it has started, works from the
 * first line of its input to the end of it, and prints each section.
 */
public final class MigratingInstance {

	static final String READY = "ready";

	static final String STOPPED = "stopped";

	private static final List<String> KEYS = List.of("1", "2", "3", "4", "5", "6");

	private static final int THREADS = 2;

	private static volatile boolean stopping;

	private MigratingInstance() {
	}

	public static void main(String[] args) throws Exception {
		try (ConfigurableApplicationContext context = Generation.valueOf(args[0]).start(Integer.parseInt(args[1]))) {
			System.out.println(READY);
			System.in.read();
			Orders orders = context.getBean(Orders.class);
			ExecutorService executor = Executors.newFixedThreadPool(THREADS);
			List<Future<Void>> workers = Stream.generate(() -> executor.submit(worker(orders))).limit(THREADS).toList();
			while (System.in.read() >= 0) {
				// Discards the rest of the line
			}
			stopping = true;
			for (Future<Void> worker : workers) {
				worker.get();
			}
			executor.shutdown();
		}
		System.out.println(STOPPED);
	}

	private static Callable<Void> worker(Orders orders) {
		return () -> {
			while (!stopping) {
				String id = KEYS.get(ThreadLocalRandom.current().nextInt(KEYS.size()));
				System.out.println(orders.ship(id).format());
			}
			return null;
		};
	}

}
