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

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.watchdoglock.benchmarks.run.Redis;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Ticker;
import io.github.watchdoglock.time.TimerWheel;

/**
 * What all locks of an engine share, how often each lock comes there, and for how long:
 * that many locks a second could be had if nothing else took any time. For a JDK 25,
 * whose flight recorder counts calls.
 */
public final class SectionRun {

	private static final int CALLS = 3_000_000;

	private static final int CALLERS = 64;

	private static final int CORES = 16;

	private static final String CLOCK = "io.github.watchdoglock.time.Clock::readNoticingSleep";

	private static final String SET = "io.github.watchdoglock.time.TimerWheel::set";

	private static final String CANCEL = "io.github.watchdoglock.time.TimerWheel::cancel";

	private static final long DUE = TimeUnit.SECONDS.toNanos(10);

	/* As an engine has them. */
	private static final Clock ONE_CLOCK = new Clock(Ticker.system(), InstantSource.system());

	private static final TimerWheel ONE_WHEEL = new TimerWheel(System.nanoTime());

	private SectionRun() {
	}

	/**
	 * Begin, in the root of the project.
	 * @param args none
	 * @throws Exception if anything went wrong
	 */
	public static void main(String[] args) throws Exception {
		Locale.setDefault(Locale.ROOT);
		if (Runtime.version().feature() < 25) {
			throw new IllegalStateException("This needs a JDK 25: set JAVA_HOME");
		}
		System.out.println("| section | alone | all cores at once |\n|---|---|---|");
		double clock = section("clock", SectionRun::clock);
		double wheel = section("wheel, set and cancel", SectionRun::wheel);
		System.out.println("\n| | CPU for each lock | clock | wheel: set, cancel | busy with the locks of " + CORES
				+ " cores: clock, wheel | at most, alone | parked at clock, wheel, others |"
				+ "\n|---|---|---|---|---|---|---|");
		try (Redis redis = Redis.start(null)) {
			profile("store in memory", LoadedEngine.alone(), clock, wheel);
			profile("Redis", LoadedEngine.over(redis.port()), clock, wheel);
		}
		System.exit(0);
	}

	private static Runnable clock() {
		return ONE_CLOCK::readNoticingSleep;
	}

	private static Runnable wheel() {
		TimerWheel.Alarm alarm = new TimerWheel.Alarm() {

			@Override
			public void proceed(long now) {
			}

		};
		return () -> {
			ONE_WHEEL.set(alarm, System.nanoTime() + DUE);
			ONE_WHEEL.cancel(alarm);
		};
	}

	/* Nanoseconds that one takes alone. */
	private static double section(String name, Supplier<Runnable> section) throws InterruptedException {
		nanos(section, 1);
		double alone = nanos(section, 1);
		System.out.printf("| %s | %.0f ns | %.0f ns |%n", name, alone,
				nanos(section, Runtime.getRuntime().availableProcessors()));
		return alone;
	}

	/* From one to the next, whoever takes it. */
	private static double nanos(Supplier<Runnable> section, int threads) throws InterruptedException {
		List<Thread> all = new ArrayList<>();
		long start = System.nanoTime();
		for (int i = 0; i < threads; i++) {
			Thread thread = new Thread(() -> {
				Runnable call = section.get();
				for (int j = 0; j < CALLS; j++) {
					call.run();
				}
			});
			thread.start();
			all.add(thread);
		}
		for (Thread thread : all) {
			thread.join();
		}
		return (System.nanoTime() - start) / (double) CALLS / threads;
	}

	private static void profile(String title, LoadedEngine engine, double clock, double wheel) throws Exception {
		Entrance.Source entrances = Entrance.of(engine.locks());
		Map<String, Double> counts = FlightRecords.counts(entrances.of("counted"), List.of(CLOCK, SET, CANCEL));
		LoadRound.measure(entrances, true, LoadThreads.PLATFORM, CALLERS, Duration.ofSeconds(3), engine.probe());
		LoadResult[] measured = new LoadResult[1];
		Map<String, Double> parked = FlightRecords.parked(List.of(Clock.class, TimerWheel.class),
				() -> measured[0] = LoadRound.measure(entrances, true, LoadThreads.PLATFORM, CALLERS,
						Duration.ofSeconds(3), engine.probe()));
		LoadResult result = measured[0];
		double clocks = counts.getOrDefault(CLOCK, 0.0);
		double sets = counts.getOrDefault(SET, 0.0);
		double cancels = counts.getOrDefault(CANCEL, 0.0);
		double share = clocks * clock;
		double wheels = (sets + cancels) / 2 * wheel;
		System.out.printf(
				"| %s | %.1f µs | %.1f × %.0f ns | %.1f, %.1f × %.0f ns | %.0f %%, %.0f %% of the time |"
						+ " %,.0f, %,.0f locks/s | %.2f s, %.2f s, %.0f s |%n",
				title, result.cpuMicros(), clocks, clock, sets, cancels, wheel / 2,
				CORES * share / 10 / result.cpuMicros(), CORES * wheels / 10 / result.cpuMicros(), 1e9 / share,
				1e9 / wheels, parked.getOrDefault(Clock.class.getName(), 0.0),
				parked.getOrDefault(TimerWheel.class.getName(), 0.0), parked.getOrDefault(FlightRecords.OTHERS, 0.0));
	}

}
