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

package io.github.watchdoglock.benchmarks.load;

import java.io.PrintStream;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;

import io.github.watchdoglock.benchmarks.load.LoadCase.Kind;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The JVM that is measured, in which rounds of few callers and of many alternate.
 */
public final class LoadWorker {

	private LoadWorker() {
	}

	/**
	 * Run the rounds.
	 * @param args the kind of calls, the kind of threads, whether each caller has its own
	 * key, the port of Redis; the number of locks that are held, and their lease; the
	 * number of rounds, the duration of a round and of the warm-up; the numbers of few
	 * callers and of many. Times are in milliseconds
	 * @throws InterruptedException never
	 */
	public static void main(String[] args) throws InterruptedException {
		PrintStream answers = System.out;
		// The output of libraries must not get between the answers.
		System.setOut(System.err);
		Kind kind = Kind.valueOf(args[0]);
		switch (kind) {
			case FAIR_LOCK -> run(args, Entrance.fairLock(), new LoadProbe(), () -> {
			}, answers);
			case COMMANDS -> {
				LoadProbe probe = new LoadProbe();
				RedisConnectionFactory factory = LoadedEngine.start(Integer.parseInt(args[3]), probe)
					.getBean(RedisConnectionFactory.class);
				run(args, Entrance.commands(factory), probe, () -> {
				}, answers);
			}
			case REDIS -> run(args, LoadedEngine.over(Integer.parseInt(args[3])), answers);
			case MEMORY -> run(args, LoadedEngine.alone(), answers);
		}
		System.exit(0);
	}

	private static void run(String[] args, LoadedEngine engine, PrintStream answers) throws InterruptedException {
		try {
			run(args, Entrance.of(engine.locks()), engine.probe(),
					() -> engine.hold(Integer.parseInt(args[4]), millis(args[5])), answers);
		}
		finally {
			// A handle that is garbage-collected is a lost lock.
			Reference.reachabilityFence(engine);
		}
	}

	private static void run(String[] args, Entrance.Source entrances, LoadProbe probe, Runnable hold,
			PrintStream answers) throws InterruptedException {
		LoadThreads threads = LoadThreads.valueOf(args[1]);
		boolean ownKeys = Boolean.parseBoolean(args[2]);
		List<Integer> counts = List.of(Integer.parseInt(args[9]), Integer.parseInt(args[10]));
		for (int callers : counts) {
			hold.run();
			var unused = LoadRound.measure(entrances, ownKeys, threads, callers, millis(args[8]), probe);
		}
		for (int i = 0; i < Integer.parseInt(args[6]); i++) {
			// The order alternates: the first one of a pair of rounds is the second one
			// of the next pair.
			for (int j = 0; j < 2; j++) {
				hold.run();
				answers.println(
						LoadRound.measure(entrances, ownKeys, threads, counts.get((i + j) % 2), millis(args[7]), probe)
							.line());
			}
		}
	}

	private static Duration millis(String number) {
		return Duration.ofMillis(Long.parseLong(number));
	}

}
