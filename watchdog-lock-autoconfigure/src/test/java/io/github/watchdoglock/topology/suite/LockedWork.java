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

package io.github.watchdoglock.topology.suite;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.annotation.DistributedLock;
import reactor.core.publisher.Mono;

/**
 * Methods under locks. The counts are shared by all instances, and exact only under the
 * locks.
 */
class LockedWork {

	private static final Map<String, int[]> counts = new ConcurrentHashMap<>();

	static int count(String id) {
		int[] count = counts.get(id);
		return (count != null) ? count[0] : 0;
	}

	static void forget() {
		counts.clear();
	}

	@DistributedLock(name = "count", key = "#ids", waitTime = "60s")
	void count(List<String> ids) {
		for (String id : ids) {
			int[] count = counts.computeIfAbsent(id, (absent) -> new int[1]);
			int before = count[0];
			LockSupport.parkNanos(50_000);
			count[0] = before + 1;
		}
	}

	@DistributedLock("stage")
	CompletableFuture<Void> stage(CompletableFuture<Void> end) {
		return end;
	}

	@DistributedLock("reactive")
	Mono<Void> reactive(Mono<Void> end) {
		return end;
	}

	@DistributedLock(name = "stage", waitTime = "0s", onContention = OnContention.SKIP)
	Optional<String> orNot() {
		return Optional.of("ran");
	}

}
