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

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

import io.github.watchdoglock.benchmarks.run.Arguments;
import io.github.watchdoglock.benchmarks.run.Redis;
import io.github.watchdoglock.benchmarks.size.Usage.Rate;

/**
 * A run that measures the load of many instances with many locks on one Redis, and on a
 * cluster of three, and prints a table for each.
 */
public final class SizeRun {

	private static final String USAGE = "[--instances=200] [--locks=100000] [--seconds=30]";

	private static final int CLUSTER = 3;

	/*
	 * Locks that were just acquired are renewed together at first, and their renewals are
	 * spread from then on.
	 */
	private static final int SETTLING_SECONDS = 15;

	private final int instances;

	private final int locks;

	private final int seconds;

	private SizeRun(Arguments given) {
		this.instances = given.number("instances", 200);
		this.locks = given.number("locks", 100_000);
		this.seconds = given.number("seconds", 30);
	}

	/**
	 * Run.
	 * @param args {@code --instances=200}, {@code --locks=100000}, {@code --seconds=30}
	 * for each row
	 * @throws Exception if anything went wrong
	 */
	public static void main(String[] args) throws Exception {
		Locale.setDefault(Locale.ROOT);
		SizeRun run = new SizeRun(Arguments.parse(args, USAGE, "instances", "locks", "seconds"));
		long lost = run.measure(1) + run.measure(CLUSTER);
		System.exit((lost == 0) ? 0 : 1);
	}

	/* Return the number of lost locks. */
	private long measure(int nodes) throws IOException, InterruptedException, ExecutionException {
		List<Redis> servers = (nodes > 1) ? Redis.startCluster(nodes) : List.of(Redis.start(null));
		try (Instances all = Instances.start(this.instances, address(servers))) {
			System.out.printf("%nRedis %s, %s, %,d instances%n%n", servers.get(0).version(),
					(nodes > 1) ? "a cluster of " + nodes : "one", this.instances);
			System.out.println("| | a second | scripts | messages | bytes | Redis' processor, µs | of the busiest |\n"
					+ "|---|---|---|---|---|---|---|");
			Rate idle = rate(servers);
			print("instances that wait for nothing", this.instances, idle.onTopOf(Rate.NONE, this.instances));
			long empty = servers.stream().mapToLong(Redis::memory).sum();
			all.hold(this.locks);
			double bytes = (servers.stream().mapToLong(Redis::memory).sum() - empty) / (double) this.locks;
			TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
			Rate held = rate(servers);
			print("locks that are held", this.locks, held.onTopOf(idle, this.locks));
			work(servers, all, "a lock of one's own, taken and released", held, (i) -> "own-" + i);
			work(servers, all, "turns of one lock that all instances want", held, (i) -> "wanted");
			System.out.printf(
					"%n%,.0f bytes of Redis' memory for each lock; with %,d held, %.1f %% of a processor, %.1f %% at the busiest node%n",
					bytes, this.locks, 100 * held.cpu(), 100 * held.busiest());
			long lost = all.lost();
			System.out.printf("%,d locks lost%n", lost);
			return lost;
		}
		finally {
			servers.forEach(Redis::close);
		}
	}

	private static String address(List<Redis> servers) {
		String nodes = servers.stream().map((each) -> "127.0.0.1:" + each.port()).collect(Collectors.joining(","));
		return (servers.size() > 1) ? "spring.data.redis.cluster.nodes=" + nodes
				: "spring.data.redis.url=redis://" + nodes;
	}

	private Rate rate(List<Redis> servers) throws InterruptedException {
		Usage before = Usage.of(servers);
		TimeUnit.SECONDS.sleep(this.seconds);
		return Usage.of(servers).since(before);
	}

	/* A third of the time passes before the measurement. */
	private void work(List<Redis> servers, Instances all, String title, Rate held, IntFunction<String> key)
			throws InterruptedException, ExecutionException {
		try (Instances.Work work = all.work(key)) {
			TimeUnit.MILLISECONDS.sleep(this.seconds * 1_000L / 3);
			long before = work.done().sum();
			Rate rate = rate(servers);
			double perSecond = (work.done().sum() - before) / (double) this.seconds;
			print(title, perSecond, rate.onTopOf(held, perSecond));
			work.end();
		}
	}

	private static void print(String title, double perSecond, Rate each) {
		System.out.printf("| %s | %,.0f | %.2f | %.2f | %,.0f | %,.1f | %,.1f |%n", title, perSecond, each.scripts(),
				each.messages(), each.bytes(), each.cpu() * 1e6, each.busiest() * 1e6);
	}

}
