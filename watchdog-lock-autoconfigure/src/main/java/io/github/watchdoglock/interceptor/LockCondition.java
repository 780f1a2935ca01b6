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

import org.jspecify.annotations.Nullable;

/**
 * Whether a call needs a lock. Thread-safe.
 *
 * @param expression computes it
 */
record LockCondition(CallExpression expression) {

	boolean isTrue(@Nullable Object target, @Nullable Object[] arguments) {
		Object value = this.expression.evaluate(target, arguments);
		if (value instanceof Boolean needed) {
			return needed;
		}
		throw this.expression.problems()
			.failure("is " + ((value != null) ? "a " + value.getClass().getName() : "null")
					+ ", and must be true or false", null);
	}

}
