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
import java.lang.reflect.Proxy;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * A method as its author knows it, behind whatever proxies.
 *
 * @param method the method
 * @param type the class of the objects that have it, or the interface where their class
 * is a JDK proxy, as those of repositories and HTTP clients
 */
record UserMethod(Method method, Class<?> type) {

	static UserMethod of(Method method, Class<?> targetClass) {
		Class<?> type = ClassUtils.getUserClass(targetClass);
		if (Proxy.isProxyClass(type)) {
			type = interfaceOf(type, method);
		}
		return new UserMethod(AopUtils.getMostSpecificMethod(method, type), type);
	}

	/* The one that says most, where several have the method. */
	private static Class<?> interfaceOf(Class<?> proxy, Method method) {
		Class<?> found = proxy;
		for (Class<?> candidate : proxy.getInterfaces()) {
			if (method.getDeclaringClass().isAssignableFrom(candidate)
					&& (found == proxy || found.isAssignableFrom(candidate))) {
				found = candidate;
			}
		}
		return found;
	}

}
