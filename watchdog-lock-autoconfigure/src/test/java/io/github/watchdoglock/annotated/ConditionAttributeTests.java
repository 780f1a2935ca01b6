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

package io.github.watchdoglock.annotated;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The attribute {@code condition}.
 */
class ConditionAttributeTests {

	private static final LockKey KEY = LockKey.of("orders", "42");

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class);

	private static final AtomicBoolean needed = new AtomicBoolean();

	private final Work work = application.bean(Work.class);

	@Test
	void methodRunsUnlockedWhereTheConditionIsFalse() {
		try (var elsewhere = application.holdElsewhere(KEY)) {
			assertThat(elsewhere.isHeld()).isTrue();
			assertThat(this.work.plain("42", 100)).isEmpty();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.work.plain("42", 101));
		}
		assertThat(this.work.plain("42", 101)).containsExactly(KEY);
	}

	@Test
	void keyIsNotComputedWhereTheConditionIsFalse() {
		assertThat(this.work.ofKnown(null)).isEmpty();
		assertThat(this.work.ofKnown("42")).containsExactly(KEY);
	}

	@Test
	void eachOfSeveralLocksHasItsOwn() {
		assertThat(this.work.several("42", true)).containsExactlyInAnyOrder(LockKey.of("stock"), KEY);
		assertThat(this.work.several("42", false)).containsExactly(KEY);
	}

	@Test
	void stageIsLockedWhereTheConditionIsTrue() {
		assertThat(this.work.stage("42", 100).join()).isEmpty();
		assertThat(this.work.stage("42", 101).join()).containsExactly(KEY);
		assertThat(this.work.stage("42", null)).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(LockKeyException.class);
	}

	@Test
	void conditionOfAReactiveMethodIsComputedOnEachSubscription() {
		needed.set(false);
		Mono<List<LockKey>> reactive = this.work.reactive("42");
		assertThat(reactive.block()).isEmpty();
		needed.set(true);
		assertThat(reactive.block()).containsExactly(KEY);
	}

	@Test
	void whatIsNeitherTrueNorFalseIsAnErrorAndTheMethodDoesNotRun() {
		assertRefused(null, "is null, and must be true or false");
		assertRefused("true", "is a java.lang.String, and must be true or false");
		assertThat(this.work.any(false)).isEmpty();
	}

	private void assertRefused(@Nullable Object needed, String problem) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> this.work.any(needed))
			.withMessageContaining("The condition '#needed' of ")
			.withMessageContaining("ConditionAttributeTests$Work.any(Object) " + problem);
	}

	public static class Work {

		@DistributedLock(name = "orders", key = "#id", condition = "#amount > 100")
		List<LockKey> plain(String id, int amount) {
			return keys();
		}

		@DistributedLock(name = "orders", key = "#id", condition = "#id != null")
		List<LockKey> ofKnown(@Nullable String id) {
			return keys();
		}

		@DistributedLock(name = "orders", key = "#id")
		@DistributedLock(name = "stock", condition = "#shared")
		List<LockKey> several(String id, boolean shared) {
			return keys();
		}

		@DistributedLock(name = "orders", key = "#id", condition = "#amount + 0 > 100")
		CompletableFuture<List<LockKey>> stage(String id, @Nullable Integer amount) {
			return CompletableFuture.completedFuture(keys());
		}

		@DistributedLock(name = "orders", key = "#id", condition = "#root.target.needed()")
		Mono<List<LockKey>> reactive(String id) {
			return Mono.fromSupplier(() -> application.held().stream().map((lock) -> lock.key()).toList());
		}

		@DistributedLock(name = "orders", condition = "#needed")
		List<LockKey> any(@Nullable Object needed) {
			return keys();
		}

		public boolean needed() {
			return needed.get();
		}

		private List<LockKey> keys() {
			return application.bean(LocalLocks.class).current().stream().map((handle) -> handle.key()).toList();
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
