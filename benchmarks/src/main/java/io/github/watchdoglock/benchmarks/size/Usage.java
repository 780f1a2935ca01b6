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

package io.github.watchdoglock.benchmarks.size;

import java.util.List;

import io.github.watchdoglock.benchmarks.run.Redis;

/**
 * What the servers have done until a moment.
 *
 * @param nanos when, by {@link System#nanoTime()}
 * @param scripts how many they have run
 * @param messages how many they have published
 * @param bytes what came in and what went out, without the bus of a cluster
 * @param cpuSeconds the processor time of each of them
 */
record Usage(long nanos, double scripts, double messages, double bytes, List<Double> cpuSeconds) {

	static Usage of(List<Redis> servers) {
		return new Usage(System.nanoTime(),
				servers.stream().mapToLong((each) -> each.calls(List.of("eval", "evalsha"))).sum(),
				servers.stream().mapToLong((each) -> each.calls(List.of("publish"))).sum(),
				servers.stream().mapToLong(Redis::trafficBytes).sum(),
				servers.stream().map(Redis::cpuSeconds).toList());
	}

	/* What each second of the time between was like. */
	Rate since(Usage before) {
		double seconds = (this.nanos - before.nanos) / 1e9;
		double all = 0;
		double busiest = 0;
		for (int i = 0; i < this.cpuSeconds.size(); i++) {
			double cpu = (this.cpuSeconds.get(i) - before.cpuSeconds.get(i)) / seconds;
			all += cpu;
			busiest = Math.max(busiest, cpu);
		}
		return new Rate((this.scripts - before.scripts) / seconds, (this.messages - before.messages) / seconds,
				(this.bytes - before.bytes) / seconds, all, busiest);
	}

	/**
	 * What a second was like.
	 *
	 * @param scripts how many were run
	 * @param messages how many were published
	 * @param bytes what came in and what went out
	 * @param cpu processors that all servers took
	 * @param busiest processors that one of them took at most
	 */
	record Rate(double scripts, double messages, double bytes, double cpu, double busiest) {

		/** Of servers that nobody asks. */
		static final Rate NONE = new Rate(0, 0, 0, 0, 0);

		/* What comes on top of another one, for each of so many a second. */
		Rate onTopOf(Rate other, double perSecond) {
			return new Rate((this.scripts - other.scripts) / perSecond, (this.messages - other.messages) / perSecond,
					(this.bytes - other.bytes) / perSecond, (this.cpu - other.cpu) / perSecond,
					(this.busiest - other.busiest) / perSecond);
		}

	}

}
