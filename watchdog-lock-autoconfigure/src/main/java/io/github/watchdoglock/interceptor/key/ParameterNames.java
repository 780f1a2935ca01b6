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
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The names that expressions may use for the parameters of a method: its own names, those
 * of the methods that it overrides, which may have the annotation, and positions.
 * Immutable.
 *
 * @param method the method
 * @param targetClass the class of the object on which it is called
 * @param positions the positions of parameters by name
 */
record ParameterNames(Method method, Class<?> targetClass, Map<String, Integer> positions) {

	private static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

	ParameterNames(Method method, Class<?> targetClass) {
		this(method, targetClass, new HashMap<>());
		add(method);
		ReflectionUtils.doWithMethods(targetClass, this::addOverridden);
		for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(targetClass)) {
			ReflectionUtils.doWithMethods(type, this::addOverridden);
		}
		for (int i = 0; i < method.getParameterCount(); i++) {
			this.positions.putIfAbsent("p" + i, i);
			this.positions.putIfAbsent("a" + i, i);
		}
	}

	private void addOverridden(Method candidate) {
		if (candidate.getName().equals(this.method.getName())
				&& candidate.getParameterCount() == this.method.getParameterCount()
				&& AopUtils.getMostSpecificMethod(candidate, this.targetClass).equals(this.method)) {
			add(candidate);
		}
	}

	private void add(Method declared) {
		@Nullable String[] names = DISCOVERER.getParameterNames(declared);
		for (int i = 0; names != null && i < names.length; i++) {
			if (names[i] != null) {
				this.positions.putIfAbsent(names[i], i);
			}
		}
	}

	/* The method's own names; null if the compiler did not store them. */
	@Nullable String @Nullable [] own() {
		return DISCOVERER.getParameterNames(this.method);
	}

}
