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

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * What all key expressions share: the parser, the beans, the names of parameters.
 */
final class KeyEvaluation {

	private final SpelExpressionParser parser = new SpelExpressionParser();

	private final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();

	private final StandardEvaluationContext shared = new StandardEvaluationContext();

	KeyEvaluation(BeanFactory beanFactory) {
		this.shared.setBeanResolver(new BeanFactoryResolver(beanFactory));
	}

	KeyExpression parse(String text, Method method) {
		try {
			SpelExpression expression = (SpelExpression) this.parser.parseExpression(text);
			return new KeyExpression(expression, method, this);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new LockDeclarationException(method,
					"'key' is '" + text + "', which is no expression: " + ex.getMessage(),
					"Write SpEL such as #orderId, #p0 or #order.id.", ex);
		}
	}

	@Nullable Object evaluate(SpelExpression expression, Method method, @Nullable Object target, @Nullable Object[] arguments) {
		MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(new Root(method, target, arguments),
				method, arguments, this.parameterNames);
		this.shared.applyDelegatesTo(context);
		return expression.getValue(context);
	}

	String @Nullable [] parameterNames(Method method) {
		return this.parameterNames.getParameterNames(method);
	}

	/**
	 * What {@code #root} is.
	 *
	 * @param method the method that is called
	 * @param target the object on which it is called
	 * @param args its arguments
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record Root(Method method, @Nullable Object target, @Nullable Object[] args) {

	}

}
