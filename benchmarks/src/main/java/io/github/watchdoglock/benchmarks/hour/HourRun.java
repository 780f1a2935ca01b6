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

package io.github.watchdoglock.benchmarks.hour;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.benchmarks.run.Redis;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;

/**
 * Lets two instances of the sample work for an hour, and compares what they have after a
 * sixth of it with what they have in the end. Nobody asks anything while it is counted.
 */
public final class HourRun {

	/* Longer than a lease and than a report. */
	private static final Duration REST = Duration.ofSeconds(10);

	private final Path folder;

	private final List<Shop> shops = new ArrayList<>();

	private HourRun(Path folder) {
		this.folder = folder;
	}

	/**
	 * Begin, in the root of the project.
	 * @param args {@code --minutes=60}, {@code --rate=20} for how much is asked in a
	 * second, {@code --jar=} for the sample
	 * @throws Exception if anything went wrong
	 */
	public static void main(String[] args) throws Exception {
		Locale.setDefault(Locale.ROOT);
		ApplicationArguments given = new DefaultApplicationArguments(args);
		double minutes = Double.parseDouble(value(given, "minutes", "60"));
		Path folder = Path.of("benchmarks", "target", "hour").toAbsolutePath();
		Files.createDirectories(folder);
		HourRun run = new HourRun(Files.createTempDirectory(folder, "run-"));
		System.exit(run.passes(Path.of(value(given, "jar", "")), Integer.parseInt(value(given, "rate", "20")),
				Duration.ofMillis(Math.round(minutes * 60_000))) ? 0 : 1);
	}

	private static String value(ApplicationArguments given, String name, String fallback) {
		List<String> values = given.getOptionValues(name);
		return (values == null || values.isEmpty()) ? fallback : values.get(values.size() - 1);
	}

	private boolean passes(Path jar, int rate, Duration length) throws IOException, InterruptedException {
		System.out.println("Logs, those of the collector too, are in " + this.folder);
		HttpClient http = HttpClient.newHttpClient();
		try (Redis redis = Redis.start(null)) {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> Shop.closeAll(this.shops)));
			for (String name : List.of("shop-1", "shop-2")) {
				this.shops.add(Shop.start(http, jar, this.folder, name, redis.port()));
			}
			for (Shop shop : this.shops) {
				shop.awaitReady();
			}
			Customers customers = new Customers(this.shops, rate);
			customers.fill();
			long start = System.nanoTime();
			Moment early = count(customers, redis, start + length.toNanos() / 6);
			Moment late = count(customers, redis, start + length.toNanos());
			customers.answers().forEach((what, count) -> System.out.println("  " + what + ": " + count));
			return compare(early, late);
		}
		finally {
			Shop.closeAll(this.shops);
		}
	}

	/* The rest comes after, so that all of them have been busy for as long as said. */
	private Moment count(Customers customers, Redis redis, long at) throws IOException, InterruptedException {
		long start = System.nanoTime();
		Duration cpu = cpu();
		customers.askUntil(at);
		double percent = 100.0 * cpu().minus(cpu).toNanos() / (System.nanoTime() - start);
		System.out.printf("Both instances took %.0f %% of a core%n", percent);
		TimeUnit.SECONDS.sleep(REST.toSeconds());
		List<Census> censuses = new ArrayList<>();
		for (Shop shop : this.shops) {
			censuses.add(shop.census());
		}
		double renewals = 0;
		double losses = 0;
		for (Shop shop : this.shops) {
			renewals += shop.count("watchdog.lock.renewals");
			losses += shop.count("watchdog.lock.lost");
		}
		return new Moment(censuses, redis.connections(), renewals, losses);
	}

	private Duration cpu() {
		return this.shops.stream().map(Shop::cpu).reduce(Duration.ZERO, Duration::plus);
	}

	private boolean compare(Moment early, Moment late) {
		List<Growth> all = new ArrayList<>();
		StringBuilder differences = new StringBuilder();
		for (int i = 0; i < this.shops.size(); i++) {
			Census before = early.censuses.get(i);
			Census after = late.censuses.get(i);
			String name = ", instance " + (i + 1);
			all.add(new Growth("instances of our classes" + name, Census.total(before.classes()),
					Census.total(after.classes())));
			all.add(new Growth("threads" + name, Census.total(before.threads()), Census.total(after.threads())));
			differences.append(Growth.list(before.classes(), after.classes())).append('\n');
			differences.append(Growth.list(before.threads(), after.threads())).append('\n');
		}
		all.add(new Growth("connections to Redis", early.connections, late.connections));
		System.out.println("\n| | after a sixth | in the end | | |\n|---|---|---|---|---|");
		all.forEach((growth) -> System.out.println(growth.row()));
		boolean renewed = late.renewals > early.renewals && early.renewals > 0;
		System.out.printf("| renewals | %,.0f | %,.0f | | %s |%n", early.renewals, late.renewals,
				renewed ? "PASS" : "FAIL");
		System.out.printf("| locks lost | %,.0f | %,.0f | | |%n", early.losses, late.losses);
		System.out.println("\nWhat differs:\n" + differences.toString().replaceAll("\n+", "\n"));
		return renewed && all.stream().allMatch(Growth::passes);
	}

	/**
	 * What there was at one time.
	 *
	 * @param censuses of each instance
	 * @param connections connections to Redis
	 * @param renewals renewals of leases so far
	 * @param losses locks lost so far
	 */
	private record Moment(List<Census> censuses, int connections, double renewals, double losses) {

	}

}
