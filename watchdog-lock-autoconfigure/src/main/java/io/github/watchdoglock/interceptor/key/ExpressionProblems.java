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

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKeyException;
import org.jspecify.annotations.Nullable;

/**
 * The messages about an expression that cannot be evaluated.
 *
 * @param kind the kind of its value, a key or a condition
 * @param attribute the attribute of the expression, quoted
 * @param text the expression
 * @param names the names of the method's parameters
 */
record ExpressionProblems(String kind, String attribute, String text, ParameterNames names) {

	/* The failure of a call; the problem is the second half of a sentence. */
	LockKeyException failure(String problem, @Nullable Throwable cause) {
		return new LockKeyException("The " + this.kind + " '" + this.text + "' of "
				+ LockConfigurationException.describe(this.names.method()) + " " + problem, cause);
	}

	LockConfigurationException noExpression(Exception cause) {
		return new LockConfigurationException(this.names.method(),
				this.attribute + " is '" + this.text + "', which is not a valid expression: " + cause.getMessage(),
				"Write SpEL such as #orderId, #p0 or #order.id. Put a string literal in single quotes.", cause);
	}

	LockConfigurationException placeholder() {
		return refusal(", and placeholders are not resolved in it",
				"Write @environment.getProperty('…') for the value of a property.");
	}

	LockConfigurationException unknownVariable(String name) {
		return refusal(
				", but the method has no parameter '" + name + "'"
						+ ((this.names.own() != null) ? "" : ", because it was compiled without -parameters"),
				((this.names.own() != null) ? "Did you mean " + parameters() + "?" : "Write " + parameters() + "."));
	}

	LockConfigurationException unknownMember(String name, Class<?> type) {
		return refusal(", but " + type.getSimpleName() + " has no property '" + name + "'",
				"Write the name of a property, a record component or a public field of " + type.getSimpleName() + ".");
	}

	LockConfigurationException noPropertyOfRoot(String name) {
		String quoted = this.text.matches("[\\w .:/-]+") ? this.text : name;
		return refusal(", and #root has no property '" + name + "', only " + ExpressionRoot.DESCRIPTION,
				"Write " + (this.names.positions().containsKey(name) ? "#" + name : parameters()) + ", #root.target."
						+ name + " for a property of the object, or '" + quoted + "' in single quotes for a"
						+ " string literal.");
	}

	LockConfigurationException unknownMethod(String name) {
		return refusal(
				", which calls " + name + "(...) without an object, and the only function is #"
						+ LockExpressionParser.FUNCTION + "(...)",
				"Write #" + LockExpressionParser.FUNCTION + "(...), or name the object or type: #root.target." + name
						+ "(...), @bean." + name + "(...) or T(Type)." + name + "(...).");
	}

	private String parameters() {
		if (this.names.method().getParameterCount() == 0) {
			return "#root.methodName or @bean.property (it has no parameters)";
		}
		@Nullable String[] own = this.names.own();
		return (own != null) ? "#" + String.join(" or #", own)
				: "#p0, #p1, ... (or compile with -parameters, as Spring Boot's Maven parent and Gradle plugin do)";
	}

	private LockConfigurationException refusal(String problem, String action) {
		return new LockConfigurationException(this.names.method(), this.attribute + " is '" + this.text + "'" + problem,
				action);
	}

}
