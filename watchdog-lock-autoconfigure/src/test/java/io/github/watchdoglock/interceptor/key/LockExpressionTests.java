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
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockKeyException;
import io.github.watchdoglock.annotation.DistributedLock;
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

	private final InterceptorFixture fixture = new InterceptorFixture();

	@ParameterizedTest
	@ValueSource(strings = { "byName", "byPosition", "byArgument", "byRootArgs" })
	void argumentIsFoundByNameAndByPosition(String method) {
		assertThat(id(method, "42")).isEqualTo("42");
	}

	@Test
	void methodTargetAndBeansAreWithinReach() {
		this.fixture.beans.addBean("tenants", new Tenants());
		assertThat(id("byMethod", "42")).isEqualTo("byMethod");
		assertThat(id("byMethodName", "42")).isEqualTo("byMethodName");
		assertThat(id("byTargetClass", "42")).isEqualTo(Orders.class.getName());
		assertThat(id("byTarget", "42")).isEqualTo("orders");
		assertThat(id("byBean", "42")).isEqualTo("acme:42");
	}

	@Test
	void numbersEnumsAndFullOptionalsHaveText() {
		assertThat(id("byName", 7L)).isEqualTo("7");
		assertThat(id("byName", Thread.State.NEW)).isEqualTo("NEW");
		assertThat(id("byName", Optional.of("x"))).isEqualTo("x");
	}

	@Test
	void nullIsRefusedNamingMethodAndExpression() {
		assertRefused("byName", null, "The key '#orderId' of ", "LockExpressionTests$Orders.byName(Object)", "is null");
		assertRefused("byName", Optional.empty(), "is null");
	}

	@Test
	void blankIsRefused() {
		assertRefused("byName", " ", "is blank");
	}

	@Test
	void collectionsAndArraysMeanEachOfTheirElementsOnce() {
		assertThat(ids("byName", List.of("b", "a", "b"))).containsExactly("b", "a");
		assertThat(ids("byName", Optional.of(Set.of(7)))).containsExactly("7");
		assertThat(ids("byName", new Integer[] { 1, 2 })).containsExactly("1", "2");
		assertThat(ids("byName", new String[] { "x" })).containsExactly("x");
		assertThat(ids("byName", Collections.nCopies(64, "x"))).containsExactly("x");
	}

	@Test
	void collectionsAndArraysWithoutUsableElementsAreRefused() {
		assertRefused("byName", List.of(), "'#orderId'", "is empty");
		assertRefused("byName", new String[0], "is empty");
		assertRefused("byName", Arrays.asList("a", null), "'#orderId'", "has an element that is null");
		assertRefused("byName", List.of("a", " "), "has an element that is blank");
		assertRefused("byName", new Object[] { new Object() }, "has an element that is a java.lang.Object");
		assertRefused("byName", List.of(List.of("a")), "has an element that is a collection");
		assertRefused("byName", new Integer[65], "has 65 elements, and may have 64");
	}

	@Test
	void objectWithoutTextOfItsOwnIsRefused() {
		assertRefused("byName", new Object(), "is a java.lang.Object", "no toString of its own");
		assertRefused("byName", (Runnable) () -> {
		}, "no toString of its own");
		assertRefused("byName", new Object() {
			@Override
			public String toString() {
				return super.toString();
			}
		}, "no toString of its own");
	}

	@Test
	void arrayOfPrimitivesIsRefusedSinceItIsRatherOneValue() {
		assertRefused("byName", new byte[] { 1, 2 }, "'#orderId'", "byte[]", "a lock of its own", "a List");
		assertRefused("byName", Optional.of(new long[0]), "long[]");
	}

	@Test
	void partsAreOneIdThatOthersCantHave() {
		assertThat(id("byParts", "a:b")).isEqualTo("a%3Ab:byParts");
		assertThat(id("byParts", "50%")).isEqualTo("50%25:byParts");
		assertThat(id("byParts", Optional.of(7))).isEqualTo("7:byParts");
		assertThat(ids("bySeveralParts", List.of("a", "b:c"))).containsExactly("x:a", "x:b%3Ac");
		assertThat(id("byItsName", "a:b")).isEqualTo("a%3Ab");
	}

	@DistributedLock(key = "#lockKey(#p0)")
	void byItsName(String lockKey) {
	}

	@Test
	void partWithoutTextIsRefusedNamingMethodAndExpression() {
		assertRefused("byParts", null, "The key '#lockKey(#orderId, #root.methodName)' of ",
				"LockExpressionTests$Orders.byParts(Object)", "Part 1 of a key is null");
		assertRefused("byParts", " ", "Part 1", "blank");
		assertRefused("byParts", new Object(), "Part 1", "no toString of its own");
		assertRefused("byParts", List.of("a"), "Part 1", "a collection or an array");
		assertRefused("byPart", null, "Part 1", "null");
	}

	@Test
	void messagesNameNoClassOfOurs() {
		for (String method : new String[] { "indexed", "property", "byParts" }) {
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> id(method, null))
				.satisfies(
						(ex) -> assertThat(ex.getMessage()).doesNotContain("ExpressionRoot", "watchdoglock.LockKey"));
		}
	}

	@Test
	void failingExpressionKeepsItsCause() {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> id("property", "42"))
			.withMessageContaining("'#orderId.missing'")
			.withCauseInstanceOf(org.springframework.expression.EvaluationException.class);
	}

	private void assertRefused(String method, @Nullable Object argument, String... parts) {
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> id(method, argument))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains(parts));
	}

	private @Nullable String id(String method, @Nullable Object argument) {
		List<@Nullable String> ids = ids(method, argument);
		assertThat(ids).hasSize(1);
		return ids.get(0);
	}

	private List<@Nullable String> ids(String method, @Nullable Object argument) {
		Method locked = InterceptorFixture.method(Orders.class, method);
		return new LockExpressionParser(this.fixture.beans)
			.parse("key", "'key'", locked.getAnnotation(DistributedLock.class).key(), locked, Orders.class)
			.ids(new Orders(), new @Nullable Object[] { argument })
			.stream()
			.<@Nullable String>map((id) -> LockKey.of("orders", id).id())
			.toList();
	}

	public static class Orders {

		public String name = "orders";

		@DistributedLock(key = "#orderId")
		public void byName(Object orderId) {
		}

		@DistributedLock(key = "#p0")
		public void byPosition(Object orderId) {
		}

		@DistributedLock(key = "#a0")
		public void byArgument(Object orderId) {
		}

		@DistributedLock(key = "#root.args[0]")
		public void byRootArgs(Object orderId) {
		}

		@DistributedLock(key = "#root.method.name")
		public void byMethod(Object orderId) {
		}

		@DistributedLock(key = "#root.target.name")
		public void byTarget(Object orderId) {
		}

		@DistributedLock(key = "@tenants.current + ':' + #orderId")
		public void byBean(Object orderId) {
		}

		@DistributedLock(key = "#root.methodName")
		public void byMethodName(Object orderId) {
		}

		@DistributedLock(key = "#root.targetClass.name")
		public void byTargetClass(Object orderId) {
		}

		@DistributedLock(key = "#lockKey(#p0)")
		public void byItsName(String lockKey) {
		}

		@DistributedLock(key = "#lockKey(#orderId, #root.methodName)")
		public void byParts(Object orderId) {
		}

		@DistributedLock(key = "#lockKey(#orderId)")
		public void byPart(Object orderId) {
		}

		@DistributedLock(key = "#orderId.![#lockKey('x', #this)]")
		public void bySeveralParts(Object orderId) {
		}

		@DistributedLock(key = "#root[nothing]")
		public void indexed(Object orderId) {
		}

		@DistributedLock(key = "#orderId.missing")
		public void property(Object orderId) {
		}

	}

	public static class Tenants {

		public String getCurrent() {
			return "acme";
		}

	}

}
