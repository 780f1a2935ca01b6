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

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The part of a method's key that comes from its arguments. Thread-safe.
 *
 * @param expression computes it
 */
record KeyExpression(CallExpression expression) {

	/* The ids of all locks that it stands for, none twice. */
	List<String> evaluate(@Nullable Object target, @Nullable Object[] arguments) {
		Object value = this.expression.evaluate(target, arguments);
		try {
			return KeyText.allOf(value);
		}
		catch (IllegalArgumentException ex) {
			throw this.expression.problems().failure(String.valueOf(ex.getMessage()), null);
		}
	}

}
