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
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/**
 * A player of worlds, one after the other. Not thread-safe. It is found by reflection,
 * because it is another class in a class loader that adds error points.
 */
public final class Simulation {

	private static final Reserve RESERVE = new Reserve();

	private static final Tally TALLY = new Tally();

	private static long steps;

	private Simulation() {
	}

	/**
	 * Play worlds.
	 * @param first seed of the first
	 * @param by by how much greater each following seed is
	 * @param nanos for how long
	 * @param most the maximum number
	 * @return the number of worlds played
	 */
	public static long play(long first, long by, long nanos, long most) {
		long end = System.nanoTime() + nanos;
		long played = 0;
		for (long seed = first; played < most && System.nanoTime() - end < 0; seed += by) {
			play(seed);
			played++;
		}
		return played;
	}

	/**
	 * Play one world; a failure has all that is known about the violation.
	 * @param seed its seed
	 */
	public static void play(long seed) {
		String violation = play(seed, new BitSet(), null);
		if (violation != null) {
			throw new AssertionError(new Shrinker(seed, violation).tell());
		}
	}

	/* Returns null if nothing was violated. */
	static String play(long seed, BitSet left, List<String> trace) {
		World world = new World(seed, left, trace, RESERVE, TALLY);
		try {
			world.play();
			steps += world.scheduler.steps;
			return null;
		}
		catch (Violation ex) {
			if (trace != null) {
				world.describe();
				trace.add(String.valueOf(ex.getMessage()));
				if (ex.getCause() != null) {
					trace.add(String.valueOf(ex.getCause()));
					for (StackTraceElement frame : ex.getCause().getStackTrace()) {
						trace.add("    at " + frame);
					}
				}
			}
			return String.valueOf(ex.getMessage());
		}
	}

	/**
	 * Return how often each kind of fault and branch was reached so far.
	 * @return by kind
	 */
	public static Map<String, Long> counts() {
		return TALLY.counts();
	}

	/**
	 * Return the number of steps so far.
	 * @return of all worlds without a violation
	 */
	public static long steps() {
		return steps;
	}

	/**
	 * Play worlds until one fails, without details of the failure.
	 * @param first seed of the first
	 * @param by by how much greater each following seed is
	 * @param most the maximum number
	 * @return the seed that failed, or -1
	 */
	public static long find(long first, long by, long most) {
		for (long seed = first; seed < first + by * most; seed += by) {
			if (play(seed, new BitSet(), null) != null) {
				return seed;
			}
		}
		return -1;
	}

	/**
	 * Return the event trace of a world.
	 * @param seed its seed
	 * @return the lines of its trace
	 */
	public static String tell(long seed) {
		List<String> trace = new ArrayList<>();
		play(seed, new BitSet(), trace);
		return String.join("\n", trace);
	}

}
