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

import java.util.stream.Collectors;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockKeyException;
import org.jspecify.annotations.Nullable;

/**
 * What to say of an expression that can't be computed.
 *
 * @param kind what it computes, a key or a condition
 * @param attribute the attribute that has it, quoted
 * @param text the expression
 * @param names of the parameters of the method that has it
 */
record ExpressionProblems(String kind, String attribute, String text, ParameterNames names) {

	/* In a call, with the second half of a sentence. */
	LockKeyException failure(String problem, @Nullable Throwable cause) {
		return new LockKeyException("The " + this.kind + " '" + this.text + "' of "
				+ LockConfigurationException.describe(this.names.method()) + " " + problem, cause);
	}

	LockConfigurationException noExpression(Exception cause) {
		return new LockConfigurationException(this.names.method(),
				this.attribute + " is '" + this.text + "', which is no expression: " + cause.getMessage(),
				"Write SpEL such as #orderId, #p0 or #order.id; a text stands in single quotes.", cause);
	}

	LockConfigurationException unknownVariable(String name) {
		if (this.names.isEmpty()) {
			return refusal(", and the method has no parameters",
					"Write what it is to be read from, such as #root.methodName or @bean.property, a text in single"
							+ " quotes, or leave " + this.attribute + " out.");
		}
		if (!this.names.areKept()) {
			return refusal(
					", and the method has no parameter known as " + name
							+ ", since it was compiled without -parameters",
					"Compile with -parameters so that names are kept,"
							+ " as Spring Boot's Maven parent and Gradle plugin do, or write #p0, #p1, ...");
		}
		return refusal(", and the method has no parameter named " + name, "Write " + parameters() + ".");
	}

	LockConfigurationException bareProperty(String name) {
		String quoted = this.text.matches("[\\w .:/-]+") ? this.text : name;
		return refusal(
				", where '" + name + "' without a '#' is a property of #root, which has " + ExpressionRoot.DESCRIPTION,
				"Write " + ((this.names.position(name) >= 0) ? "#" + name : parameters()) + ", or '" + quoted
						+ "' in single quotes where that very text is meant.");
	}

	LockConfigurationException bareMethod(String name) {
		return refusal(
				", where '" + name + "(...)' without an object is a method of #root, which has none of that name",
				name.equals(LockExpressionParser.FUNCTION) ? "Write #" + name + "(...)."
						: "Write what has it: #root.target." + name + "(...), @bean." + name + "(...) or T(Type)."
								+ name + "(...).");
	}

	LockConfigurationException noPropertyOfRoot(String name) {
		return refusal(", and #root has no '" + name + "', but " + ExpressionRoot.DESCRIPTION,
				"Write one of these; of the object itself it is #root.target." + name + ".");
	}

	LockConfigurationException unknownFunction(String name) {
		return refusal(", and the only function is #" + LockExpressionParser.FUNCTION + "(...)",
				"Write what has it: @bean." + name + "(...) or T(Type)." + name + "(...).");
	}

	LockConfigurationException noParts() {
		return refusal(", which has no parts", "Write them, such as #lockKey(#tenant, #orderId).");
	}

	LockConfigurationException arrayOfPrimitives(Class<?> type) {
		return refusal(", a " + type.getSimpleName() + ", each of whose elements would be a lock of its own",
				"Write a text of it" + ((type == byte[].class)
						? ", such as T(java.util.HexFormat).of().formatHex(" + this.text + ")" : "")
						+ ", or take a List where a lock for each is meant.");
	}

	LockConfigurationException root() {
		return refusal(", which identifies nothing", "Write one of its properties, such as #root.methodName.");
	}

	LockConfigurationException noBoolean(Class<?> type) {
		return refusal(", which is a " + type.getSimpleName() + " and neither true nor false",
				"Write a comparison such as #amount > 100.");
	}

	/* Never empty where there are any. */
	private String parameters() {
		if (this.names.isEmpty()) {
			return "#root.methodName or @bean.property (it has no parameters)";
		}
		return this.names.areKept()
				? this.names.all().stream().map((name) -> "#" + name).collect(Collectors.joining(" or "))
				: "#p0, #p1, ... (it was compiled without -parameters, which would keep names)";
	}

	private LockConfigurationException refusal(String problem, String action) {
		return new LockConfigurationException(this.names.method(), this.attribute + " is '" + this.text + "'" + problem,
				action);
	}

}
