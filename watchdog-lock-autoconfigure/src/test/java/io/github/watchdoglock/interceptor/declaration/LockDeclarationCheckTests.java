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

package io.github.watchdoglock.interceptor.declaration;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link LockDeclarationCheck}.
 */
class LockDeclarationCheckTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	@Test
	void privateStaticOrFinalLockedMethodIsRejected() {
		assertRefused(new PrivateMethod(), "PrivateMethod.work()", "it is private");
		assertRefused(new StaticMethod(), "StaticMethod.work()", "it is static");
		assertRefused(new FinalMethod(), "FinalMethod.work()", "it is final");
		assertRefused(new FinalOfType(), "FinalOfType.work()", "it is final");
		assertRefused(this.fixture.proxy(new FinalMethod()), "FinalMethod.work()", "it is final");
	}

	@Test
	void finalMethodIsAllowedBehindAnInterfaceProxy() {
		Contract proxy = this.fixture.interfaceProxy(new FinalMethod(), Contract.class);
		assertThatNoException().isThrownBy(() -> this.fixture.check(proxy));
	}

	@Test
	void staticAndPrivateMethodsOfAnnotatedTypeAreAccepted() {
		assertThatNoException().isThrownBy(() -> this.fixture.check(new OnType()));
	}

	@Test
	void futureThatCannotBeFollowedIsRejected() {
		assertRefused(new OfFuture(), "OfFuture.work()", "the work of the Future goes on after the return");
		assertRefused(new OfTask(), "OfTask.work()", "the work of the FutureTask goes on after the return");
		assertRefused(new OfOwnStage(), "OfOwnStage.work()", "OwnStage, a kind of CompletionStage");
	}

	@Test
	void beanWithoutLockAnnotationsIsAccepted() {
		assertThatNoException().isThrownBy(() -> this.fixture.check("text"));
		assertThatNoException().isThrownBy(() -> this.fixture.check(this));
	}

	private void assertRefused(Object bean, String method, String problem) {
		InterceptorFixture.assertRefused(() -> this.fixture.check(bean), "", method, problem);
	}

	interface Contract {

		void work();

	}

	public static class PrivateMethod {

		@DistributedLock
		@SuppressWarnings("UnusedMethod")
		private void work() {
		}

	}

	public static class StaticMethod {

		@DistributedLock
		static void work() {
		}

	}

	public static class FinalMethod implements Contract {

		@Override
		@DistributedLock
		public final void work() {
		}

	}

	@DistributedLock
	public static class FinalOfType {

		public final void work() {
		}

	}

	@DistributedLock
	public static class OnType {

		public static void create() {
		}

		@SuppressWarnings("UnusedMethod")
		private void hidden() {
		}

	}

	public static class OfFuture {

		@DistributedLock
		public @Nullable Future<String> work() {
			return null;
		}

	}

	public static class OfTask {

		@DistributedLock
		public @Nullable FutureTask<String> work() {
			return null;
		}

	}

	public static class OfOwnStage {

		@DistributedLock
		public @Nullable OwnStage<String> work() {
			return null;
		}

	}

	public static class OwnStage<T> extends CompletableFuture<T> {

	}

}
