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

import java.util.List;
import java.util.function.Function;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.annotation.DistributedLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The attribute {@code name}, and its alias {@code value}.
 */
class NameAttributeTests {

	@RegisterExtension
	static final LocalApplication application = new LocalApplication(Beans.class, "tenant=acme");

	private final Work work = application.bean(Work.class);

	@Test
	void nameIsThatOfTheDeclaringClassAndTheMethodUnlessOneIsGiven() {
		assertThat(this.work.silent()).containsExactly(LockKey.of("Base.silent"));
		assertThat(this.work.named()).containsExactly(LockKey.of("orders"));
		assertThat(this.work.valued()).containsExactly(LockKey.of("orders"));
	}

	@Test
	void placeholdersAreResolved() {
		assertThat(this.work.placeholder()).containsExactly(LockKey.of("orders-acme"));
	}

	@Test
	void methodsOfOneNameAreOneLock() {
		Function<Work, List<LockKey>> inside = Work::valued;
		assertThat(this.work.nested(inside)).containsExactly(LockKey.of("orders"));
		try (var elsewhere = application.holdElsewhere(LockKey.of("orders"))) {
			assertThat(elsewhere.isHeld()).isTrue();
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::named);
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(this.work::valued);
			assertThat(this.work.silent()).contains(LockKey.of("Base.silent"));
		}
	}

	static class Base {

		@DistributedLock
		List<LockKey> silent() {
			return keys();
		}

		List<LockKey> keys() {
			return application.held().stream().map((lock) -> lock.key()).toList();
		}

	}

	static class Work extends Base {

		@DistributedLock(name = "orders")
		List<LockKey> named() {
			return keys();
		}

		@DistributedLock("orders")
		List<LockKey> valued() {
			return keys();
		}

		@DistributedLock("orders-${tenant}")
		List<LockKey> placeholder() {
			return keys();
		}

		@DistributedLock("orders")
		List<LockKey> nested(Function<Work, List<LockKey>> inside) {
			return inside.apply(application.bean(Work.class));
		}

	}

	@Import(Work.class)
	static class Beans {

	}

}
