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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.github.watchdoglock.LockConfigurationException;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * The names of locks whose annotations do not set one. Two methods never have the same
 * derived name, unless one overrides the other: they would exclude each other. A name
 * that an annotation sets is a choice, even if it is the derived name of another method.
 * Thread-safe.
 */
final class DerivedNames {

	/** For a method and those that it overrides, that method. */
	private final Map<String, Method> methods = new ConcurrentHashMap<>();

	/* Fails if another method has the name. */
	String of(DeclaredAnnotation declared) {
		Method method = declared.method();
		String name = ClassUtils.getUserClass(method.getDeclaringClass()).getSimpleName() + "." + method.getName();
		Method other = Objects.requireNonNull(
				this.methods.merge(name, method, (known, added) -> overrides(added, known) ? added : known));
		if (!overrides(other, method)) {
			throw declared.problem("its lock has no name, and its default name '" + name + "' is also that of "
					+ LockConfigurationException.describe(other) + ", so the two methods would exclude each other",
					"Set " + declared.quoted("name")
							+ " for one of them. If they are meant to exclude each other, set the same name for both.");
		}
		return name;
	}

	/* Or is the same. */
	private static boolean overrides(Method method, Method general) {
		Class<?> type = method.getDeclaringClass();
		return general.getDeclaringClass().isAssignableFrom(type)
				&& AopUtils.getMostSpecificMethod(general, type).equals(method);
	}

}
