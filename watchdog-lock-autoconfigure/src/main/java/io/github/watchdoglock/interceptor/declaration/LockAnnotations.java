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
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the annotations that apply to a method. The method's own annotations take
 * precedence, or those of the nearest method that it overrides. Next are the annotations
 * of the type that declares the method, and then those of an interface that declares it.
 */
final class LockAnnotations {

	private LockAnnotations() {
	}

	static List<DeclaredAnnotation> find(Class<? extends Annotation> type, Method method, Class<?> targetClass) {
		if (ReflectionUtils.isObjectMethod(method)) {
			return List.of();
		}
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		List<DeclaredAnnotation> found = find(type, specific, SearchStrategy.TYPE_HIERARCHY, specific);
		if (found.isEmpty() && !specific.equals(method)) {
			found = find(type, method, SearchStrategy.TYPE_HIERARCHY, specific);
		}
		return found.isEmpty() ? findOnTypes(type, specific, targetClass) : found;
	}

	private static List<DeclaredAnnotation> findOnTypes(Class<? extends Annotation> type, Method specific,
			Class<?> targetClass) {
		if (!Modifier.isPublic(specific.getModifiers()) || Modifier.isStatic(specific.getModifiers())) {
			return List.of();
		}
		List<DeclaredAnnotation> found = find(type, specific.getDeclaringClass(), SearchStrategy.INHERITED_ANNOTATIONS,
				specific);
		if (!found.isEmpty()) {
			return found;
		}
		return nearest(MergedAnnotations.from(targetClass, SearchStrategy.TYPE_HIERARCHY)
			.stream(type)
			.filter((annotation) -> declares(annotation.getSource(), specific, targetClass)), specific);
	}

	/*
	 * Whether the source is an interface that declares the method. Looks up the
	 * implementation of each declared method instead of the overridden methods, because
	 * type variables hide those.
	 */
	private static boolean declares(@Nullable Object source, Method specific, Class<?> targetClass) {
		return source instanceof Class<?> type && type.isInterface()
				&& Stream.of(type.getDeclaredMethods())
					.anyMatch((declared) -> declared.getName().equals(specific.getName())
							&& AopUtils.getMostSpecificMethod(declared, targetClass).equals(specific));
	}

	private static List<DeclaredAnnotation> find(Class<? extends Annotation> type, AnnotatedElement element,
			SearchStrategy strategy, Method method) {
		return nearest(MergedAnnotations.from(element, strategy).stream(type), method);
	}

	/* The annotations of the nearest element that has any. */
	private static <A extends Annotation> List<DeclaredAnnotation> nearest(Stream<MergedAnnotation<A>> annotations,
			Method method) {
		List<MergedAnnotation<A>> all = annotations.toList();
		return all.stream()
			.filter((annotation) -> annotation.getAggregateIndex() == all.get(0).getAggregateIndex())
			.map((annotation) -> DeclaredAnnotation.of(annotation, method))
			.toList();
	}

}
