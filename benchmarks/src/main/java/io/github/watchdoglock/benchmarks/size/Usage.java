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
 * The work of the servers until a moment.
 *
 * @param nanos the moment, by {@link System#nanoTime()}
 * @param scripts the number of executed scripts
 * @param messages the number of published messages
 * @param bytes the traffic in both directions, without the bus of a cluster
 * @param cpuSeconds the CPU time of each server
 */
record Usage(long nanos, double scripts, double messages, double bytes, List<Double> cpuSeconds) {

	static Usage of(List<Redis> servers) {
		return new Usage(System.nanoTime(),
				servers.stream().mapToLong((each) -> each.calls(List.of("eval", "evalsha"))).sum(),
				servers.stream().mapToLong((each) -> each.calls(List.of("publish"))).sum(),
				servers.stream().mapToLong(Redis::trafficBytes).sum(),
				servers.stream().map(Redis::cpuSeconds).toList());
	}

	/* The average rates since another moment. */
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
	 * The work of the servers in one second.
	 *
	 * @param scripts the number of executed scripts
	 * @param messages the number of published messages
	 * @param bytes the traffic in both directions
	 * @param cpu the processors that all servers used
	 * @param busiest the processors that the busiest server used
	 */
	record Rate(double scripts, double messages, double bytes, double cpu, double busiest) {

		/** The rate of idle servers without instances. */
		static final Rate NONE = new Rate(0, 0, 0, 0, 0);

		/*
		 * The additional work compared with another rate, for each of a number of
		 * operations per second.
		 */
		Rate onTopOf(Rate other, double perSecond) {
			return new Rate((this.scripts - other.scripts) / perSecond, (this.messages - other.messages) / perSecond,
					(this.bytes - other.bytes) / perSecond, (this.cpu - other.cpu) / perSecond,
					(this.busiest - other.busiest) / perSecond);
		}

	}

}
