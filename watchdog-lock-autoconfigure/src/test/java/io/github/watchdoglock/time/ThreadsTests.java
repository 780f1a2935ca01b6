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

package io.github.watchdoglock.time;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the {@link Threads} of the JVM.
 */
class ThreadsTests {

	@Test
	@SuppressWarnings("ThreadPriorityCheck")
	void startedThreadInheritsNoStateOfCaller() throws Exception {
		InheritableThreadLocal<String> inheritable = new InheritableThreadLocal<>();
		ClassLoader before = Thread.currentThread().getContextClassLoader();
		CompletableFuture<String> inherited = new CompletableFuture<>();
		try (URLClassLoader callers = new URLClassLoader(new URL[0], before)) {
			inheritable.set("the caller's");
			Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
			Thread.currentThread().setContextClassLoader(callers);
			Thread begun = Threads.system()
				.start("begun", () -> inherited
					.complete(inheritable.get() + " " + Thread.currentThread().getContextClassLoader()));
			assertThat(begun.isDaemon()).isTrue();
			assertThat(begun.getPriority()).isEqualTo(Thread.NORM_PRIORITY);
			assertThat(inherited.get(5, TimeUnit.SECONDS)).isEqualTo("null " + Threads.class.getClassLoader());
		}
		finally {
			Thread.currentThread().setPriority(Thread.NORM_PRIORITY);
			inheritable.remove();
			Thread.currentThread().setContextClassLoader(before);
		}
	}

}
