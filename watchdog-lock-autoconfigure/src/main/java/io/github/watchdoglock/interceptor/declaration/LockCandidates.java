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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;

import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Finds out which classes may have locked methods, so that each of their methods has to
 * be checked: classes that have an annotation, or inherit from one that has. Each class
 * is read once, and not once for each class that inherits from it. Thread-safe.
 */
final class LockCandidates {

	private static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(DistributedLock.class,
			LeaderOnly.class);

	private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

	boolean contains(Class<?> type) {
		Boolean known = this.known.get(type);
		if (known == null) {
			known = declares(type) || inherits(type);
			this.known.put(type, known);
		}
		return known;
	}

	private boolean inherits(Class<?> type) {
		Class<?> superclass = type.getSuperclass();
		return (superclass != null && contains(superclass)) || Stream.of(type.getInterfaces()).anyMatch(this::contains);
	}

	private static boolean declares(Class<?> type) {
		return AnnotationUtils.isCandidateClass(type, ANNOTATIONS)
				&& Stream.concat(Stream.of(type), Stream.of(type.getDeclaredMethods()))
					.map(MergedAnnotations::from)
					.anyMatch((annotations) -> ANNOTATIONS.stream().anyMatch(annotations::isPresent));
	}

}
