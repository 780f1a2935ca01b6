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

package io.github.watchdoglock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the API that users may rely on. Any other public type is public only because
 * another package needs it, and the documentation of its package says that it is
 * internal.
 */
class ApiTests {

	private static final Path SOURCES = Path.of("src/main/java/io/github/watchdoglock");

	private static final Pattern PUBLIC = Pattern.compile("^public ", Pattern.MULTILINE);

	/*
	 * If a package boundary needs more public types than this, it is in the wrong place.
	 */
	private static final int MAX_PUBLIC_TYPES = 166;

	private static final Map<String, Set<String>> API = Map.of("",
			Set.of("Lease", "LocalLocks", "LockAction", "LockCallback", "LockConfigurationException", "LockException",
					"LockHandle", "LockHandles", "LockInterruptedException", "LockKey", "LockKeyException",
					"LockListener", "LockLoss", "LockLostException", "LockMode", "LockNotAcquiredException",
					"LockRelease", "LockRequest", "LockService", "LockServiceClosedException", "LockSnapshot",
					"LockState", "LockStoreException", "LockUpgradeException", "OnContention", "OnLoss",
					"ReactiveLockService", "Renewal", "LeaderElection", "LeaderListener", "LeaderTerm", "LeaderWork",
					"Leadership"),
			"annotation", Set.of("DistributedLock", "DistributedLocks", "LeaderOnly", "LockedJob"), "event",
			Set.of("LockAbandonedEvent", "LockAcquiredEvent", "LockAtRiskEvent", "LockEvent", "LockLongHoldEvent",
					"LockLostEvent", "LockMaxHoldExceededEvent", "LockRecoveredEvent", "LockReleaseFailedEvent",
					"LeadershipAtRiskEvent", "LeadershipEvent", "LeadershipGrantedEvent", "LeadershipRecoveredEvent",
					"LeadershipRevokedEvent"),
			"metrics",
			Set.of("LockAcquireObservationConvention", "LockHoldObservationConvention", "LockObservationContext"),
			"autoconfigure",
			Set.of("WatchdogLockAdviceAutoConfiguration", "WatchdogLockAutoConfiguration",
					"WatchdogLockEndpointAutoConfiguration", "WatchdogLockFenceAutoConfiguration",
					"WatchdogLockHealthAutoConfiguration", "WatchdogLockIntegrationAutoConfiguration",
					"WatchdogLockLeaderAutoConfiguration", "WatchdogLockLeadersEndpointAutoConfiguration",
					"WatchdogLockMetricsAutoConfiguration", "WatchdogLockObservationAutoConfiguration",
					"WatchdogLockReactiveAutoConfiguration", "WatchdogLockRedisAutoConfiguration",
					"WatchdogLockTransactionAutoConfiguration", "WatchdogLockWebAutoConfiguration"));

	@Test
	void publicTypesBelongToApiOrInternalPackage() throws IOException {
		Map<String, Set<String>> found = new TreeMap<>();
		for (Path file : publicTypes()) {
			Path folder = SOURCES.relativize(file).getParent();
			String room = (folder != null) ? folder.toString().replace('/', '.') : "";
			found.computeIfAbsent(room, (same) -> new TreeSet<>())
				.add(file.getFileName().toString().replaceFirst("\\.java$", ""));
		}
		assertThat(found).containsKeys(API.keySet().toArray(String[]::new)).allSatisfy((room, types) -> {
			Set<String> api = API.getOrDefault(room, Set.of());
			assertThat(types).as(room).containsAll(api);
			if (!types.equals(api)) {
				assertThat(SOURCES.resolve(room.replace('.', '/')).resolve("package-info.java")).content()
					.containsIgnoringCase("internal");
			}
		});
	}

	@Test
	void numberOfPublicTypesStaysWithinLimit() throws IOException {
		assertThat(publicTypes()).hasSizeLessThanOrEqualTo(MAX_PUBLIC_TYPES);
	}

	private static List<Path> publicTypes() throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			return files
				.filter((file) -> file.toString().endsWith(".java") && !file.endsWith("package-info.java")
						&& PUBLIC.matcher(read(file)).find())
				.toList();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
