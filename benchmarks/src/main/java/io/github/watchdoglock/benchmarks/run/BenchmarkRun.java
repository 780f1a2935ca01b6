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

package io.github.watchdoglock.benchmarks.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.github.watchdoglock.benchmarks.jvm.JvmBenchmarks;
import io.github.watchdoglock.benchmarks.report.Report;
import io.github.watchdoglock.benchmarks.report.Results;

/**
 * Measures everything, and writes results and the page that shows them.
 */
public final class BenchmarkRun {

	private static final Path TARGET = Path.of("benchmarks", "target", "run");

	/* At most: each takes two minutes. */
	private static final int RENEWAL_ROUNDS = 3;

	/* It decides for how long a lock is remembered. */
	private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	private BenchmarkRun() {
	}

	/**
	 * Begin, in the root of the project.
	 * @param args options: see {@code benchmarks/README.md}
	 * @throws Exception if a lock did not exclude, or anything else went wrong
	 */
	public static void main(String[] args) throws Exception {
		Locale.setDefault(Locale.ROOT);
		if (args.length == 1 && args[0].equals("--report")) {
			Report.write();
			return;
		}
		Options options = Options.parse(args);
		long start = System.nanoTime();
		Files.createDirectories(TARGET);
		Results results = measure(options);
		Path file = TARGET.resolve(Report.RESULTS);
		if (options.isPublished()) {
			file = (options.redis() == null) ? Report.FOLDER.resolve(Report.RESULTS) : Report.further(results);
			results.write(file);
			Report.write();
		}
		System.out.printf("Results are in %s, after %,d s%n", file, (System.nanoTime() - start) / 1_000_000_000);
		System.exit(0);
	}

	private static Results measure(Options options) throws Exception {
		try (RedisProcess server = RedisProcess.start(options.redis(), TARGET.resolve("redis.log"));
				RedisAdmin redis = new RedisAdmin(server.port())) {
			Results results = new Results(Environment.describe(redis.version(), options.before()), describe(options));
			Place place = Place.of(TARGET, server, redis, options);
			System.out.println("Without a lock the run would fail: " + Proof.run(place, options.settings()));
			try {
				measure(place, options, results);
				if (options.includes(JvmBenchmarks.ID)) {
					JvmBenchmarks.run(options.settings().quick(), results);
				}
			}
			finally {
				// What fails late leaves what came before.
				results.write(TARGET.resolve(Report.RESULTS));
			}
			return results;
		}
	}

	private static void measure(Place place, Options options, Results results) throws Exception {
		Settings settings = options.settings();
		Cases cases = new Cases(settings, options::includes);
		Measuring measuring = new Measuring(place, settings, results);
		measuring.inSameJvms(Layout.ONE, cases.inOneInstance());
		measuring.inSameJvms(Layout.FOUR_JVMS, cases.inFourJvms());
		measuring.inSameJvms(Layout.FOUR_CONTEXTS, cases.inFourContexts());
		for (Case each : cases.renewal()) {
			measuring.inNewJvms(each, settings.heldLease(), Math.min(settings.rounds(), RENEWAL_ROUNDS));
		}
		// Counts, not speeds: once is enough.
		for (Case each : cases.leftovers()) {
			measuring.inNewJvms(each, settings.cyclesLease(), 1);
		}
		for (Case each : cases.traces()) {
			measuring.inNewJvms(each, DEFAULT_LEASE, 1);
		}
	}

	private static Map<String, String> describe(Options options) {
		Settings settings = options.settings();
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("quick", String.valueOf(settings.quick()));
		facts.put("rounds", String.valueOf(settings.rounds()));
		facts.put("seconds", String.valueOf(settings.length().toMillis() / 1e3));
		facts.put("command", "benchmarks/run" + (settings.quick() ? " --quick" : "")
				+ ((options.redis() != null) ? " --redis=…" : "") + ((options.before() != null) ? " --before=…" : ""));
		return facts;
	}

}
