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

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ContextConsumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the memory of a context that was closed, in a JVM whose threads live on.
 */
class EndedContextTests {

	@Test
	void closedContextIsCollectedAfterOtherThreadsClosedItsHandles() {
		assertCollected(use((context) -> {
			LockService service = context.getBean(LockService.class);
			LockHandle closed = service.acquire(LockRequest.of("closed"));
			LockHandle detached = service.acquire(LockRequest.of("detached"));
			CompletableFuture.runAsync(closed::close).thenRunAsync(detached::detach).get(10, TimeUnit.SECONDS);
			detached.close();
		}));
	}

	@Test
	void closedContextIsCollectedAfterItsLastTerm() {
		assertCollected(use((context) -> {
			context.getBean(LeaderElection.class).join("reports", (term) -> Thread.currentThread().join());
			LockContexts.awaitLeader(context);
		}));
	}

	private static void assertCollected(WeakReference<?> service) {
		// Less than the time for which the tasks of a term are delayed.
		await().atMost(Duration.ofSeconds(15)).untilAsserted(() -> {
			System.gc();
			assertThat(service.refersTo(null)).as("is collected").isTrue();
		});
	}

	/* A separate stack frame, which keeps no references. */
	private static WeakReference<?> use(ContextConsumer<AssertableApplicationContext> use) {
		List<WeakReference<?>> services = new ArrayList<>();
		LockContexts.local().run((context) -> {
			use.accept(context);
			services.add(new WeakReference<>(context.getBean(LockService.class)));
		});
		return services.get(0);
	}

}
