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

package io.github.watchdoglock.interceptor;

import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Tells the methods whose work goes on after they have returned.
 */
final class AsynchronousResults {

	private static final String PUBLISHER = "org.reactivestreams.Publisher";

	private AsynchronousResults() {
	}

	static boolean isReturnedBy(Method method) {
		Class<?> type = method.getReturnType();
		return CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type)
				|| Flow.Publisher.class.isAssignableFrom(type) || isPublisher(type)
				|| KotlinDetector.isSuspendingFunction(method);
	}

	static String describe(Method method) {
		return KotlinDetector.isSuspendingFunction(method) ? "from a suspending function"
				: "a " + method.getReturnType().getSimpleName();
	}

	private static boolean isPublisher(Class<?> type) {
		if (type.isPrimitive()) {
			return false;
		}
		if (ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null) {
			return true;
		}
		ClassLoader loader = type.getClassLoader();
		return loader != null && ClassUtils.isPresent(PUBLISHER, loader)
				&& ClassUtils.resolveClassName(PUBLISHER, loader).isAssignableFrom(type);
	}

}
