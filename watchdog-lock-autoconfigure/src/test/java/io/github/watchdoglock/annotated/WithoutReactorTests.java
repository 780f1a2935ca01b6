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

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import io.reactivex.rxjava3.core.Single;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for annotated methods if Reactor is not on the class path.
 */
class WithoutReactorTests {

	@Test
	void plainAndStageMethodsAreLockedAndReactiveMethodsRejected() throws Exception {
		List<URL> path = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
			if (!entry.contains("reactor-")) {
				path.add(new File(entry).toURI().toURL());
			}
		}
		try (URLClassLoader loader = new URLClassLoader(path.toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			assertThat(ClassUtils.isPresent("reactor.core.publisher.Flux", loader)).isFalse();
			Object probe = loader.loadClass(Probe.class.getName()).getDeclaredConstructor().newInstance();
			assertThat(((Callable<?>) probe).call()).isEqualTo(
					"[lock, unlock, lock, unlock] it returns a Publisher, whose end cannot be observed without Reactor"
							+ " it returns a Single, whose end cannot be observed without Reactor");
		}
	}

	/**
	 * Runs in the class loader without Reactor.
	 */
	public static class Probe implements Callable<String> {

		@Override
		public String call() {
			InterceptorFixture fixture = new InterceptorFixture();
			Work work = fixture.proxy(new Work());
			work.plain();
			work.stage().join();
			return fixture.service.events + refusal(new OfPublisher(), fixture) + refusal(new OfSingle(), fixture);
		}

		private static String refusal(Object bean, InterceptorFixture fixture) {
			try {
				fixture.check(bean);
				return "";
			}
			catch (LockConfigurationException ex) {
				return ("" + ex.getMessage()).replaceAll(".*:( it returns [^:]*):.*", "$1");
			}
		}

	}

	public static class Work {

		@DistributedLock
		public void plain() {
		}

		@DistributedLock
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("done");
		}

	}

	public static class OfPublisher {

		@DistributedLock
		public Flow.@Nullable Publisher<String> work() {
			return null;
		}

	}

	public static class OfSingle {

		@DistributedLock
		public @Nullable Single<String> work() {
			return null;
		}

	}

}
