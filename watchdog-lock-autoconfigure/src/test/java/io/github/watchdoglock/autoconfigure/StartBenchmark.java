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

package io.github.watchdoglock.autoconfigure;

import java.io.BufferedReader;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.sun.management.OperatingSystemMXBean;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What a start costs: CPU time of the process and classes that are loaded until the
 * application (web, actuator, Redis, one locked method) is ready, without the library,
 * with locks in the JVM and with locks in Redis. Run by name only; prints medians of
 * interleaved starts.
 */
class StartBenchmark {

	private static final int ROUNDS = Integer.getInteger("rounds", 9);

	/* The rest of what tests need, and no application of this kind has. */
	private static final Pattern NOT_OF_THE_APPLICATION = Pattern
		.compile(".*(jdbc|security|HikariCP|/h2-|tracing|opentelemetry|prometheus|jedis|testcontainers|rxjava|test"
				+ "|junit|surefire|archunit|assertj|mockito|byte-buddy|embedded-redis|docker-java|[Hh]amcrest).*\\.jar");

	@Test
	void cpuUntilReady() throws Exception {
		List<Variant> variants = List.of(new Variant("without", List.of()),
				new Variant("local", List.of("--watchdog-lock.store=local")), new Variant("redis", List.of()));
		for (int round = 0; round < ROUNDS; round++) {
			for (Variant variant : variants) {
				variant.start();
			}
		}
		variants.forEach(Variant::print);
	}

	private record Variant(String name, List<String> arguments, List<Long> cpuMillis, List<Long> classes) {

		Variant(String name, List<String> arguments) {
			this(name, arguments, new ArrayList<>(), new ArrayList<>());
		}

		void start() throws Exception {
			List<String> command = new ArrayList<>(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath(),
							Application.class.getName(), "--server.port=0"));
			command.addAll(this.arguments);
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			try (BufferedReader output = process.inputReader()) {
				String[] ready = output.lines()
					.filter((line) -> line.startsWith("ready "))
					.findFirst()
					.orElseThrow()
					.split(" ", -1);
				this.cpuMillis.add(Long.parseLong(ready[1]));
				this.classes.add(Long.parseLong(ready[2]));
			}
			process.waitFor();
		}

		private String classPath() {
			String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
			return Arrays.stream(all.split(File.pathSeparator, -1))
				.filter((entry) -> !NOT_OF_THE_APPLICATION.matcher(entry).matches())
				.filter((entry) -> !this.name.equals("without") || entry.endsWith("test-classes")
						|| entry.endsWith(".jar"))
				.collect(Collectors.joining(File.pathSeparator));
		}

		void print() {
			Collections.sort(this.cpuMillis);
			Collections.sort(this.classes);
			System.out.printf(Locale.ROOT, "%-8s %5d ms of CPU until ready (%d to %d), %d classes%n", this.name,
					this.cpuMillis.get(ROUNDS / 2), this.cpuMillis.get(0), this.cpuMillis.get(ROUNDS - 1),
					this.classes.get(ROUNDS / 2));
		}

	}

	/* As an application's, to be started by the JVM. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Application implements ApplicationListener<ApplicationReadyEvent> {

		public static void main(String[] args) {
			SpringApplication.run(Application.class, args).close();
		}

		@Override
		public void onApplicationEvent(ApplicationReadyEvent event) {
			OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
			System.out.println("ready " + system.getProcessCpuTime() / 1_000_000 + " "
					+ ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
		}

		@Bean
		Shop shop() {
			return new Shop();
		}

	}

	static class Shop {

		@DistributedLock(name = "orders", key = "#order")
		void buy(String order) {
		}

	}

}
