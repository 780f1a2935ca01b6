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
 * Parses keys and conditions, and refuses those that no call could compute. Has what all
 * of them share: the beans, the function for keys of several parts. Thread-safe.
 */
public final class LockExpressionParser {

	/* The only function there is, #lockKey(#a, #b). */
	static final String FUNCTION = "lockKey";

	static final Method FUNCTION_METHOD = Objects
		.requireNonNull(ReflectionUtils.findMethod(LockKey.class, "idOf", Object[].class));

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	/**
	 * Create a parser.
	 * @param beanFactory where expressions find beans
	 */
	public LockExpressionParser(BeanFactory beanFactory) {
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	/**
	 * Parse a key or a condition.
	 * @param kind what it computes, as messages call it
	 * @param attribute the attribute that has it, as messages quote it
	 * @param text the expression
	 * @param method the method that has it, as its author knows it
	 * @param targetClass the class of the objects that have the method, or the interface
	 * where that is a JDK proxy
	 * @return what computes it
	 */
	public LockExpression parse(String kind, String attribute, String text, Method method, Class<?> targetClass) {
		ExpressionProblems problems = new ExpressionProblems(kind, attribute, text,
				new ParameterNames(method, targetClass));
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
	 * Keep for a native image what expressions call by reflection, whatever they say.
	 * @param hints where that is noted
	 */
	public static void registerHints(ReflectionHints hints) {
		hints.registerType(ExpressionRoot.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		hints.registerMethod(FUNCTION_METHOD, ExecutableMode.INVOKE);
	}

}
