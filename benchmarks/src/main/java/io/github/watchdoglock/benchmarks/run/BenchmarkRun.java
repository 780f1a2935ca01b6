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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.watchdoglock.benchmarks.jvm.JvmBenchmarks;
import io.github.watchdoglock.benchmarks.lock.Contender;
import io.github.watchdoglock.benchmarks.report.Report;
import io.github.watchdoglock.benchmarks.report.Results;
import io.github.watchdoglock.benchmarks.run.Fleet.Shape;
import org.jspecify.annotations.Nullable;

/**
 * A run that measures everything, and writes results and the page that shows them.
 */
public final class BenchmarkRun {

	private static final Path TARGET = Path.of("benchmarks", "target", "run");

	private BenchmarkRun() {
	}

	/**
	 * Run in the root of the project.
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
			file = options.kinds() ? Report.FOLDER.resolve(Report.KINDS) : Report.file(results);
			results.write(file);
			Report.write();
		}
		else {
			System.out.println(Report.tables(results));
		}
		System.out.printf("Results are in %s, after %,d s%n", file, (System.nanoTime() - start) / 1_000_000_000);
		System.exit(0);
	}

	private static Results measure(Options options) throws Exception {
		try (Redis redis = Redis.start(options.redis())) {
			Map<String, String> environment = Environment.describe(redis.version(), options.before());
			Results results = new Results(environment, describe(options));
			Postgres postgres = startPostgres(options);
			if (postgres != null) {
				environment.put("PostgreSQL", postgres.version() + ", on the same machine");
			}
			Place place = new Place(TARGET, redis, (postgres != null) ? postgres.url() : "",
					ExclusionCell.map(TARGET.resolve(Place.CELLS)), options);
			for (Mix mix : options.kinds() ? Mix.values() : new Mix[] { Mix.EXCLUSIVE }) {
				System.out.println("Without a lock the run would fail: " + prove(place, mix));
			}
			Map<Shape, List<Case>> cases = Cases.all(options)
				.stream()
				.filter((each) -> options.includes(each.id()))
				.filter((each) -> postgres != null || !each.id().startsWith(Cases.FENCE))
				.collect(Collectors.groupingBy(Case::shape, LinkedHashMap::new, Collectors.toList()));
			Rounds rounds = new Rounds(place, results);
			try {
				for (Map.Entry<Shape, List<Case>> each : cases.entrySet()) {
					rounds.measure(each.getKey(), each.getValue());
				}
				if (!options.kinds() && options.includes(JvmBenchmarks.ID)) {
					JvmBenchmarks.run(options.quick(), TARGET.resolve("jmh.log"), results);
				}
			}
			finally {
				// A late failure must not discard earlier results.
				results.write(TARGET.resolve(Report.RESULTS));
			}
			return results;
		}
	}

	private static @Nullable Postgres startPostgres(Options options) throws IOException, InterruptedException {
		if (Cases.all(options)
			.stream()
			.map(Case::id)
			.noneMatch((id) -> id.startsWith(Cases.FENCE) && options.includes(id))) {
			return null;
		}
		Postgres postgres = Postgres.start();
		if (postgres == null) {
			String missing = "PostgreSQL is not installed, and 'fence' cannot be measured without it";
			if (!options.cases().isEmpty()) {
				throw new IllegalStateException(missing);
			}
			System.out.println(missing);
		}
		return postgres;
	}

	/*
	 * Prove that a lock which excludes no caller fails a run, before anything is
	 * measured.
	 */
	private static String prove(Place place, Mix mix) throws IOException, InterruptedException {
		Case proof = Cases.proof(mix);
		try (Fleet fleet = Fleet.start(Contender.NO_LOCK, proof.shape(), place)) {
			proof.round().measure(fleet);
		}
		catch (IllegalStateException ex) {
			return ("" + ex.getMessage()).lines()
				.filter((line) -> line.contains("ExclusionViolation: "))
				.findFirst()
				.map((line) -> line.substring(line.indexOf("Violation: ") + "Violation: ".length()))
				.orElseThrow(() -> ex);
		}
		throw new IllegalStateException("A lock that excludes nobody was not found out: the checks are worth nothing");
	}

	private static Map<String, String> describe(Options options) {
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("rounds", String.valueOf(options.rounds()));
		facts.put("seconds", String.valueOf(options.length().toMillis() / 1e3));
		facts.put("command", "benchmarks/run" + (options.kinds() ? " --kinds" : "")
				+ ((options.redis() != null) ? " --redis=…" : "") + ((options.before() != null) ? " --before=…" : ""));
		return facts;
	}

}
