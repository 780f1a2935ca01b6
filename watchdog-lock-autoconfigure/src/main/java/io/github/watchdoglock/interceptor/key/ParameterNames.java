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

package io.github.watchdoglock.interceptor.key;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;

/**
 * What expressions may call the parameters of a method: by its own names for them, and by
 * those of the methods that it overrides, where the annotation may stand. Immutable.
 */
final class ParameterNames {

	static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

	private final Map<String, Integer> positions = new LinkedHashMap<>();

	private final Method method;

	private final Class<?> targetClass;

	/* Whether the compiler kept the method's own. */
	private final boolean kept;

	ParameterNames(Method method, Class<?> targetClass) {
		this.method = method;
		this.targetClass = targetClass;
		this.kept = add(method);
		for (Class<?> type = targetClass.getSuperclass(); type != null; type = type.getSuperclass()) {
			addOverriddenOf(type);
		}
		for (Class<?> type = targetClass; type != null; type = type.getSuperclass()) {
			addOverriddenOfInterfaces(type);
		}
	}

	private void addOverriddenOfInterfaces(Class<?> type) {
		for (Class<?> parent : type.getInterfaces()) {
			addOverriddenOf(parent);
			addOverriddenOfInterfaces(parent);
		}
	}

	private void addOverriddenOf(Class<?> type) {
		for (Method declared : type.getDeclaredMethods()) {
			if (declared.getName().equals(this.method.getName()) && !declared.equals(this.method)
					&& declared.getParameterCount() == this.method.getParameterCount()
					&& AopUtils.getMostSpecificMethod(declared, this.targetClass).equals(this.method)) {
				add(declared);
			}
		}
	}

	private boolean add(Method declared) {
		@Nullable String[] names = DISCOVERER.getParameterNames(declared);
		for (int i = 0; names != null && i < names.length; i++) {
			if (names[i] != null) {
				this.positions.putIfAbsent(names[i], i);
			}
		}
		return names != null;
	}

	/* The method whose parameters they are. */
	Method method() {
		return this.method;
	}

	Class<?> targetClass() {
		return this.targetClass;
	}

	boolean areKept() {
		return this.kept;
	}

	boolean isEmpty() {
		return this.method.getParameterCount() == 0;
	}

	List<String> all() {
		return List.copyOf(this.positions.keySet());
	}

	/* Negative where no parameter has the name. */
	int position(String name) {
		Integer position = this.positions.get(name);
		if (position != null) {
			return position;
		}
		for (int i = 0; i < this.method.getParameterCount(); i++) {
			if (name.equals("p" + i) || name.equals("a" + i)) {
				return i;
			}
		}
		return -1;
	}

	Class<?> type(int position) {
		return ResolvableType.forMethodParameter(this.method, position, this.targetClass)
			.resolve(this.method.getParameterTypes()[position]);
	}

}
