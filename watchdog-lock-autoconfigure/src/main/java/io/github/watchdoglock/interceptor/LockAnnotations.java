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

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;

import io.github.watchdoglock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotation that counts for a method: the method's own, wherever in the
 * hierarchy it is declared, before that of the type which declares the method, before
 * that of an interface which declares it.
 */
final class LockAnnotations {

	private LockAnnotations() {
	}

	static @Nullable DistributedLock find(Method method, Class<?> targetClass) {
		if (ReflectionUtils.isObjectMethod(method)) {
			return null;
		}
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		DistributedLock found = find(specific, SearchStrategy.TYPE_HIERARCHY);
		if (found == null && !specific.equals(method)) {
			found = find(method, SearchStrategy.TYPE_HIERARCHY);
		}
		return (found != null) ? found : findOnTypes(specific, targetClass);
	}

	private static @Nullable DistributedLock findOnTypes(Method specific, Class<?> targetClass) {
		if (!Modifier.isPublic(specific.getModifiers()) || Modifier.isStatic(specific.getModifiers())
				|| ReflectionUtils.isObjectMethod(specific)) {
			return null;
		}
		DistributedLock found = find(specific.getDeclaringClass(), SearchStrategy.INHERITED_ANNOTATIONS);
		if (found != null) {
			return found;
		}
		for (Class<?> type : interfacesOf(targetClass)) {
			found = find(type, SearchStrategy.DIRECT);
			if (found != null && declares(type, specific, targetClass)) {
				return found;
			}
		}
		return null;
	}

	/* Asks the other way round, since type variables hide what an override overrides. */
	private static boolean declares(Class<?> type, Method specific, Class<?> targetClass) {
		for (Method declared : type.getDeclaredMethods()) {
			if (declared.getName().equals(specific.getName())
					&& AopUtils.getMostSpecificMethod(declared, targetClass).equals(specific)) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable DistributedLock find(AnnotatedElement element, SearchStrategy strategy) {
		return MergedAnnotations.from(element, strategy)
			.get(DistributedLock.class)
			.synthesize((annotation) -> annotation.isPresent())
			.orElse(null);
	}

	private static Set<Class<?>> interfacesOf(Class<?> type) {
		Set<Class<?>> interfaces = new LinkedHashSet<>();
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			collect(current, interfaces);
		}
		return interfaces;
	}

	private static void collect(Class<?> type, Set<Class<?>> interfaces) {
		for (Class<?> parent : type.getInterfaces()) {
			if (interfaces.add(parent)) {
				collect(parent, interfaces);
			}
		}
	}

}
