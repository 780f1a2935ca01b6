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
import java.util.Objects;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.ReflectionUtils;

/**
 * What all expressions share: the parser, the beans, the function for keys of several
 * parts.
 */
final class CallExpressions {

	/* The only function there is, #lockKey(#a, #b). */
	static final String FUNCTION = "lockKey";

	static final Method FUNCTION_METHOD = Objects
		.requireNonNull(ReflectionUtils.findMethod(LockKey.class, "idOf", Object[].class));

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	CallExpressions(BeanFactory beanFactory) {
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	/* What no call could compute is refused, as in a condition. */
	KeyExpression key(String text, UserMethod method) {
		ExpressionProblems problems = problems("key", text, method);
		CallExpression expression = parse(text, method, problems);
		Class<?> type = expression.type();
		if (type == CallRoot.class) {
			throw problems.root();
		}
		if (type != null && KeyText.isOfPrimitives(type)) {
			throw problems.arrayOfPrimitives(type);
		}
		return new KeyExpression(expression);
	}

	LockCondition condition(String text, UserMethod method) {
		ExpressionProblems problems = problems("condition", text, method);
		CallExpression expression = parse(text, method, problems);
		Class<?> type = expression.type();
		if (type == CallRoot.class) {
			throw problems.root();
		}
		if (type != null && type != boolean.class && !type.isAssignableFrom(Boolean.class)) {
			throw problems.noBoolean(type);
		}
		return new LockCondition(expression);
	}

	private static ExpressionProblems problems(String attribute, String text, UserMethod method) {
		return new ExpressionProblems(attribute, text, method.method(),
				new ParameterNames(method.method(), method.type()));
	}

	private CallExpression parse(String text, UserMethod method, ExpressionProblems problems) {
		SpelExpression expression;
		try {
			expression = (SpelExpression) this.parser.parseExpression(text);
		}
		catch (ParseException | IllegalStateException | IllegalArgumentException ex) {
			throw problems.noExpression(ex);
		}
		new ExpressionCheck(problems).check(expression.getAST());
		return new CallExpression(expression, method, problems, this);
	}

	@Nullable Object evaluate(SpelExpression expression, UserMethod method, ParameterNames names, @Nullable Object target,
			@Nullable Object[] arguments) {
		Context context = new Context(new CallRoot(method.method(), target, method.type(), arguments), names);
		this.shared.applyDelegatesTo(context);
		return expression.getValue(context);
	}

	/**
	 * Of one call.
	 */
	private static final class Context extends MethodBasedEvaluationContext {

		private final ParameterNames names;

		private final @Nullable Object[] arguments;

		Context(CallRoot root, ParameterNames names) {
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
