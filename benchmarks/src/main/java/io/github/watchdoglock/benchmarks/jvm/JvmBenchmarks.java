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

package io.github.watchdoglock.benchmarks.jvm;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

import io.github.watchdoglock.benchmarks.report.Measure;
import io.github.watchdoglock.benchmarks.report.Results;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The benchmarks within one JVM, which JMH runs.
 */
public final class JvmBenchmarks {

	/** The id of the case in options and results. */
	public static final String ID = "in-jvm";

	private static final String TITLE = "Within one JVM, with the store in memory, one thread";

	private JvmBenchmarks() {
	}

	/**
	 * Run the benchmarks, each in separate JVMs.
	 * @param quick whether the run only checks that the benchmarks work
	 * @param log the file for JMH's output
	 * @param results receives the results
	 * @throws RunnerException if a benchmark fails
	 */
	public static void run(boolean quick, Path log, Results results) throws RunnerException {
		System.out.println(TITLE);
		ChainedOptionsBuilder options = new OptionsBuilder().include("\\.watchdoglock\\..*Benchmark\\.")
			.shouldFailOnError(true)
			.jvmArgsAppend("-Xms256m", "-Xmx512m")
			.output(log.toString())
			.forks(quick ? 1 : 2)
			.warmupIterations(quick ? 1 : 3)
			.measurementIterations(quick ? 1 : 3)
			.warmupTime(TimeValue.milliseconds(quick ? 100 : 700))
			.measurementTime(TimeValue.milliseconds(quick ? 100 : 500));
		for (RunResult run : new Runner(options.build()).run()) {
			String label = label(run.getParams());
			for (BenchmarkResult fork : run.getBenchmarkResults()) {
				for (IterationResult iteration : fork.getIterationResults()) {
					results.add(ID, TITLE, label, Map.of(Measure.NANOS, iteration.getPrimaryResult().getScore()));
				}
			}
			System.out.printf("     %-34s %,.1f ns%n", label, run.getPrimaryResult().getScore());
		}
	}

	/* Such as "lock and unlock, meters on". */
	private static String label(BenchmarkParams params) {
		String benchmark = params.getBenchmark();
		String words = benchmark.substring(benchmark.lastIndexOf('.') + 1)
			.replaceAll("([A-Z])", " $1")
			.toLowerCase(Locale.ROOT);
		StringBuilder label = new StringBuilder(words);
		params.getParamsKeys().forEach((key) -> label.append(", ").append(params.getParam(key)));
		return label.toString();
	}

}
