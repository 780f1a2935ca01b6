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
import org.springframework.context.expression.MethodBasedEvaluationContext;
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
	 * Parse a key.
	 * @param attribute the attribute that has it, as messages quote it
	 * @param text the expression
	 * @param method the method that has it, as its author knows it
	 * @param targetClass the class of the objects that have the method, or the interface
	 * where that is a JDK proxy
	 * @return what computes it
	 */
	public LockExpression key(String attribute, String text, Method method, Class<?> targetClass) {
		ExpressionProblems problems = problems("key", attribute, text, method, targetClass);
		LockExpression expression = parse(text, problems);
		Class<?> type = expression.type();
		if (type != null && KeyText.isOfPrimitives(type)) {
			throw problems.arrayOfPrimitives(type);
		}
		return expression;
	}

	/**
	 * Parse a condition.
	 * @param attribute the attribute that has it, as messages quote it
	 * @param text the expression
	 * @param method the method that has it, as its author knows it
	 * @param targetClass the class of the objects that have the method, or the interface
	 * where that is a JDK proxy
	 * @return what computes it
	 */
	public LockExpression condition(String attribute, String text, Method method, Class<?> targetClass) {
		ExpressionProblems problems = problems("condition", attribute, text, method, targetClass);
		LockExpression expression = parse(text, problems);
		Class<?> type = expression.type();
		if (type != null && type != boolean.class && !type.isAssignableFrom(Boolean.class)) {
			throw problems.noBoolean(type);
		}
		return expression;
	}

	private static ExpressionProblems problems(String kind, String attribute, String text, Method method,
			Class<?> targetClass) {
		return new ExpressionProblems(kind, attribute, text, new ParameterNames(method, targetClass));
	}

	private LockExpression parse(String text, ExpressionProblems problems) {
		SpelExpression expression;
		try {
			expression = (SpelExpression) this.parser.parseExpression(text);
		}
		catch (ParseException | IllegalStateException | IllegalArgumentException ex) {
			throw problems.noExpression(ex);
		}
		new ExpressionCheck(problems).check(expression.getAST());
		LockExpression parsed = new LockExpression(expression, problems, this);
		if (parsed.type() == ExpressionRoot.class) {
			throw problems.root();
		}
		return parsed;
	}

	@Nullable Object evaluate(SpelExpression expression, ParameterNames names, @Nullable Object target,
			@Nullable Object[] arguments) {
		Context context = new Context(new ExpressionRoot(names.method(), target, names.targetClass(), arguments),
				names);
		this.shared.applyDelegatesTo(context);
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

	/**
	 * Of one call.
	 */
	private static final class Context extends MethodBasedEvaluationContext {

		private final ParameterNames names;

		private final @Nullable Object[] arguments;

		Context(ExpressionRoot root, ParameterNames names) {
			super(root, root.method(), root.args(), ParameterNames.DISCOVERER);
			this.names = names;
			this.arguments = root.args();
		}

		@Override
		public @Nullable Object lookupVariable(String name) {
			if (name.equals(FUNCTION)) {
				return FUNCTION_METHOD;
			}
			Object value = super.lookupVariable(name);
			if (value != null) {
				return value;
			}
			int position = this.names.position(name);
			return (position >= 0 && position < this.arguments.length) ? this.arguments[position] : null;
		}

	}

}
