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

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotations that count for a method: the method's own, or those of the
 * nearest method that it overrides, before those of the type which declares the method,
 * before those of an interface which declares it.
 */
final class LockAnnotations {

	private LockAnnotations() {
	}

	/* None for a method that has none. */
	static <A extends Annotation> List<DeclaredAnnotation<A>> find(Class<A> type, Method method, Class<?> targetClass) {
		if (ReflectionUtils.isObjectMethod(method)) {
			return List.of();
		}
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		List<DeclaredAnnotation<A>> found = find(type, specific, SearchStrategy.TYPE_HIERARCHY);
		if (found.isEmpty() && !specific.equals(method)) {
			found = find(type, method, SearchStrategy.TYPE_HIERARCHY);
		}
		return found.isEmpty() ? findOnTypes(type, specific, targetClass) : found;
	}

	private static <A extends Annotation> List<DeclaredAnnotation<A>> findOnTypes(Class<A> annotation, Method specific,
			Class<?> targetClass) {
		if (!Modifier.isPublic(specific.getModifiers()) || Modifier.isStatic(specific.getModifiers())
				|| ReflectionUtils.isObjectMethod(specific)) {
			return List.of();
		}
		List<DeclaredAnnotation<A>> found = find(annotation, specific.getDeclaringClass(),
				SearchStrategy.INHERITED_ANNOTATIONS);
		if (!found.isEmpty()) {
			return found;
		}
		for (Class<?> type : interfacesOf(targetClass)) {
			found = find(annotation, type, SearchStrategy.DIRECT);
			if (!found.isEmpty() && declares(type, specific, targetClass)) {
				return found;
			}
		}
		return List.of();
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

	/* Those of the nearest element that has any. */
	private static <A extends Annotation> List<DeclaredAnnotation<A>> find(Class<A> type, AnnotatedElement element,
			SearchStrategy strategy) {
		List<MergedAnnotation<A>> all = MergedAnnotations.from(element, strategy).stream(type).toList();
		return all.stream()
			.filter((annotation) -> annotation.getAggregateIndex() == all.get(0).getAggregateIndex())
			.map(DeclaredAnnotation::of)
			.toList();
	}

	static Set<Class<?>> interfacesOf(Class<?> type) {
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
