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

import java.util.HashSet;
import java.util.Set;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Refuses expressions that name what no call will ever have.
 */
final class ExpressionCheck {

	private final ExpressionProblems problems;

	private final Set<String> assigned = new HashSet<>();

	ExpressionCheck(ExpressionProblems problems) {
		this.problems = problems;
	}

	void check(SpelNode expression) {
		collectAssigned(expression);
		visit(expression, true);
	}

	private void collectAssigned(SpelNode node) {
		if (node instanceof Assign && node.getChild(0) instanceof VariableReference variable) {
			this.assigned.add(name(variable));
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			collectAssigned(node.getChild(i));
		}
	}

	/* On root: what stands without an object is looked for in #root. */
	private void visit(SpelNode node, boolean onRoot) {
		if (node instanceof VariableReference variable) {
			checkVariable(name(variable));
		}
		else if (node instanceof FunctionReference function) {
			checkFunction(function);
		}
		else if (onRoot && node instanceof PropertyOrFieldReference property) {
			if (!ExpressionRoot.PROPERTIES.contains(property.getName())) {
				throw this.problems.bareProperty(property.getName());
			}
		}
		else if (onRoot && node instanceof MethodReference method) {
			if (!ExpressionRoot.PROPERTIES.contains(method.getName())) {
				throw this.problems.bareMethod(method.getName());
			}
		}
		visitChildren(node, onRoot);
	}

	private void visitChildren(SpelNode node, boolean onRoot) {
		boolean below = onRoot && !(node instanceof Projection) && !(node instanceof Selection);
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			if (node instanceof CompoundExpression && i > 0) {
				visitMember(node.getChild(i - 1), child, below, i == 1);
			}
			else if (!isName(node, child, i)) {
				visit(child, below);
			}
		}
	}

	private void visitMember(SpelNode owner, SpelNode member, boolean onRoot, boolean first) {
		if (first && owner instanceof VariableReference variable && isRoot(name(variable), onRoot)
				&& member instanceof PropertyOrFieldReference property
				&& !ExpressionRoot.PROPERTIES.contains(property.getName())) {
			throw this.problems.noPropertyOfRoot(property.getName());
		}
		visitChildren(member, onRoot);
	}

	/* Maps take these for texts. */
	private static boolean isName(SpelNode node, SpelNode child, int index) {
		return child instanceof PropertyOrFieldReference
				&& (node instanceof Indexer || (node instanceof InlineMap && index % 2 == 0));
	}

	private void checkVariable(String name) {
		if (!name.equals("root") && !name.equals("this") && !this.assigned.contains(name)
				&& this.problems.names().position(name) < 0) {
			throw this.problems.unknownVariable(name);
		}
	}

	private void checkFunction(FunctionReference function) {
		String text = function.toStringAST();
		String name = text.substring(1, text.indexOf('('));
		if (name.equals(LockExpressionParser.FUNCTION)) {
			if (function.getChildCount() == 0) {
				throw this.problems.noParts();
			}
		}
		else if (!this.assigned.contains(name) && this.problems.names().position(name) < 0) {
			throw this.problems.unknownFunction(name);
		}
	}

	private static boolean isRoot(String name, boolean onRoot) {
		return name.equals("root") || (onRoot && name.equals("this"));
	}

	private static String name(VariableReference variable) {
		return variable.toStringAST().substring(1);
	}

}
