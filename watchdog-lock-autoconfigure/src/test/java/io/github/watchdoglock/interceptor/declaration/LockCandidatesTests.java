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

import java.lang.reflect.Proxy;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LockedJob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.stereotype.Service;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockCandidates}.
 */
class LockCandidatesTests {

	private final LockCandidates candidates = new LockCandidates();

	@ParameterizedTest
	@ValueSource(classes = { OnMethod.class, OnType.class, Composed.class, Repeated.class, Hidden.class,
			OnInterface.class, Implementing.class, ImplementingBelow.class, Extending.class })
	void classWithOwnOrInheritedLockAnnotationIsCandidate(Class<?> type) {
		assertThat(this.candidates.contains(type)).isTrue();
		assertThat(this.candidates.contains(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { Silent.class, Object.class, String.class, SilentBelow.class })
	void classWithoutLockAnnotationIsNoCandidate(Class<?> type) {
		assertThat(this.candidates.contains(type)).as("as('%%s is a candidate for locks', type): false").isFalse();
	}

	@Test
	void proxyIsCandidateIfItsInterfaceHasLockAnnotation() {
		Object proxy = Proxy.newProxyInstance(OnInterface.class.getClassLoader(), new Class<?>[] { OnInterface.class },
				(target, method, arguments) -> null);
		assertThat(this.candidates.contains(proxy.getClass())).isTrue();
	}

	static class OnMethod {

		@DistributedLock
		void run() {
		}

	}

	@DistributedLock
	static class OnType {

	}

	static class Composed {

		@LockedJob
		void run() {
		}

	}

	static class Repeated {

		@DistributedLock(name = "a")
		@DistributedLock(name = "b")
		void run() {
		}

	}

	static class Hidden {

		@DistributedLock
		@SuppressWarnings("UnusedMethod")
		private void run() {
		}

	}

	interface OnInterface {

		@DistributedLock
		void run();

	}

	static class Implementing implements OnInterface {

		@Override
		public void run() {
		}

	}

	static class ImplementingBelow extends Implementing {

	}

	static class Extending extends OnMethod {

	}

	@Service
	static class Silent {

		@Deprecated
		void run() {
		}

	}

	static class SilentBelow extends Silent implements Runnable {

		@Override
		public void run() {
		}

	}

}
