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

import java.lang.reflect.Modifier;

import org.springframework.beans.BeanUtils;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ReflectionUtils;

/**
 * Rejects expressions with names that do not exist in any call.
 *
 * @param problems creates the exceptions
 */
record ExpressionCheck(ExpressionProblems problems) {

	void check(SpelNode expression) {
		visit(expression, true, true);
	}

	/*
	 * onRoot: the name of this node is resolved in #root. below: the same applies to
	 * names without an object in its children.
	 */
	private void visit(SpelNode node, boolean onRoot, boolean below) {
		if (node instanceof VariableReference variable) {
			checkVariable(name(variable));
		}
		else if (node instanceof FunctionReference function) {
			checkFunction(function);
		}
		else if (onRoot && node instanceof PropertyOrFieldReference property) {
			if (!ExpressionRoot.PROPERTIES.contains(property.getName())) {
				throw this.problems.noPropertyOfRoot(property.getName());
			}
		}
		else if (onRoot && node instanceof MethodReference method
				&& !ExpressionRoot.PROPERTIES.contains(method.getName())) {
			throw this.problems.unknownMethod(method.getName());
		}
		visitChildren(node, below && !(node instanceof Projection) && !(node instanceof Selection));
	}

	/* Of other types, a subclass may have the property. */
	private void checkProperty(SpelNode variable, SpelNode member) {
		Integer position = (variable instanceof VariableReference reference)
				? this.problems.names().positions().get(name(reference)) : null;
		if (position != null && member instanceof PropertyOrFieldReference property) {
			Class<?> type = this.problems.names().method().getParameterTypes()[position];
			if (Modifier.isFinal(type.getModifiers()) && !type.isArray() && !type.isPrimitive()
					&& !hasProperty(type, property.getName())) {
				throw this.problems.unknownMember(property.getName(), type);
			}
		}
	}

	private static boolean hasProperty(Class<?> type, String name) {
		return BeanUtils.getPropertyDescriptor(type, name) != null || ReflectionUtils.findField(type, name) != null
				|| ReflectionUtils.findMethod(type, name) != null;
	}

	private void visitChildren(SpelNode node, boolean below) {
		if (node instanceof CompoundExpression) {
			checkProperty(node.getChild(0), node.getChild(1));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			boolean member = node instanceof CompoundExpression && i > 0;
			if (!isName(node, child, i)) {
				visit(child, member ? isRoot(node.getChild(i - 1), below) : below, below);
			}
		}
	}

	/* In maps and indexes, names are strings and not properties. */
	private static boolean isName(SpelNode node, SpelNode child, int index) {
		return child instanceof PropertyOrFieldReference
				&& (node instanceof Indexer || (node instanceof InlineMap && index % 2 == 0));
	}

	private static boolean isRoot(SpelNode node, boolean below) {
		return node instanceof VariableReference variable
				&& (name(variable).equals("root") || (below && name(variable).equals("this")));
	}

	private void checkVariable(String name) {
		if (!name.equals("root") && !name.equals("this") && !this.problems.names().positions().containsKey(name)) {
			throw this.problems.unknownVariable(name);
		}
	}

	private void checkFunction(FunctionReference function) {
		String text = function.toStringAST();
		String name = text.substring(1, text.indexOf('('));
		if (!name.equals(LockExpressionParser.FUNCTION)) {
			throw this.problems.unknownMethod(name);
		}
	}

	private static String name(VariableReference variable) {
		return variable.toStringAST().substring(1);
	}

}
