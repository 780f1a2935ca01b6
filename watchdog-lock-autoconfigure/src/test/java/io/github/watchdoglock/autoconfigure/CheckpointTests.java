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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.redis.RedisAdmin;
import io.github.watchdoglock.redis.RedisInstance;
import io.github.watchdoglock.redis.RedisServerExtension;
import org.crac.Context;
import org.crac.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Checkpoints of an application, as a JVM that supports them notifies of them.
 */
class CheckpointTests {

	@RegisterExtension
	static final RedisServerExtension redis = new RedisServerExtension();

	private static final LockRequest ORDERS = LockRequest.of("orders").withWaitTime(Duration.ZERO);

	private final Context<Resource> notifier = mock();

	private final RedisAdmin admin = redis.admin();

	private final ApplicationContextRunner contexts = LockContexts.plain()
		.withBean(RedisConnectionFactory.class, () -> RedisServerExtension.factory(redis.port()))
		.withPropertyValues("watchdog-lock.instance-name=saved");

	@Test
	void checkpointHasNoConnectionAndRestoredApplicationConnectsAgain() {
		this.contexts.run((context) -> {
			LockService locks = context.getBean(LockService.class);
			RedisInstance.awaitConnection(locks);
			await().until(() -> this.admin.clients("watchdog-lock:saved") == 2);
			LockHandle handle = locks.acquire(ORDERS);
			CheckpointResource checkpoint = context.getBean(CheckpointResource.class);
			checkpoint.beforeCheckpoint(this.notifier);
			await().until(() -> this.admin.clients("watchdog-lock:saved") == 0);
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("watchdog-lock-lettuce"));
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> locks.find(ORDERS.key()));
			assertThat(handle.isHeld()).isTrue();
			checkpoint.afterRestore(this.notifier);
			assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.RESTORED);
			RedisInstance.awaitConnection(locks);
			handle.close();
			assertThat(locks.tryAcquire(ORDERS)).as("the lock of another copy").isEmpty();
			locks.acquire(LockRequest.of("other")).close();
			await().until(() -> this.admin.clients("watchdog-lock:saved") == 2);
		});
	}

	@Test
	void applicationThatHasNotConnectedYetConnectsAfterTheRestore() {
		this.contexts.run((context) -> {
			LockService locks = context.getBean(LockService.class);
			CheckpointResource checkpoint = context.getBean(CheckpointResource.class);
			checkpoint.beforeCheckpoint(this.notifier);
			checkpoint.afterRestore(this.notifier);
			assertThat(this.admin.clients("watchdog-lock:saved")).isZero();
			RedisInstance.awaitConnection(locks);
			locks.acquire(LockRequest.of("other")).close();
		});
	}

	@Test
	void checkpointBeanIsCreatedDespiteLazyInitialization() {
		LockContexts.local()
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBeanFactory().containsSingleton("watchdogLockCheckpoint"))
				.isTrue());
	}

	@Test
	void acquisitionDuringCheckpointSucceedsAfterRestoreAndLeavesKeyFree() {
		this.contexts.run((context) -> {
			LockService locks = context.getBean(LockService.class);
			CheckpointResource checkpoint = context.getBean(CheckpointResource.class);
			checkpoint.beforeCheckpoint(this.notifier);
			CompletableFuture<LockHandle> asked = locks.acquireAsync(LockRequest.of("early"));
			checkpoint.afterRestore(this.notifier);
			LockHandle handle = asked.get(20, TimeUnit.SECONDS);
			assertThat(handle.isHeld()).isTrue();
			handle.close();
			assertThat(locks.find(LockKey.of("early"))).isEmpty();
		});
	}

	@Test
	void holdOfLocalStoreIsLostAfterRestore() {
		LockContexts.local().run((context) -> {
			LockHandle handle = context.getBean(LockService.class).acquire(ORDERS);
			CheckpointResource checkpoint = context.getBean(CheckpointResource.class);
			checkpoint.beforeCheckpoint(this.notifier);
			checkpoint.afterRestore(this.notifier);
			assertThat(handle.loss()).map(LockLoss::reason).contains(LockLoss.Reason.RESTORED);
		});
	}

	@Test
	void checkpointAndRestoreOfClosedContextDoNotFail() {
		List<CheckpointResource> closed = new ArrayList<>();
		this.contexts.run((context) -> closed.add(context.getBean(CheckpointResource.class)));
		closed.get(0).beforeCheckpoint(this.notifier);
		closed.get(0).afterRestore(this.notifier);
	}

	@Test
	void applicationMayCloseBetweenCheckpointAndRestore() {
		this.contexts.run((context) -> {
			RedisInstance.awaitConnection(context.getBean(LockService.class));
			context.getBean(CheckpointResource.class).beforeCheckpoint(this.notifier);
		});
	}

}
