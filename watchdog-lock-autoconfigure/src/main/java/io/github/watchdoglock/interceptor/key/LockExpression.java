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

import java.util.List;

import io.github.watchdoglock.LockKeyException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * A key or a condition that is evaluated for each call: an expression that is parsed
 * once. Thread-safe.
 *
 * @param expression the parsed expression
 * @param problems creates the exceptions
 * @param parser evaluates the expression
 */
public record LockExpression(SpelExpression expression, ExpressionProblems problems, LockExpressionParser parser) {

	/**
	 * Return the part of a key that depends on the arguments of a call.
	 * @param target the object on which the method is called
	 * @param arguments the arguments
	 * @return the ids of all its locks, without duplicates
	 */
	public List<String> ids(@Nullable Object target, @Nullable Object[] arguments) {
		Object value = evaluate(target, arguments);
		try {
			return KeyText.allOf(value);
		}
		catch (IllegalArgumentException ex) {
			throw this.problems.failure(String.valueOf(ex.getMessage()), null);
		}
	}

	/**
	 * Return whether a condition is true for a call.
	 * @param target the object on which the method is called
	 * @param arguments the arguments
	 * @return whether it is true
	 */
	public boolean isTrue(@Nullable Object target, @Nullable Object[] arguments) {
		Object value = evaluate(target, arguments);
		if (value instanceof Boolean needed) {
			return needed;
		}
		throw this.problems.failure(
				"is " + ((value != null) ? "a " + value.getClass().getName() : "null") + ", and must be true or false",
				null);
	}

	private @Nullable Object evaluate(@Nullable Object target, @Nullable Object[] arguments) {
		try {
			return this.parser.evaluate(this.expression, this.problems.names(), target, arguments);
		}
		catch (EvaluationException ex) {
			throw this.problems.failure("failed: " + reason(ex), ex);
		}
	}

	private static String reason(EvaluationException failure) {
		for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof LockKeyException) {
				return String.valueOf(cause.getMessage());
			}
		}
		return String.valueOf(failure.getMessage()).replace(ExpressionRoot.class.getName(), "#root");
	}

}
