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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the logging context of work under a lock.
 */
class LockMdcTests {

	private final ApplicationContextRunner working = LockContexts.local().withBean(Work.class);

	@AfterEach
	void clear() {
		MDC.clear();
	}

	@Test
	void mdcContainsLockDuringAnnotatedMethod() {
		this.working.run((context) -> {
			Work work = context.getBean(Work.class);
			assertThat(work.order("42")).containsEntry("lock.name", "orders")
				.containsEntry("lock.key", "42")
				.hasEntrySatisfying("lock.token", (token) -> assertThat(Long.parseLong(token)).isPositive());
			assertThat(work.order("4\n2").get("lock.key")).doesNotContain("\n");
			assertThat(work.report()).containsEntry("lock.name", "report")
				.containsKey("lock.token")
				.doesNotContainKey("lock.key");
			assertThat(work.failing("42")).containsEntry("lock.name", "failing");
			assertThat(context()).isEmpty();
		});
	}

	@Test
	void mdcContainsLockAndTokenDuringCallback() {
		this.working.run((context) -> {
			LockService locks = context.getBean(LockService.class);
			String token = locks.execute(LockRequest.of("orders", "42"), (handle) -> {
				assertThat(context()).containsEntry("lock.name", "orders")
					.containsEntry("lock.key", "42")
					.containsEntry("lock.token", "" + handle.fencingToken());
				return MDC.get("lock.token");
			});
			assertThat(token).isNotNull();
			assertThat(context()).isEmpty();
		});
	}

	@Test
	void mdcIsRestoredToOuterLockAfterInnerLock() {
		this.working.run((context) -> {
			MDC.put("lock.name", "mine");
			MDC.put("user", "7");
			LockService locks = context.getBean(LockService.class);
			List<Map<String, String>> seen = new ArrayList<>();
			locks.execute(LockRequest.of("orders", "42"), (outer) -> {
				Map<String, String> before = context();
				seen.add(context.getBean(Work.class).report());
				assertThat(context()).isEqualTo(before).containsEntry("lock.key", "42");
				return "";
			});
			assertThat(seen).singleElement()
				.satisfies((inner) -> assertThat(inner).containsEntry("lock.name", "report")
					.containsEntry("user", "7")
					.doesNotContainKey("lock.key"));
			assertThat(context()).containsOnly(Map.entry("lock.name", "mine"), Map.entry("user", "7"));
		});
	}

	@Test
	void mdcIsRestoredAfterFailingWork() {
		this.working.run((context) -> {
			assertThatIllegalStateException().isThrownBy(() -> context.getBean(Work.class).throwing());
			assertThatIllegalStateException()
				.isThrownBy(() -> context.getBean(LockService.class).execute(LockRequest.of("orders"), (handle) -> {
					throw new IllegalStateException("work");
				}));
			assertThat(context()).isEmpty();
		});
	}

	@Test
	void mdcContainsLockDuringReactiveCallButNotSubscription() {
		this.working.run((context) -> {
			List<Map<String, String>> seen = Objects
				.requireNonNull(context.getBean(Work.class).reactive("42").block(Duration.ofSeconds(20)));
			assertThat(seen.get(0)).containsEntry("lock.name", "reactive").containsEntry("lock.key", "42");
			assertThat(seen.get(1)).isEmpty();
			assertThat(context()).isEmpty();
		});
	}

	@Test
	void mdcIsUnchangedWhenHandleIsAcquiredInCode() {
		this.working.run((context) -> {
			try (LockHandle handle = context.getBean(LockService.class).acquire(LockRequest.of("orders"))) {
				assertThat(handle.isHeld()).isTrue();
				assertThat(context()).isEmpty();
			}
		});
	}

	private static Map<String, String> context() {
		Map<String, String> context = MDC.getCopyOfContextMap();
		return (context != null) ? new TreeMap<>(context) : Map.of();
	}

	static class Work {

		@DistributedLock(name = "orders", key = "#p0")
		Map<String, String> order(String id) {
			return context();
		}

		@DistributedLock("report")
		Map<String, String> report() {
			return context();
		}

		@DistributedLock(name = "failing", key = "#p0", onLoss = OnLoss.FAIL)
		Map<String, String> failing(String id) {
			return context();
		}

		@DistributedLock(name = "reactive", key = "#p0")
		Mono<List<Map<String, String>>> reactive(String id) {
			Map<String, String> call = context();
			return Mono.fromSupplier(() -> List.of(call, context()));
		}

		@DistributedLock("throwing")
		void throwing() {
			throw new IllegalStateException("work");
		}

	}

}
