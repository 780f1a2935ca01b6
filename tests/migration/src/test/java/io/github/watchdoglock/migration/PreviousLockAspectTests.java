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

package io.github.watchdoglock.migration;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link PreviousLockAspect}.
 */
class PreviousLockAspectTests {

	private static final LockKey KEY = LockKey.of("order", "42");

	private static TestRedis redis;

	private static ConfigurableApplicationContext context;

	private Work work;

	private LockService locks;

	private RLock previous;

	@BeforeAll
	static void start() throws IOException {
		redis = new TestRedis();
		context = new SpringApplicationBuilder(Application.class)
			.properties("spring.data.redis.port=" + redis.port(), "spring.main.banner-mode=off",
					"logging.level.root=warn")
			.run();
	}

	@AfterAll
	static void stop() throws IOException {
		context.close();
		redis.close();
	}

	@BeforeEach
	void beansWithFreeLocks() {
		this.work = context.getBean(Work.class);
		this.locks = context.getBean(LockService.class);
		this.previous = context.getBean(RedissonClient.class).getLock("order:42");
		assertThat(this.previous.isLocked()).isFalse();
		assertThat(this.locks.find(KEY)).isEmpty();
	}

	@Test
	void bothLocksAreHeldDuringTheCall() {
		LocalLocks local = context.getBean(LocalLocks.class);
		assertThat(this.work.run("42", () -> this.previous.isHeldByCurrentThread() && local.current(KEY).isPresent()))
			.as("both locks are held within the method")
			.isTrue();
	}

	@Test
	void previousLockIsAcquiredFirstAndReleasedWhenSecondIsBusy() throws Exception {
		try (LockHandle other = this.locks.acquire(LockRequest.of("order", "42")).detach()) {
			CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> this.work.run("42", () -> true));
			TimeUnit.MILLISECONDS.sleep(200);
			assertThat(this.previous.isLocked()).as("Redisson lock is held while the second lock is awaited").isTrue();
			assertThat(call).failsWithin(5, TimeUnit.SECONDS)
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class)
				.withMessageContaining("order:42");
			assertThat(this.previous.isLocked()).as("Redisson lock is released after the failure").isFalse();
		}
	}

	@Test
	void callFailsWhenPreviousLockIsHeld() {
		this.previous.lock();
		try {
			CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(() -> this.work.run("42", () -> true));
			assertThat(call).failsWithin(5, TimeUnit.SECONDS)
				.withThrowableThat()
				.withCauseInstanceOf(LockNotAcquiredException.class)
				.withMessageContaining("redisson:order:42");
		}
		finally {
			this.previous.unlock();
		}
	}

	@Test
	void interruptedCallHoldsNoLock() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.work.run("42", () -> true));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.previous.isLocked()).isFalse();
	}

	@Test
	void failedReleaseOfThePreviousLockDoesNotReplaceTheResult() {
		assertThat(this.work.run("42", this.previous::forceUnlock)).isTrue();
	}

	@Test
	void methodThatCompletesLaterIsRejected() {
		assertThatIllegalStateException().isThrownBy(() -> this.work.runLater("42"))
			.withMessageContaining("runLater")
			.withMessageContaining("lockAsync(id)");
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Generation.DuringMigration.class)
	static class Application {

		@Bean
		Work work() {
			return new Work();
		}

	}

	/**
	 * Methods with both locks.
	 */
	static class Work {

		@PreviousLock(name = "'order:' + #id", waitMillis = 500)
		@DistributedLock(name = "order", key = "#id", waitTime = "500ms")
		boolean run(String id, Supplier<Boolean> body) {
			return body.get();
		}

		@PreviousLock(name = "'order:' + #id", waitMillis = 500)
		@DistributedLock(name = "order", key = "#id", waitTime = "500ms")
		CompletableFuture<Void> runLater(String id) {
			return CompletableFuture.completedFuture(null);
		}

	}

}
