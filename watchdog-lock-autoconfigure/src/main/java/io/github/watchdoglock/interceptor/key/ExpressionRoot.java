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
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The value of {@code #root} in expressions.
 *
 * @param method the called method
 * @param target the object on which it is called
 * @param targetClass the class of that object, or the interface if it has only the class
 * of a proxy
 * @param args the arguments
 */
@SuppressWarnings("ArrayRecordComponent")
record ExpressionRoot(Method method, @Nullable Object target, Class<?> targetClass, @Nullable Object[] args) {

	/* Its properties in expressions; a native image cannot read them from the class. */
	static final Set<String> PROPERTIES = Set.of("method", "methodName", "target", "targetClass", "args");

	/* As messages list them. */
	static final String DESCRIPTION = "method, methodName, target, targetClass and args";

	/**
	 * Return the name of the called method.
	 * @return the name
	 */
	public String methodName() {
		return this.method.getName();
	}

	/* A blank key is rejected, because #root identifies nothing. */
	@Override
	public String toString() {
		return "";
	}

}
