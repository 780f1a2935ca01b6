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
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.ReactiveLockService;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link WatchdogLockReactiveAutoConfiguration}.
 */
class WatchdogLockReactiveAutoConfigurationTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final LockRequest ORDERS = LockRequest.of("orders");

	private final ApplicationContextRunner runner = LockContexts.local();

	@Test
	void reactiveLockIsVisibleInLockServiceWhileWorkRuns() {
		this.runner.run((context) -> {
			ReactiveLockService locks = context.getBean(ReactiveLockService.class);
			LockService service = context.getBean(LockService.class);
			Mono<Boolean> taken = Mono.fromSupplier(() -> service.find(ORDERS.key()).isPresent());
			assertThat(locks.withLock(ORDERS, taken).block(SOON))
				.as("the lock service finds the lock while the work runs")
				.isTrue();
			assertThat(taken.block(SOON)).as("the lock service still finds the lock after the work").isFalse();
		});
	}

	@Test
	void nestedReactiveLockIsGrantedWhenLocksAreDisabled() {
		this.runner.withPropertyValues("watchdog-lock.enabled=false").run((context) -> {
			ReactiveLockService locks = context.getBean(ReactiveLockService.class);
			Mono<String> nested = locks.withLock(ORDERS, Mono
				.fromFuture(() -> locks.withLock(ORDERS.withWaitTime(Duration.ZERO), Mono.just("done")).toFuture()));
			assertThat(nested.block(SOON)).isEqualTo("done");
		});
	}

	@Test
	void lockIsNotAcquiredOnAThreadThatMustNotBlock() {
		this.runner.run((context) -> {
			LockService service = context.getBean(LockService.class);
			Mono<Boolean> work = Mono.fromCallable(() -> service.execute(ORDERS, LockHandle::isHeld));
			assertThatIllegalStateException().isThrownBy(() -> work.subscribeOn(Schedulers.parallel()).block(SOON))
				.withMessageStartingWith("Lock 'orders' was requested on thread 'parallel-");
			assertThat(work.subscribeOn(Schedulers.boundedElastic()).block(SOON)).isTrue();
		});
	}

	@Test
	void reactiveServiceUsesLockServiceBeanOfApplication() {
		LockHandle handle = mock(LockHandle.class);
		given(handle.key()).willReturn(LockKey.of("orders"));
		given(handle.closeAsync()).willReturn(CompletableFuture.completedFuture(null));
		LockService own = mock(LockService.class);
		given(own.acquireAsync(any())).willReturn(CompletableFuture.completedFuture(handle));
		this.runner.withBean(LockService.class, () -> own).run((context) -> {
			Mono<String> work = context.getBean(ReactiveLockService.class).withLock(ORDERS, Mono.just("done"));
			assertThat(work.block(SOON)).isEqualTo("done");
			var unused = then(handle).should().closeAsync();
		});
	}

	@Test
	void reactiveServiceBeanOfApplicationReplacesDefault() {
		ReactiveLockService own = mock(ReactiveLockService.class);
		this.runner.withBean(ReactiveLockService.class, () -> own)
			.run((context) -> assertThat(context).getBean(ReactiveLockService.class).isSameAs(own));
	}

}
