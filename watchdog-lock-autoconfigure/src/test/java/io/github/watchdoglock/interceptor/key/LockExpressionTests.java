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

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LockExpression}.
 */
class LockExpressionTests {

	private static final String PARTS = "#lockKey(#orderId, #root.methodName)";

	private final InterceptorFixture fixture = new InterceptorFixture();

	@ParameterizedTest
	@ValueSource(strings = { "#orderId", "#p0", "#a0", "#root.args[0]" })
	void argumentIsFoundByNameAndByPosition(String expression) {
		assertThat(id(expression, "42")).isEqualTo("42");
	}

	@Test
	void expressionCanUseMethodTargetAndBeans() {
		this.fixture.beans.addBean("tenants", new Tenants());
		assertThat(id("#root.method.name", "42")).isEqualTo("work");
		assertThat(id("#root.methodName", "42")).isEqualTo("work");
		assertThat(id("#root.targetClass.name", "42")).isEqualTo(Orders.class.getName());
		assertThat(id("#root.target.name", "42")).isEqualTo("orders");
		assertThat(id("@tenants.current + ':' + #orderId", "42")).isEqualTo("acme:42");
	}

	@Test
	void numberEnumAndOptionalAreConvertedToId() {
		assertThat(id("#orderId", 7L)).isEqualTo("7");
		assertThat(id("#orderId", Thread.State.NEW)).isEqualTo("NEW");
		assertThat(id("#orderId", Optional.of("x"))).isEqualTo("x");
	}

	@Test
	void nullKeyIsRejectedWithMethodAndExpression() {
		assertRefused("#orderId", null, "The key '#orderId' of ", "LockExpressionTests$Orders.work(Object)", "is null");
		assertRefused("#orderId", Optional.empty(), "is null");
	}

	@Test
	void blankOrEmptyKeyIsRejected() {
		assertRefused("#orderId", " ", "is blank");
		assertRefused("#orderId", "", "is blank");
	}

	@Test
	void elementsOfCollectionOrArrayBecomeDistinctIds() {
		assertThat(ids("#orderId", List.of("b", "a", "b"))).containsExactly("b", "a");
		assertThat(ids("#orderId", Optional.of(Set.of(7)))).containsExactly("7");
		assertThat(ids("#orderId", new Integer[] { 1, 2 })).containsExactly("1", "2");
		assertThat(ids("#orderId", new String[] { "x" })).containsExactly("x");
		assertThat(ids("#orderId", Collections.nCopies(64, "x"))).containsExactly("x");
	}

	@Test
	void emptyTooLargeOrInvalidCollectionIsRejected() {
		assertRefused("#orderId", List.of(), "'#orderId'", "is empty");
		assertRefused("#orderId", new String[0], "is empty");
		assertRefused("#orderId", Arrays.asList("a", null), "'#orderId'", "has an element that is null");
		assertRefused("#orderId", List.of("a", " "), "has an element that is blank");
		assertRefused("#orderId", new Object[] { new Object() }, "has an element that is a java.lang.Object");
		assertRefused("#orderId", List.of(List.of("a")), "has an element that is a collection");
		assertRefused("#orderId", new Integer[65], "has 65 elements, and may have at most 64");
	}

	@Test
	void keyWithoutOwnToStringIsRejected() {
		assertRefused("#orderId", new Object(), "is a java.lang.Object", "does not override toString()");
		assertRefused("#orderId", (Runnable) () -> {
		}, "does not override toString()");
		assertRefused("#orderId", new Object() {
			@Override
			public String toString() {
				return super.toString();
			}
		}, "does not override toString()");
	}

	@Test
	void arrayOfPrimitivesIsRejectedAsKey() {
		assertRefused("#orderId", new byte[] { 1, 2 }, "'#orderId'", "byte[]", "a lock of its own", "a List");
		assertRefused("#orderId", Optional.of(new long[0]), "long[]");
	}

	@Test
	void lockKeyFunctionJoinsAndEscapesParts() {
		assertThat(id(PARTS, "a:b")).isEqualTo("a%3Ab:work");
		assertThat(id(PARTS, "50%")).isEqualTo("50%25:work");
		assertThat(id(PARTS, Optional.of(7))).isEqualTo("7:work");
		assertThat(ids("#orderId.![#lockKey('x', #this)]", List.of("a", "b:c"))).containsExactly("x:a", "x:b%3Ac");
		assertThat(ids("named", "#lockKey(#p0)", "a:b")).containsExactly("a%3Ab");
	}

	@Test
	void invalidPartIsRejectedWithMethodAndExpression() {
		assertRefused(PARTS, null, "The key '#lockKey(#orderId, #root.methodName)' of ",
				"LockExpressionTests$Orders.work(Object)", "Part 1 of a key is null");
		assertRefused(PARTS, " ", "Part 1", "blank");
		assertRefused(PARTS, new Object(), "Part 1", "does not override toString()");
		assertRefused(PARTS, List.of("a"), "Part 1", "a collection or an array");
		assertRefused("#lockKey(#orderId)", null, "Part 1", "null");
	}

	@Test
	void errorMessageDoesNotNameInternalClasses() {
		for (String expression : new String[] { "#root[nothing]", "#orderId.missing", PARTS }) {
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> id(expression, null))
				.satisfies(
						(ex) -> assertThat(ex.getMessage()).doesNotContain("ExpressionRoot", "watchdoglock.LockKey"));
		}
	}

	@Test
	void failingExpressionKeepsItsCause() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> id("#orderId.missing", "42"))
			.withMessageContaining("'#orderId.missing'")
			.withCauseInstanceOf(org.springframework.expression.EvaluationException.class);
	}

	private void assertRefused(String expression, @Nullable Object argument, String... parts) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> id(expression, argument))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains(parts));
	}

	private String id(String expression, @Nullable Object argument) {
		List<String> ids = ids(expression, argument);
		assertThat(ids).hasSize(1);
		return ids.get(0);
	}

	private List<String> ids(String expression, @Nullable Object argument) {
		return ids("work", expression, argument);
	}

	private List<String> ids(String method, String expression, @Nullable Object argument) {
		return new LockExpressionParser(this.fixture.beans)
			.parse("key", "'key'", expression, InterceptorFixture.method(Orders.class, method), Orders.class)
			.ids(new Orders(), new @Nullable Object[] { argument })
			.stream()
			.map((id) -> String.valueOf(LockKey.of("orders", id).id()))
			.toList();
	}

	public static class Orders {

		public String name = "orders";

		public void work(Object orderId) {
		}

		public void named(Object lockKey) {
		}

	}

	public static class Tenants {

		public String getCurrent() {
			return "acme";
		}

	}

}
