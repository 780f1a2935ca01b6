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

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LockSpecSource}.
 */
class LockSpecSourceTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	private final LockSpecSource source = this.fixture.source;

	@Test
	void pointcutMatchesOnlyClassesWithLockAnnotation() {
		assertThat(this.source.pointcut().getClassFilter().matches(Right.class)).isTrue();
		assertThat(this.source.pointcut().getClassFilter().matches(String.class)).isFalse();
		assertThat(this.fixture.isLocked(Right.class, "work")).isTrue();
		assertThat(this.fixture.isLocked(Right.class, "other")).isFalse();
	}

	@Test
	void targetClassIsJdkProxyOnlyIfTargetHasNoLockedMethod() {
		Method work = InterceptorFixture.method(Client.class, "work");
		Method save = InterceptorFixture.method(Base.class, "save");
		assertThat(this.source.targetClass(work, new Right())).isEqualTo(Right.class);
		Right proxied = this.fixture.proxy(new Right());
		assertThat(this.source.targetClass(InterceptorFixture.method(Right.class, "work"), proxied))
			.isEqualTo(Right.class);
		Object client = proxy(Client.class, Base.class);
		assertThat(this.source.targetClass(work, client)).isEqualTo(client.getClass());
		Client behind = this.fixture.interfaceProxy(new Implementation(), Client.class);
		assertThat(this.source.targetClass(work, behind)).isEqualTo(Implementation.class);
		assertThat(this.source.targetClass(save, behind)).isEqualTo(behind.getClass());
	}

	@Test
	void proxyMethodIsReadFromMostSpecificInterface() {
		Object general = proxy(Base.class, Client.class, Runnable.class);
		Object special = proxy(Runnable.class, Client.class, Base.class);
		for (Object proxy : new Object[] { general, special }) {
			LockedMethod locked = this.source.lockedMethod(InterceptorFixture.method(Client.class, "work"),
					proxy.getClass());
			assertThat(locked.method().getDeclaringClass()).isEqualTo(Client.class);
			assertThat(locked.specs().get(0).name()).isEqualTo("Client.work");
			assertThat(this.source.isLocked(InterceptorFixture.method(Base.class, "save"), proxy.getClass())).isFalse();
		}
	}

	private static Object proxy(Class<?>... types) {
		return Proxy.newProxyInstance(LockSpecSourceTests.class.getClassLoader(), types,
				(proxy, method, arguments) -> null);
	}

	static class Right {

		@DistributedLock
		void work() {
		}

		void other() {
		}

	}

	interface Base {

		void save();

	}

	interface Client extends Base {

		@DistributedLock
		void work();

	}

	static class Implementation implements Client {

		@Override
		public void work() {
		}

		@Override
		public void save() {
		}

	}

}
