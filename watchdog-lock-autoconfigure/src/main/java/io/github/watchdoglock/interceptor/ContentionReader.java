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
import java.util.function.Supplier;

import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.util.ClassUtils;

/**
 * Translates what an annotation says of contention, and refuses what can't be carried
 * out.
 */
final class ContentionReader {

	Contention read(DistributedLock annotation, Method method, Class<?> targetClass, ResultType result,
			LockDefaults defaults) {
		if (!annotation.fallback().isEmpty()) {
			return fallback(annotation, method, targetClass);
		}
		boolean own = annotation.onContention() != OnContention.DEFAULT;
		OnContention policy = own ? annotation.onContention() : defaults.onContention();
		if (policy != OnContention.SKIP) {
			return Contention.FAIL;
		}
		Supplier<@Nullable Object> empty = EmptyResults.of(result);
		if (empty == null || (isNonNull(method, result) && EmptyResults.of(result.content()).get() == null)) {
			throw new LockDeclarationException(method,
					(own ? "'onContention' is SKIP"
							: "'onContention' is SKIP by watchdog-lock.on-contention or watchdog-lock.locks")
							+ ", and it returns " + describe(result.type())
							+ ": there is nothing to return when it is skipped",
					"Set onContention = OnContention.FAIL, or return " + alternative(result.type()) + ".");
		}
		return Contention.skip(empty);
	}

	/* Whether a value is returned, and Kotlin says that it is never null. */
	private static boolean isNonNull(Method method, ResultType result) {
		return result.isValue() && result.type() != void.class
				&& KotlinDetector.isKotlinType(method.getDeclaringClass())
				&& Nullness.forMethodReturnType(method) == Nullness.NON_NULL;
	}

	private static String describe(Class<?> type) {
		return type.isPrimitive() ? "the primitive " + type : "a " + type.getSimpleName() + " that is never empty";
	}

	private static String alternative(Class<?> type) {
		return type.isPrimitive() ? ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName() + " or an Optional"
				: "a type that may be null or empty";
	}

	private static Contention fallback(DistributedLock annotation, Method method, Class<?> targetClass) {
		if (annotation.onContention() == OnContention.SKIP) {
			throw new LockDeclarationException(method,
					"it has a 'fallback', and 'onContention' is SKIP: either the one is called or nothing is",
					"Leave one of them out.");
		}
		return new FallbackFinder(method, targetClass).find(annotation.fallback());
	}

}
