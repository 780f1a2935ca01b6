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

package io.github.watchdoglock.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A run of many worlds, one at a time for each processor, that reports which faults and
 * branches were reached.
 */
final class SimulationRun {

	private static final long TOLD = 50_000;

	private final Tally tally = new Tally();

	long played;

	long steps;

	private long took;

	/*
	 * Play this many worlds, or for this long, whichever ends first; fails with the first
	 * violation.
	 */
	void play(long first, long seconds, long most) throws Exception {
		int players = Math.min(Runtime.getRuntime().availableProcessors(), 4);
		List<Worlds> worlds = new ArrayList<>();
		IntStream.range(0, players).forEach((i) -> worlds.add(new Worlds()));
		long before = System.nanoTime();
		ExecutorService threads = Executors.newFixedThreadPool(players);
		try {
			CompletionService<Long> playing = new ExecutorCompletionService<>(threads);
			for (int i = 0; i < players; i++) {
				int player = i;
				playing.submit(() -> play(worlds.get(player), first + player, players,
						before + TimeUnit.SECONDS.toNanos(seconds), most / players));
			}
			for (int i = 0; i < players; i++) {
				this.played += playing.take().get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		this.took = System.nanoTime() - before;
		for (Worlds each : worlds) {
			this.tally.add(each.counts());
			this.steps += each.steps();
		}
	}

	/* Called for each player; reports the progress of a long run. */
	private static long play(Worlds worlds, long first, long by, long end, long most) {
		long begun = System.nanoTime();
		long played = 0;
		while (played < most && System.nanoTime() - end < 0) {
			played += worlds.play(first + played * by, by, end - System.nanoTime(), Math.min(most - played, TOLD));
			if (played % TOLD == 0) {
				System.out.printf("%,d of %,d worlds of a player, %,d s%n", played, most,
						TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
			}
		}
		return played;
	}

	List<String> missing() {
		return this.tally.missing();
	}

	/* A report for readers. */
	String summary() {
		StringBuilder summary = new StringBuilder("%,d worlds in %,d s, %.0f a second, %.0f steps each%n".formatted(
				this.played, TimeUnit.NANOSECONDS.toSeconds(this.took),
				this.played / (this.took / (double) TimeUnit.SECONDS.toNanos(1)), (double) this.steps / this.played));
		for (Map.Entry<String, Long> kind : this.tally.counts().entrySet()) {
			summary.append("  %-55s %,d%n".formatted(kind.getKey(), kind.getValue()));
		}
		return summary.toString();
	}

}
