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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.watchdoglock.LockKeyException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/**
 * The part of a method's key that comes from its arguments: an expression that is parsed
 * once. Thread-safe.
 */
final class KeyExpression {

	private static final Pattern ALWAYS_THERE = Pattern.compile("root|this|[ap]\\d+");

	private final SpelExpression expression;

	private final Method method;

	private final KeyEvaluation evaluation;

	KeyExpression(SpelExpression expression, Method method, KeyEvaluation evaluation) {
		this.expression = expression;
		this.method = method;
		this.evaluation = evaluation;
	}

	List<String> evaluate(@Nullable Object target, @Nullable Object[] arguments) {
		Object value;
		try {
			value = this.evaluation.evaluate(this.expression, this.method, target, arguments);
		}
		catch (EvaluationException ex) {
			throw new LockKeyException(describe() + " failed: " + ex.getMessage() + hint(), ex);
		}
		try {
			return KeyText.allOf(value);
		}
		catch (IllegalArgumentException ex) {
			throw new LockKeyException(describe() + " " + ex.getMessage() + hint());
		}
	}

	private String describe() {
		return "The key '" + this.expression.getExpressionString() + "' of "
				+ LockDeclarationException.describe(this.method);
	}

	private String hint() {
		Set<String> unknown = new LinkedHashSet<>();
		collectVariables(this.expression.getAST(), unknown);
		String[] names = this.evaluation.parameterNames(this.method);
		if (names != null) {
			unknown.removeAll(List.of(names));
		}
		unknown.removeIf((name) -> ALWAYS_THERE.matcher(name).matches());
		return unknown.isEmpty() ? "" : ". The method has no parameter named " + String.join(", ", unknown)
				+ ": correct the name, compile with -parameters so that names are kept, or write #p0, #p1, ...";
	}

	private static void collectVariables(SpelNode node, Set<String> names) {
		if (node instanceof VariableReference) {
			names.add(node.toStringAST().substring(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			collectVariables(node.getChild(i), names);
		}
	}

}
