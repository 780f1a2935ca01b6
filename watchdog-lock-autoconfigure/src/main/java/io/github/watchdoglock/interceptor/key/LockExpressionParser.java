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
import java.util.Objects;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ReflectionUtils;

/**
 * A parser of keys and conditions, which rejects those that no call could evaluate. It
 * has the parts that all expressions share: the beans, and the function for composite
 * keys. Thread-safe.
 */
public final class LockExpressionParser {

	/* The only function, #lockKey(#a, #b). */
	static final String FUNCTION = "lockKey";

	static final Method FUNCTION_METHOD = Objects
		.requireNonNull(ReflectionUtils.findMethod(LockKey.class, "idOf", Object[].class));

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	/**
	 * Create a parser.
	 * @param beanFactory the beans for expressions
	 */
	public LockExpressionParser(BeanFactory beanFactory) {
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	/**
	 * Parse a key or a condition.
	 * @param kind the kind of its value, for messages
	 * @param attribute the attribute of the expression, as messages quote it
	 * @param text the expression
	 * @param method the method with the annotation, as in the source code
	 * @param targetClass the class of the objects that have the method, or the interface
	 * if that is a JDK proxy
	 * @return the parsed expression
	 */
	public LockExpression parse(String kind, String attribute, String text, Method method, Class<?> targetClass) {
		ExpressionProblems problems = new ExpressionProblems(kind, attribute, text,
				new ParameterNames(method, targetClass));
		if (text.contains("${")) {
			throw problems.placeholder();
		}
		SpelExpression expression;
		try {
			expression = this.parser.parseRaw(text);
		}
		catch (ParseException | IllegalStateException | IllegalArgumentException ex) {
			throw problems.noExpression(ex);
		}
		new ExpressionCheck(problems).check(expression.getAST());
		return new LockExpression(expression, problems, this);
	}

	@Nullable Object evaluate(SpelExpression expression, ParameterNames names, @Nullable Object target,
			@Nullable Object[] arguments) {
		StandardEvaluationContext context = new StandardEvaluationContext(
				new ExpressionRoot(names.method(), target, names.targetClass(), arguments));
		this.shared.applyDelegatesTo(context);
		names.positions().forEach((name, position) -> context.setVariable(name, arguments[position]));
		context.setVariable(FUNCTION, FUNCTION_METHOD);
		return expression.getValue(context);
	}

	/**
	 * Register the types and methods that all expressions call by reflection, for a
	 * native image.
	 * @param hints the hints to which they are added
	 */
	public static void registerHints(ReflectionHints hints) {
		hints.registerType(ExpressionRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.registerMethod(FUNCTION_METHOD, ExecutableMode.INVOKE);
	}

}
