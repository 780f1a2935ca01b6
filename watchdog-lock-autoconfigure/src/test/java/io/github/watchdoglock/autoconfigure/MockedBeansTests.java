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

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.actuate.LockHealthIndicator;
import io.github.watchdoglock.actuate.LocksEndpoint;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.NestedTestConfiguration;
import org.springframework.test.context.NestedTestConfiguration.EnclosingConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;

/**
 * Tests for applications that mock or spy on the lock service and the view of its locks.
 */
@NestedTestConfiguration(EnclosingConfiguration.OVERRIDE)
class MockedBeansTests {

	private static LockHandle handle() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.key()).willReturn(LockKey.of("orders"));
		given(handle.whenLost()).willReturn(new CompletableFuture<>());
		return handle;
	}

	@Nested
	@Application("watchdog-lock.store=local")
	class Mocked extends Mocks {

	}

	@Nested
	@Application("spring.data.redis.port=1")
	class MockedOnRedis extends Mocks {

	}

	@Nested
	@Application("watchdog-lock.enabled=false")
	class MockedAndDisabled extends Mocks {

	}

	/* An application without a store of locks, which it does not need. */
	@Nested
	@SpringJUnitConfig(MockedBeansTests.Shop.class)
	@ImportAutoConfiguration({ WatchdogLockAutoConfiguration.class, WatchdogLockAdviceAutoConfiguration.class })
	class MockedWithoutAStore {

		@MockitoBean
		private LockService locks;

		@Autowired
		private Shop shop;

		@Test
		void annotatedMethodUsesMockWithoutStore() throws InterruptedException {
			LockHandle handle = handle();
			given(this.locks.acquire(any())).willReturn(handle);
			assertThat(this.shop.buy()).isEqualTo("bought");
		}

	}

	@Nested
	@Application("watchdog-lock.store=local")
	class SpiedOn extends Spies {

	}

	@Nested
	@Application("watchdog-lock.enabled=false")
	class SpiedOnAndDisabled extends Spies {

	}

	/**
	 * Each property is tested in its own context.
	 */
	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@TestPropertySource
	@SpringJUnitConfig(MockedBeansTests.Shop.class)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class, WatchdogLockAutoConfiguration.class,
			WatchdogLockAdviceAutoConfiguration.class, WatchdogLockRedisAutoConfiguration.class,
			WatchdogLockTransactionAutoConfiguration.class, WatchdogLockObservationAutoConfiguration.class,
			WatchdogLockEndpointAutoConfiguration.class, WatchdogLockHealthAutoConfiguration.class,
			WatchdogLockLeaderAutoConfiguration.class })
	@interface Application {

		@AliasFor(annotation = TestPropertySource.class, attribute = "properties")
		String value();

	}

	@TestPropertySource(properties = { "management.endpoints.web.exposure.include=*",
			"management.endpoint.locks.access=UNRESTRICTED" })
	abstract static class Shopping {

		@Autowired
		Shop shop;

	}

	@ExtendWith(OutputCaptureExtension.class)
	abstract static class Mocks extends Shopping {

		@MockitoBean
		private LockService locks;

		@MockitoBean
		@SuppressWarnings("UnusedVariable")
		private LocalLocks local;

		@Autowired
		private LocksEndpoint endpoint;

		@Autowired
		private LockHealthIndicator health;

		@Autowired
		private LeaderElection election;

		@Test
		void unstubbedMockOfLockServiceGrantsNoRole() throws InterruptedException {
			try (Leadership reports = this.election.join("reports", (term) -> new CountDownLatch(1).await())) {
				TimeUnit.MILLISECONDS.sleep(100);
				assertThat(reports.isLeader()).isFalse();
			}
		}

		@Test
		void annotatedMethodsAcquireLocksFromMock(CapturedOutput output) throws InterruptedException {
			LockHandle handle = handle();
			given(this.locks.acquire(any())).willReturn(handle);
			given(this.locks.acquireAsync(any())).willReturn(CompletableFuture.completedFuture(handle));
			assertThat(this.shop.buy()).isEqualTo("bought");
			assertThat(this.shop.buySeveral()).isEqualTo("bought");
			assertThat(this.shop.buyLater().join()).isEqualTo("bought");
			assertThat(this.shop.buyReactively().block()).isEqualTo("bought");
			then(this.locks).should(atLeastOnce()).acquire(any());
			assertThat(output).doesNotContain("goes along with callers", "NullPointerException");
		}

		@Test
		void unstubbedMockFailsAnnotatedMethodsNamingLock() {
			assertThatIllegalStateException().isThrownBy(this.shop::buy)
				.withMessageContaining("LockService returned null for lock 'orders'");
			assertThatIllegalStateException().isThrownBy(this.shop::buySeveral)
				.withMessageContaining("LockService returned null for lock 'several:a'");
			assertThat(this.shop.buyLater()).isCompletedExceptionally();
			given(this.locks.acquireAsync(any())).willReturn(CompletableFuture.completedFuture(null));
			assertThatIllegalStateException().isThrownBy(() -> this.shop.buyReactively().block())
				.withMessageContaining("LockService returned null for lock 'orders'");
		}

		@Test
		void endpointAndHealthWorkWithMockedBeans() {
			assertThat(this.endpoint.locks(null, true).heldCount()).isZero();
			assertThat(this.health.health().getStatus()).isEqualTo(Status.UP);
		}

	}

	abstract static class Spies extends Shopping {

		@MockitoSpyBean
		private LockService locks;

		@MockitoSpyBean
		private LocalLocks local;

		@Autowired
		private LeaderElection election;

		@Test
		void annotatedMethodsAcquireLocksThroughSpies() throws InterruptedException {
			assertThat(this.shop.buy()).isEqualTo("bought");
			assertThat(this.shop.buyReactively().block()).isEqualTo("bought");
			assertThat(this.local.current()).isEmpty();
			then(this.locks).should().acquire(any());
			var unused = then(this.locks).should().acquireAsync(any());
			then(this.local).should().current();
		}

		@Test
		void candidateIsElectedThroughSpyOfLockService() {
			try (Leadership reports = this.election.join("reports", (term) -> new CountDownLatch(1).await())) {
				await().until(reports::isLeader);
			}
		}

	}

	static class Shop {

		@DistributedLock(name = "orders", onLoss = OnLoss.INTERRUPT)
		String buy() {
			return "bought";
		}

		@DistributedLock(name = "several", key = "{'a', 'b'}", onLoss = OnLoss.FAIL)
		String buySeveral() {
			return "bought";
		}

		@DistributedLock(name = "orders", onLoss = OnLoss.INTERRUPT)
		CompletableFuture<String> buyLater() {
			return CompletableFuture.supplyAsync(() -> "bought");
		}

		@DistributedLock(name = "orders", onLoss = OnLoss.INTERRUPT)
		Mono<String> buyReactively() {
			return Mono.just("bought");
		}

	}

}
