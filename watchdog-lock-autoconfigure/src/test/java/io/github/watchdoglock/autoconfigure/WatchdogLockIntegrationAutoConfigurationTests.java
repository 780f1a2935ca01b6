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

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link WatchdogLockIntegrationAutoConfiguration}.
 */
class WatchdogLockIntegrationAutoConfigurationTests {

	private static final LockKey REPORTS = LockKey.of("integration", "reports");

	private final ApplicationContextRunner runner = LockContexts.local();

	@Test
	void locksOfRegistryExcludeLocksOfService() {
		this.runner.run((context) -> {
			LockService locks = context.getBean(LockService.class);
			LockRegistry<?> registry = context.getBean(LockRegistry.class);
			Lock lock = registry.obtain("reports");
			assertThat(lock.tryLock()).isTrue();
			assertThat(locks.find(REPORTS)).isPresent();
			lock.unlock();
			assertThat(locks.find(REPORTS)).isEmpty();
			try (LockHandle elsewhere = locks.acquire(LockRequest.of(REPORTS)).detach()) {
				assertThat(registry.obtain("reports").tryLock()).as("registry acquires a lock that the service holds")
					.isFalse();
				assertThat(elsewhere.isHeld()).isTrue();
			}
			assertThat(registry.executeLocked("others", () -> "done")).isEqualTo("done");
		});
	}

	/* Before Spring Integration 7.0 the type has no type parameter. */
	@Test
	void registryFactoryMethodReturnsRawType() throws NoSuchMethodException {
		Method method = WatchdogLockIntegrationAutoConfiguration.class.getDeclaredMethod("watchdogLockRegistry",
				ObjectProvider.class);
		assertThat(method.getGenericReturnType()).isEqualTo(LockRegistry.class);
	}

	@Test
	void secondCandidateLeadsOnlyAfterFirstStops() {
		this.runner.run((context) -> {
			List<String> news = new CopyOnWriteArrayList<>();
			AtomicBoolean overlap = new AtomicBoolean();
			LockRegistryLeaderInitiator first = initiator(context.getBean(LockRegistry.class), "first", news::add);
			first.start();
			await().until(() -> news.contains("first granted"));
			Context ofFirst = first.getContext();
			LockRegistryLeaderInitiator second = initiator(context.getBean(LockRegistry.class), "second", (said) -> {
				// The first candidate is notified on another thread.
				overlap.compareAndSet(false, said.equals("second granted") && ofFirst.isLeader());
				news.add(said);
			});
			second.start();
			try {
				assertThat(second.getContext().isLeader()).isFalse();
				first.stop();
				await().until(() -> news.contains("second granted") && news.contains("first revoked"));
				assertThat(second.getContext().isLeader()).isTrue();
				assertThat(overlap).isFalse();
			}
			finally {
				second.stop();
			}
			assertThat(news).containsOnlyOnce("first granted", "first revoked", "second granted");
		});
	}

	@Test
	void leaderIsRevokedAtOnceAfterLossAndGrantedAgain() {
		this.runner.run((context) -> {
			List<String> news = new CopyOnWriteArrayList<>();
			LockRegistryLeaderInitiator initiator = initiator(context.getBean(LockRegistry.class), "one", news::add);
			// Longer than the test, so that only the interrupt can end the term earlier.
			initiator.setHeartBeatMillis(Duration.ofMinutes(1).toMillis());
			initiator.start();
			try {
				await().untilAsserted(() -> assertThat(news).containsExactly("one granted"));
				context.getBean(LockService.class).forceRelease(REPORTS);
				await()
					.untilAsserted(() -> assertThat(news).containsExactly("one granted", "one revoked", "one granted"));
			}
			finally {
				initiator.stop();
			}
		});
	}

	@Test
	void registryBeanOfApplicationReplacesRegistryOfLibrary() {
		this.runner.withBean(DefaultLockRegistry.class)
			.run((context) -> assertThat(context).hasSingleBean(LockRegistry.class)
				.doesNotHaveBean("watchdogLockRegistry"));
	}

	private static LockRegistryLeaderInitiator initiator(LockRegistry<?> registry, String id, Consumer<String> news) {
		LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(registry,
				new DefaultCandidate(id, "reports") {

					@Override
					public void onGranted(Context context) {
						news.accept(id + " granted");
					}

					@Override
					public void onRevoked(Context context) {
						news.accept(id + " revoked");
					}

				});
		initiator.setBusyWaitMillis(10);
		initiator.setHeartBeatMillis(10);
		return initiator;
	}

}
