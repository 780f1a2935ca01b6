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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The attributes {@code onContention} and {@code fallback}.
 */
class ContentionAttributesTests {

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class,
			"watchdog-lock.locks.by-property.on-contention=skip");

	private final Work work = application.bean(Work.class);

	private final List<LockHandle> elsewhere = new ArrayList<>();

	@BeforeEach
	void hold() {
		this.elsewhere.add(application.holdElsewhere(LockKey.of("orders")));
		this.elsewhere.add(application.holdElsewhere(LockKey.of("by-property")));
	}

	@AfterEach
	void release() {
		this.elsewhere.forEach(LockHandle::close);
		assertThat(this.work.runs()).isZero();
	}

	@Test
	void methodThatSaysNothingFails() {
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::silent)
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo(LockKey.of("orders")));
	}

	@Test
	void propertyCountsWhereTheAnnotationIsSilent() {
		assertThat(this.work.byProperty()).isNull();
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::strict);
	}

	@Test
	void skippedMethodReturnsWhatIsEmpty() {
		assertThat(this.work.text()).isNull();
		assertThat(this.work.optional()).isEmpty();
		assertThat(this.work.list()).isEmpty();
		assertThat(this.work.array()).isEmpty();
		assertThat(this.work.stage()).isCompletedWithValue(Optional.empty());
		assertThat(this.work.mono().blockOptional()).isEmpty();
	}

	@Test
	void fallbackIsCalledInstead() {
		assertThat(this.work.withFallback("42")).isEqualTo("42 later: orders");
	}

	static class Work {

		private int runs;

		int runs() {
			return this.runs;
		}

		@DistributedLock("orders")
		String silent() {
			return run("silent");
		}

		@DistributedLock("by-property")
		@Nullable String byProperty() {
			return run("property");
		}

		@DistributedLock(name = "by-property", onContention = OnContention.FAIL)
		String strict() {
			return run("strict");
		}

		@DistributedLock(name = "orders", onContention = OnContention.SKIP)
		@Nullable String text() {
			return run("text");
		}

		@DistributedLock(name = "orders", onContention = OnContention.SKIP)
		Optional<String> optional() {
			return Optional.of(run("optional"));
		}

		@DistributedLock(name = "orders", onContention = OnContention.SKIP)
		List<String> list() {
			return List.of(run("list"));
		}

		@DistributedLock(name = "orders", onContention = OnContention.SKIP)
		String[] array() {
			return new String[] { run("array") };
		}

		@DistributedLock(name = "orders", onContention = OnContention.SKIP)
		CompletableFuture<Optional<String>> stage() {
			return CompletableFuture.completedFuture(Optional.of(run("stage")));
		}

		@DistributedLock(name = "orders", onContention = OnContention.SKIP)
		Mono<String> mono() {
			return Mono.just(run("mono"));
		}

		@DistributedLock(name = "orders", fallback = "later")
		String withFallback(String id) {
			return run(id);
		}

		@SuppressWarnings("UnusedMethod")
		private String later(String id, LockNotAcquiredException busy) {
			return id + " later: " + busy.getKey();
		}

		private String run(String result) {
			this.runs++;
			return result;
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
