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
import java.lang.reflect.Method;

import io.github.watchdoglock.LockConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * An annotation that applies to a method, together with the annotation in the source
 * code, which is the same or is composed of it. Messages name the one in the source code.
 *
 * @param annotation the annotation that applies, with merged attributes
 * @param type the type of the annotation itself, which a composed annotation has as a
 * meta-annotation
 * @param written the type of the annotation in the source code
 * @param method the method in the source code
 */
record DeclaredAnnotation(Annotation annotation, Class<? extends Annotation> type, Class<? extends Annotation> written,
		Method method) {

	static DeclaredAnnotation of(MergedAnnotation<?> annotation, Method method) {
		return new DeclaredAnnotation(annotation.synthesize(), annotation.getType(), annotation.getRoot().getType(),
				method);
	}

	/* Whether the annotation in the source code can set the attribute. */
	boolean has(String attribute) {
		return find(this.written, attribute) != null;
	}

	/* The name of the attribute in the annotation in the source code. */
	String name(String attribute) {
		String name = find(this.written, attribute);
		return (name != null) ? name : attribute;
	}

	/* The same, as messages quote it. */
	String quoted(String attribute) {
		return "'" + name(attribute) + "'" + (has(attribute) ? "" : " of its @" + this.type.getSimpleName());
	}

	LockConfigurationException problem(String problem, String action) {
		return problem(problem, action, null);
	}

	LockConfigurationException problem(String problem, String action, @Nullable Throwable cause) {
		LockConfigurationException failure = new LockConfigurationException(message(problem), action);
		failure.initCause(cause);
		return failure;
	}

	String message(String problem) {
		return "@" + this.written.getSimpleName() + place() + problem;
	}

	/* The same problem with this annotation in its message, if it is about the method. */
	LockConfigurationException named(LockConfigurationException problem) {
		String message = String.valueOf(problem.getMessage());
		int index = message.indexOf(place());
		return (index < 0) ? problem
				: problem(message.substring(index + place().length()), problem.getAction(), problem.getCause());
	}

	private String place() {
		return " on " + LockConfigurationException.describe(this.method) + ": ";
	}

	private @Nullable String find(Class<? extends Annotation> candidate, String attribute) {
		if (candidate == this.type) {
			return attribute;
		}
		String found = null;
		for (Method method : candidate.getDeclaredMethods()) {
			AliasFor alias = method.getAnnotation(AliasFor.class);
			if (alias != null && alias.annotation() != Annotation.class && alias.annotation() != candidate
					&& isSame(aliased(alias, method), find(alias.annotation(), attribute))
					&& (found == null || method.getName().equals(attribute))) {
				found = method.getName();
			}
		}
		return found;
	}

	/* The name of a lock has two attributes. */
	private static boolean isSame(String aliased, @Nullable String attribute) {
		return aliased.equals(attribute) || (aliased.equals("value") && "name".equals(attribute));
	}

	private static String aliased(AliasFor alias, Method method) {
		String attribute = alias.attribute().isEmpty() ? alias.value() : alias.attribute();
		return attribute.isEmpty() ? method.getName() : attribute;
	}

}
