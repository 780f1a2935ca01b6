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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockNotAcquiredException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method that is called on the target instead of the locked one. It is found by its
 * name and its parameters: the same parameters, with or without the exception.
 *
 * @param method the method
 * @param exceptionIndex the index of the exception among its parameters, negative if it
 * has no such parameter
 */
record Fallback(Method method, int exceptionIndex) implements Contention {

	@Override
	public @Nullable Object resolve(@Nullable Object target, @Nullable Object[] arguments,
			LockNotAcquiredException cause) throws Throwable {
		if (this.exceptionIndex < 0) {
			return AopUtils.invokeJoinpointUsingReflection(target, this.method, arguments);
		}
		List<@Nullable Object> all = new ArrayList<>(Arrays.asList(arguments));
		all.add(this.exceptionIndex, cause);
		return AopUtils.invokeJoinpointUsingReflection(target, this.method, all.toArray());
	}

	/* Fails if there is no method that can be called instead. */
	static Fallback find(String attribute, String name, Method locked, Class<?> targetClass) {
		// Before the continuation that Kotlin adds to a suspending function's parameters.
		int exceptionIndex = locked.getParameterCount() - (KotlinDetector.isSuspendingFunction(locked) ? 1 : 0);
		List<Class<?>> parameters = parameters(locked, targetClass);
		List<Class<?>> withException = new ArrayList<>(parameters);
		withException.add(exceptionIndex, LockNotAcquiredException.class);
		Method[] candidates = ReflectionUtils.getUniqueDeclaredMethods(targetClass,
				(candidate) -> candidate.getName().equals(name) && !candidate.isBridge());
		Method found = find(candidates, withException, targetClass);
		int index = (found != null) ? exceptionIndex : -1;
		if (found == null) {
			found = find(candidates, parameters, targetClass);
		}
		if (found == null) {
			throw new LockConfigurationException(locked,
					attribute + " is '" + name + "', and " + targetClass.getName() + " has no method "
							+ describe(name, parameters) + " or " + describe(name, withException),
					"Add one of them, or correct the name.");
		}
		check(attribute, found, locked, targetClass);
		return new Fallback(found, index);
	}

	private static @Nullable Method find(Method[] candidates, List<Class<?>> parameters, Class<?> targetClass) {
		return Arrays.stream(candidates)
			.filter((candidate) -> parameters(candidate, targetClass).equals(parameters))
			.findFirst()
			.orElse(null);
	}

	private static void check(String attribute, Method found, Method locked, Class<?> targetClass) {
		if (found.equals(locked)) {
			throw new LockConfigurationException(locked,
					attribute + " is '" + found.getName() + "', the method itself, which would run without its lock",
					"Name another method.");
		}
		Class<?> wanted = result(locked, targetClass);
		Class<?> offered = result(found, targetClass);
		if (!ClassUtils.isAssignable(wanted, offered)
				|| KotlinDetector.isSuspendingFunction(found) != KotlinDetector.isSuspendingFunction(locked)) {
			throw new LockConfigurationException(locked, attribute + " is '" + found.getName() + "', which returns "
					+ offered.getSimpleName() + " and not " + wanted.getSimpleName(),
					"Declare the same return type for both.");
		}
	}

	private static List<Class<?>> parameters(Method method, Class<?> targetClass) {
		List<Class<?>> types = new ArrayList<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			types.add(ResolvableType.forMethodParameter(method, i, targetClass).resolve(Object.class));
		}
		return types;
	}

	private static Class<?> result(Method method, Class<?> targetClass) {
		Class<?> type = KotlinDetector.isSuspendingFunction(method) ? new MethodParameter(method, -1).getParameterType()
				: method.getReturnType();
		return ResolvableType.forMethodReturnType(method, targetClass).resolve(type);
	}

	private static String describe(String name, List<Class<?>> parameters) {
		return parameters.stream().map(Class::getSimpleName).collect(Collectors.joining(", ", name + "(", ")"));
	}

}
