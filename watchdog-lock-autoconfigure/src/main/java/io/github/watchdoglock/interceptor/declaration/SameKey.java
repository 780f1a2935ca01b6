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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.interceptor.key.LockExpression;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import org.jspecify.annotations.Nullable;

/**
 * The rules for several annotations of a method that result in the same key. If one is
 * for writing, those for reading are dropped. A key must not be requested both with
 * permits and as an exclusive lock.
 */
final class SameKey {

	private SameKey() {
	}

	/* Finds conflicts before the first call, if the expressions are the same. */
	static void check(List<LockSpec> specs, DeclaredAnnotation first) {
		for (LockSpec spec : specs) {
			for (LockSpec other : specs) {
				if (spec.kind().permits() > 1 && other.kind().permits() <= 1 && spec.name().equals(other.name())
						&& Objects.equals(text(spec.key()), text(other.key()))) {
					throw first.named(refusal(first.method(), spec.name()));
				}
			}
		}
	}

	private static @Nullable String text(@Nullable LockExpression key) {
		return (key != null) ? key.expression().getExpressionString() : null;
	}

	/* Removes read locks of keys that also have a write lock, and keeps the order. */
	static List<RequestedLock> once(List<RequestedLock> requested, Method method) {
		Map<LockKey, List<RequestedLock>> byKey = requested.stream()
			.collect(Collectors.groupingBy(RequestedLock::key, LinkedHashMap::new, Collectors.toList()));
		List<RequestedLock> once = new ArrayList<>(requested.size());
		byKey.forEach((key, same) -> {
			if (same.stream().map(RequestedLock::hasPermits).distinct().count() > 1) {
				throw refusal(method, key.toString());
			}
			boolean written = !same.stream().allMatch(RequestedLock::isForReading);
			same.stream().filter((lock) -> !written || !lock.isForReading()).forEach(once::add);
		});
		return once;
	}

	private static LockConfigurationException refusal(Method method, String lock) {
		return new LockConfigurationException(method,
				"it requests lock '" + lock + "' with 'permits' and without, which cannot be held at the same time",
				"Give one of them another name, or both of them 'permits'.");
	}

}
