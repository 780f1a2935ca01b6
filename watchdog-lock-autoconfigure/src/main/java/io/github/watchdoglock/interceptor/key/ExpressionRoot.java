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
 * What {@code #root} is in expressions.
 *
 * @param method the method that is called
 * @param target the object on which it is called
 * @param targetClass the class of that object, or the interface where there is none but a
 * proxy's
 * @param args the arguments
 */
@SuppressWarnings("ArrayRecordComponent")
record ExpressionRoot(Method method, @Nullable Object target, Class<?> targetClass, @Nullable Object[] args) {

	/* What expressions may read of it; a native image can't ask the class. */
	static final Set<String> PROPERTIES = Set.of("method", "methodName", "target", "targetClass", "args");

	/* As messages list them. */
	static final String DESCRIPTION = "method, methodName, target, targetClass and args";

	/**
	 * The name of the method that is called.
	 * @return the name
	 */
	public String methodName() {
		return this.method.getName();
	}

	/* Rejected as a key, since it identifies nothing. */
	@Override
	public String toString() {
		return "";
	}

}
