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

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.watchdoglock.benchmarks.load.LoadCase.Java;
import io.github.watchdoglock.benchmarks.report.LoadReport;
import io.github.watchdoglock.benchmarks.report.Report;
import io.github.watchdoglock.benchmarks.report.Results;
import io.github.watchdoglock.benchmarks.run.Environment;
import io.github.watchdoglock.benchmarks.run.Redis;

/**
 * A run that measures few callers against many, each case in its own JVM, and writes
 * results and the table that shows them.
 */
public final class LoadRun {

	private static final Path TARGET = Path.of("benchmarks", "target", "load");

	/*
	 * In addition to its rounds: a case that needs more time has reached the limit of the
	 * system.
	 */
	private static final Duration MAX_TIME = Duration.ofMinutes(10);

	private LoadRun() {
	}

	/**
	 * Run in the root of the project.
	 * @param args options: see {@code benchmarks/README.md}
	 * @throws Exception if anything went wrong
	 */
	public static void main(String[] args) throws Exception {
		Locale.setDefault(Locale.ROOT);
		LoadOptions options = LoadOptions.parse(args);
		Files.createDirectories(TARGET);
		List<String> failures = new ArrayList<>();
		Results results = measure(options, failures);
		results.write(TARGET.resolve(LoadReport.RESULTS));
		if (options.isPublished()) {
			results.write(Report.FOLDER.resolve(LoadReport.RESULTS));
			LoadReport.write();
		}
		System.out.println(LoadReport.table(results));
		failures.forEach(System.out::println);
		System.exit(failures.isEmpty() ? 0 : 1);
	}

	private static Results measure(LoadOptions options, List<String> failures) throws Exception {
		List<Java> javas = Jdks.find();
		try (Redis redis = Redis.start(null)) {
			Map<String, String> environment = new LinkedHashMap<>(Environment.describe(redis.version(), null));
			environment.keySet().removeAll(List.of("Redisson", "Spring Integration", "ShedLock", "JMH"));
			environment.put("Java", String.join(", ", javas.stream().map((java) -> "" + java.feature()).toList()));
			Results results = new Results(environment, settings(options));
			for (Java java : javas) {
				for (LoadCase each : LoadCase.of(java).stream().filter(options::includes).toList()) {
					System.out.println(each.title());
					// A case that cannot be measured at all is a result, too.
					if (!measure(each, options, redis.port(), results)) {
						failures.add(each.title() + " failed: see " + log(each));
					}
				}
			}
			return results;
		}
	}

	private static Map<String, String> settings(LoadOptions options) {
		Map<String, String> settings = new LinkedHashMap<>();
		settings.put("few", String.valueOf(LoadOptions.FEW));
		settings.put("many", String.valueOf(options.callers()));
		settings.put("rounds", String.valueOf(options.rounds()));
		settings.put("seconds", String.valueOf(options.length().toMillis() / 1e3));
		settings.put("leaseMillis", String.valueOf(LoadOptions.LEASE.toMillis()));
		return settings;
	}

	/* Return whether all rounds were measured. */
	private static boolean measure(LoadCase each, LoadOptions options, int port, Results results)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(each.java().program().toString(), "-Xms256m", "-Xmx512m", "-cp",
				System.getProperty("java.class.path"), LoadWorker.class.getName()));
		Stream
			.of(each.kind(), each.threads(), each.ownKeys(), port, options.held(), LoadOptions.LEASE.toMillis(),
					options.rounds(), options.length().toMillis(), options.warmUp().toMillis(), LoadOptions.FEW,
					options.callers())
			.map(String::valueOf)
			.forEach(command::add);
		Process worker = new ProcessBuilder(command).redirectError(Redirect.to(log(each).toFile())).start();
		Duration most = options.length().multipliedBy(2L * options.rounds()).plus(MAX_TIME);
		// Not from the process object, which would close the stream that is read below.
		CompletableFuture<Void> end = CompletableFuture.runAsync(worker.toHandle()::destroyForcibly,
				CompletableFuture.delayedExecutor(most.toSeconds(), TimeUnit.SECONDS));
		try (BufferedReader lines = worker.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (LoadResult.isLine(line)) {
					LoadResult result = LoadResult.parse(line);
					results.add(each.id(), each.title(), String.valueOf(result.callers()),
							result.values(each.kind().hasLocks()));
					System.out.printf("  %,7d callers %,12.0f /s %,7.0f B %,9.1f ms late, %d failures%n",
							result.callers(), result.perSecond(), result.bytes(), result.lateMillis(),
							result.failures());
				}
			}
			return worker.waitFor() == 0;
		}
		finally {
			end.cancel(false);
			worker.destroyForcibly();
		}
	}

	private static Path log(LoadCase each) {
		return TARGET.resolve(each.id() + ".log");
	}

}
