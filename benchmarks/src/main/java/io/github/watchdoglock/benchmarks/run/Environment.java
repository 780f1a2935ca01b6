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
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.management.OperatingSystemMXBean;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.benchmarks.lock.Contender;
import io.lettuce.core.RedisClient;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.Main;
import org.redisson.Redisson;

import org.springframework.boot.SpringApplication;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * The environment that the numbers depend on: machine, versions, date.
 */
public final class Environment {

	private static final Pattern CPU = Pattern.compile("(?m)^model name\\s*: (.*)$");

	private static final Pattern VERSION = Pattern.compile("-(\\d[^/]*)\\.jar");

	private Environment() {
	}

	/**
	 * Determine the facts of the environment.
	 * @param redisVersion the version of the server
	 * @param before the jar of an earlier build; null if there is none
	 * @return the facts by their names
	 * @throws IOException if a fact cannot be read
	 */
	public static Map<String, String> describe(String redisVersion, @Nullable Path before) throws IOException {
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		Map<String, String> facts = new LinkedHashMap<>();
		facts.put("date", LocalDate.now(ZoneOffset.UTC).toString());
		facts.put("machine", cpu() + ", " + system.getAvailableProcessors() + " cores, "
				+ Math.round(system.getTotalMemorySize() / (double) (1 << 30)) + " GiB");
		facts.put("load before", String.format("%.2f", system.getSystemLoadAverage()));
		facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
		facts.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
		facts.put("Redis", redisVersion + ", on the same machine");
		facts.put("watchdog-lock",
				version(LockService.class) + " (" + System.getProperty("benchmarks.commit", "unknown commit") + ")");
		if (before != null) {
			facts.put(Contender.WATCHDOG_LOCK_BEFORE.title(), String.valueOf(before.getFileName()));
		}
		facts.put("Spring Boot", version(SpringApplication.class));
		facts.put("Lettuce", version(RedisClient.class));
		facts.put("Redisson", version(Redisson.class));
		facts.put("Spring Integration", version(RedisLockRegistry.class));
		facts.put("ShedLock", version(RedisLockProvider.class));
		facts.put("JMH", version(Main.class));
		return facts;
	}

	private static String cpu() throws IOException {
		Path info = Path.of("/proc/cpuinfo");
		Matcher matcher = CPU.matcher(Files.isReadable(info) ? Files.readString(info) : "");
		return matcher.find() ? matcher.group(1) : System.getProperty("os.arch");
	}

	/* The version of the jar that contains a class. */
	private static String version(Class<?> type) {
		Matcher matcher = VERSION.matcher(type.getProtectionDomain().getCodeSource().getLocation().getPath());
		return matcher.find() ? matcher.group(1) : "unknown";
	}

}
