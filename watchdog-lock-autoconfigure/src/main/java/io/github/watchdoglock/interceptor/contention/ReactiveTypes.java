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

package io.github.watchdoglock.interceptor.contention;

import java.lang.reflect.Method;
import java.util.concurrent.Flow;
import java.util.stream.Stream;

import io.github.watchdoglock.LockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Finds out which types are reactive, and rejects those whose end cannot be followed.
 * Works if none of their libraries is on the class path.
 */
final class ReactiveTypes {

	private static final String PUBLISHER = "org.reactivestreams.Publisher";

	/* Not all reactive types of these packages are publishers. */
	private static final String[] PACKAGES = { "io.reactivex.", "kotlinx.coroutines.", "rx." };

	private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES = isPresent("kotlinx.coroutines.reactor.MonoKt");

	private ReactiveTypes() {
	}

	/* Null for a type that is not reactive. */
	static @Nullable ReactiveAdapter adapterOf(Method method, Class<?> type) {
		ReactiveAdapter adapter = type.isPrimitive() ? null
				: ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter == null && !isReactive(type)) {
			return null;
		}
		if (!REACTOR) {
			throw refusal(method, type, "whose end cannot be observed without Reactor",
					"Add io.projectreactor:reactor-core");
		}
		if (adapter == null) {
			throw refusal(method, type, "whose end cannot be observed",
					"Return a type that Spring's ReactiveAdapterRegistry knows (for Kotlin's, add kotlinx-coroutines-reactor)");
		}
		if (!type.isAssignableFrom(adapter.getReactiveType())) {
			throw refusal(method, type, "which the proxy cannot create",
					"Return a " + adapter.getReactiveType().getSimpleName());
		}
		return adapter;
	}

	/* Spring passes its result between interceptors as one of Reactor's types. */
	static ReactiveAdapter adapterOfSuspending(Method method, Class<?> type) {
		if (!REACTOR || !COROUTINES) {
			throw new LockConfigurationException(method,
					"it is a suspending function, whose end cannot be observed without kotlinx-coroutines-reactor",
					"Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor and org.jetbrains.kotlin:kotlin-reflect.");
		}
		return ReactiveResults.adapter(type.getName().equals("kotlinx.coroutines.flow.Flow"));
	}

	private static LockConfigurationException refusal(Method method, Class<?> type, String problem, String action) {
		return new LockConfigurationException(method,
				"it returns a " + type.getSimpleName() + ", " + problem
						+ ": the lock would be released before the work is done",
				action + ", or acquire the lock with LockService.acquireAsync.");
	}

	static boolean includes(Class<?> type) {
		return !type.isPrimitive()
				&& (isReactive(type) || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null);
	}

	private static boolean isReactive(Class<?> type) {
		ClassLoader loader = type.getClassLoader();
		if (loader == null) {
			return Flow.Publisher.class.isAssignableFrom(type);
		}
		return Flow.Publisher.class.isAssignableFrom(type) || Stream.of(PACKAGES).anyMatch(type.getName()::startsWith)
				|| (ClassUtils.isPresent(PUBLISHER, loader)
						&& ClassUtils.resolveClassName(PUBLISHER, loader).isAssignableFrom(type));
	}

	private static boolean isPresent(String name) {
		return ClassUtils.isPresent(name, ReactiveTypes.class.getClassLoader());
	}

}
