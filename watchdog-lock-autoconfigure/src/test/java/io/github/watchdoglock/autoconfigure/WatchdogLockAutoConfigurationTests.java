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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.metrics.LockMeters;
import io.github.watchdoglock.redis.RedisLocks;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WatchdogLockAutoConfiguration} and related auto-configurations.
 */
@ExtendWith(OutputCaptureExtension.class)
class WatchdogLockAutoConfigurationTests {

	private final ApplicationContextRunner plain = LockContexts.plain();

	private final ApplicationContextRunner local = LockContexts.local();

	@Test
	void locksAreKeptInMemoryWhenStoreIsLocal() {
		this.local.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class)).run((context) -> {
			assertThat(context).hasSingleBean(EngineBean.class).doesNotHaveBean(RedisLocks.class);
			try (LockHandle handle = context.getBean(LockService.class).acquire(LockRequest.of("orders"))) {
				assertThat(handle.isHeld()).isTrue();
				assertThat(context.getBean(LocalLocks.class).current()).hasSize(1);
			}
		});
	}

	@Test
	void listenerWithLockServiceIsNotifiedOfRelease() {
		this.local.withBean(NeedyListener.class).run((context) -> {
			assertThat(context).hasNotFailed();
			context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			Awaitility.await()
				.untilAsserted(() -> assertThat(context.getBean(NeedyListener.class).released).hasValue(1));
		});
	}

	@Test
	void disabledLocksNeedNoStoreAndAreLoggedOnce(CapturedOutput output) {
		this.plain.withPropertyValues("watchdog-lock.enabled=false")
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
			.run((context) -> {
				assertThat(context).hasSingleBean(LockService.class)
					.hasSingleBean(LocalLocks.class)
					.hasSingleBean(LockAdvisor.class)
					.doesNotHaveBean(RedisLocks.class);
				assertThat(output.toString().split("Locks do not exclude any callers"))
					.as("log lines that locks are disabled")
					.hasSize(2);
			});
	}

	@Test
	void lossIsReportedForLockHeldAfterShutdownTimeout() {
		List<LockLoss.Reason> reasons = new CopyOnWriteArrayList<>();
		this.local.withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
			.withInitializer(
					(context) -> context.getBeanFactory().registerSingleton("lifecycleProcessor", shortPhases(context)))
			.run((context) -> {
				LockHandle handle = context.getBean(LockService.class).acquire(LockRequest.of("orders"));
				handle.whenLost().thenAccept((loss) -> reasons.add(loss.reason()));
			});
		Awaitility.await().until(() -> reasons.contains(LockLoss.Reason.SHUTDOWN));
	}

	private static DefaultLifecycleProcessor shortPhases(ConfigurableApplicationContext context) {
		DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
		processor.setTimeoutPerShutdownPhase(200);
		processor.setBeanFactory(context.getBeanFactory());
		return processor;
	}

	@Test
	void metersAreRecordedWithRegistryWithoutListenerBean() {
		this.local.withBean(SimpleMeterRegistry.class).withBean(Listeners.class).run((context) -> {
			assertThat(context).hasSingleBean(LockMeters.class);
			assertThat(context.getBean(Listeners.class).all()).isEmpty();
			context.getBean(LockService.class).acquire(LockRequest.of("orders", "42")).close();
			assertThat(context.getBean(MeterRegistry.class)
				.get("watchdog.lock.acquire")
				.tags("lock", "orders", "outcome", "acquired")
				.timer()
				.count()).isOne();
		});
	}

	@Test
	void metersAreAbsentWhenDisabledByProperty() {
		this.local.withBean(SimpleMeterRegistry.class)
			.withPropertyValues("watchdog-lock.metrics.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().doesNotHaveBean(LockMeters.class);
				context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
				assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
			});
	}

	@Test
	void noExecutorOrConnectionFactoryBeanIsAdded() {
		this.local.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context).doesNotHaveBean(Executor.class)
				.doesNotHaveBean(ScheduledExecutorService.class)
				.doesNotHaveBean(RedisConnectionFactory.class));
	}

	record Listeners(ObjectProvider<LockListener> all) {

	}

	static class NeedyListener implements LockListener {

		private final AtomicInteger released = new AtomicInteger();

		NeedyListener(LockService locks) {
			assertThat(locks).isNotNull();
		}

		@Override
		public void released(LockKey key, long token, Duration held) {
			this.released.incrementAndGet();
		}

	}

}
