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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the method that stands in for another one.
 */
final class FallbackFinder {

	private final Method method;

	private final Class<?> targetClass;

	/* Before what Kotlin adds at the end of a suspending function's parameters. */
	private final int exceptionIndex;

	FallbackFinder(Method method, Class<?> targetClass) {
		this.method = method;
		this.targetClass = targetClass;
		this.exceptionIndex = method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
	}

	Fallback find(String name) {
		List<Class<?>> parameters = parameters(this.method);
		List<Class<?>> withException = new ArrayList<>(parameters);
		withException.add(this.exceptionIndex, LockNotAcquiredException.class);
		Method[] candidates = ReflectionUtils.getUniqueDeclaredMethods(this.targetClass,
				(candidate) -> candidate.getName().equals(name) && !candidate.isBridge());
		Method found = find(candidates, withException);
		if (found != null) {
			return fallback(found, this.exceptionIndex);
		}
		found = find(candidates, parameters);
		if (found != null) {
			return fallback(found, -1);
		}
		throw new LockDeclarationException(this.method,
				"'fallback' is '" + name + "', and " + this.targetClass.getName() + " has no method "
						+ describe(name, parameters) + " or " + describe(name, withException),
				"Add one of them, or correct the name.");
	}

	private Fallback fallback(Method found, int index) {
		if (found.equals(this.method)) {
			throw new LockDeclarationException(this.method,
					"'fallback' is '" + found.getName() + "', the method itself, which would run without its lock",
					"Name another method.");
		}
		Class<?> wanted = result(this.method);
		Class<?> offered = result(found);
		if (!ClassUtils.isAssignable(wanted, offered)
				|| KotlinDetector.isSuspendingFunction(found) != KotlinDetector.isSuspendingFunction(this.method)) {
			throw new LockDeclarationException(this.method, "'fallback' is '" + found.getName() + "', which returns "
					+ offered.getSimpleName() + " and not " + wanted.getSimpleName(), "Let both return the same.");
		}
		return new Fallback(found, index);
	}

	private @Nullable Method find(Method[] candidates, List<Class<?>> parameters) {
		return Arrays.stream(candidates)
			.filter((candidate) -> parameters(candidate).equals(parameters))
			.findFirst()
			.orElse(null);
	}

	private List<Class<?>> parameters(Method method) {
		List<Class<?>> types = new ArrayList<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			types.add(ResolvableType.forMethodParameter(method, i, this.targetClass).resolve(Object.class));
		}
		return types;
	}

	private Class<?> result(Method method) {
		Class<?> type = KotlinDetector.isSuspendingFunction(method) ? new MethodParameter(method, -1).getParameterType()
				: method.getReturnType();
		return ResolvableType.forMethodReturnType(method, this.targetClass).resolve(type);
	}

	private static String describe(String name, List<Class<?>> parameters) {
		return parameters.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", name + "(", ")"));
	}

}
