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

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for the checks of expressions before any call: which expressions are rejected,
 * and which are accepted.
 */
class ExpressionCheckTests {

	private final InterceptorFixture fixture = new InterceptorFixture();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', commentCharacter = '~',
			textBlock = """
					#nope                    | no parameter 'nope'                     | #order or #amount or #bytes or #text
					#nope.id                 | no parameter 'nope'                     | #order or #amount
					#order?.id ?: #nope      | no parameter 'nope'                     | #order or #amount
					#p4                      | no parameter 'p4'                       | #order or #amount
					@bean.of(#nope)          | no parameter 'nope'                     | #order or #amount
					#order.lines.![#nope]    | no parameter 'nope'                     | #order or #amount
					{#order.id, #nope}       | no parameter 'nope'                     | #order or #amount
					#lockKey                 | no parameter 'lockKey'                  | #order or #amount
					order                    | #root has no property 'order'               | Write #order, #root.target.order
					order.id                 | #root has no property 'order'               | Write #order, #root.target.order
					orders                   | #root has no property 'orders'              | or 'orders' in single quotes
					nightly-report           | #root has no property 'nightly'             | or 'nightly-report' in single quotes
					#amount + order          | #root has no property 'order'               | Write #order
					#order.with(text)        | #root has no property 'text'                | Write #text
					#root.id                 | #root has no property 'id'                  | #root.target.id
					#this.id                 | #root has no property 'id'                  | #root.target.id
					#order.lines.?[#root.id] | #root has no property 'id'                  | #root.target.id
					id(#order)               | which calls id(...) without an object       | @bean.id(...) or T(Type).id(...)
					lockKey(#order.id)       | which calls lockKey(...) without an object  | Write #lockKey(...),
					#id(#order)              | the only function is #lockKey(...)          | @bean.id(...)
					#order.idd               | Order has no property 'idd'                 | a record component
					#text?.nope              | String has no property 'nope'               | Write the name
					'${shop}:' + #text       | placeholders are not resolved in it         | @environment.getProperty
					` `                      | which is not a valid expression             | Write SpEL
					""")
	void invalidKeyExpressionIsRejectedWithAdvice(String key, String problem, String action) {
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(() -> read(key))
			.withMessageContainingAll(
					"ExpressionCheckTests$Shop.buy(Order, int, byte[], String): 'key' is '" + key + "'", problem)
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("ExpressionRoot"))
			.satisfies((ex) -> assertThat(ex.getAction()).contains(action));
	}

	@ParameterizedTest
	@ValueSource(strings = { "#order", "#p0.id", "#a3", "#order?.id", "#order?.id ?: 'none'", "'order'", "42",
			"#order.id + '-' + #amount", "@bean", "@bean.property.of(#order)", "&factory.object",
			"T(java.util.UUID).randomUUID()", "T(Math).max(#amount, 1)", "new String('x')", "new int[] {1, 2}.length",
			"#order.lines.?[sku != null].![sku]", "#order.lines.![#root.methodName + sku]",
			"#order.lines.![name(#this, sku)]", "#order.map[key]", "#order.map['key']", "{sku: #order.id}",
			"{sku: #order.id, amount: #amount}", "{#order.id, #amount}", "#root.method.name", "#root.methodName",
			"#root.target.anything", "#root.targetClass.simpleName", "#root.args[0]", "#root.args.length", "methodName",
			"method.name", "#this.methodName", "target.anything", "#lockKey(#order.id, #amount)",
			"#lockKey(#lockKey('a', 'b'), #text).toLowerCase()", "#text matches '[a-z]+'",
			"#amount > 100 ? #order.id : #text", "!#order.done", "-#amount", "#order instanceof T(String)",
			"#order.id.bytes", "#order.done", "#text.bytes", "#text.empty", "#order.toString",
			"@environment.getProperty('shop') + #text", "#text?.length() ?: 0" })
	void validKeyExpressionIsAccepted(String key) {
		assertThatNoException().isThrownBy(() -> read(key));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', commentCharacter = '~', textBlock = """
			#nope != null | no parameter 'nope'                    | #order or #amount
			amount > 100  | #root has no property 'amount'             | Write #amount
			#amount >     | which is not a valid expression            | Write SpEL
			""")
	void invalidConditionIsRejectedLikeInvalidKey(String condition, String problem, String action) {
		InterceptorFixture.assertRefused(() -> readCondition(condition), action, "'condition' is '" + condition + "'",
				problem);
	}

	@ParameterizedTest
	@ValueSource(strings = { "#amount > 100", "true", "#order.done", "@bean.enabled", "#text == null" })
	void conditionThatMayBeBooleanIsAccepted(String condition) {
		assertThatNoException().isThrownBy(() -> readCondition(condition));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					work | 'key' is '#id', but the method has no parameter 'id' |
					bare | #root has no property 'order'             | , #root.target.order for a property of the object, or 'order' in single quotes
					""")
	void adviceForMethodWithoutParametersNamesAlternatives(String method, String problem, @Nullable String action) {
		InterceptorFixture.assertRefused(() -> this.fixture.lockedMethod(NoParameters.class, method),
				"#root.methodName or @bean.property (it has no parameters)" + Objects.requireNonNullElse(action, ""),
				problem);
	}

	@Test
	void errorForKeyOfTypeNamesMethodThatLacksParameter() {
		InterceptorFixture.assertRefused(() -> this.fixture.check(new OnType()), "",
				"ExpressionCheckTests$OnType.clear(): 'key' is '#id', but the method has no parameter 'id'");
	}

	@Test
	void keyOfInterfaceMayUseParameterNamesOfInterface() {
		Orders orders = this.fixture.interfaceProxy(new TextOrders(), Orders.class);
		assertThatNoException().isThrownBy(() -> this.fixture.check(orders));
		orders.ship("42", "x");
		orders.move("a", "b");
		orders.stop("7");
		assertThat(this.fixture.service.requests).extracting((request) -> request.key().id())
			.containsExactly("42/x", "a", "7");
	}

	@Test
	void keyOfOverrideMayUseParameterNamesOfGenericMethod() {
		Saved proxy = this.fixture.proxy(new Saved());
		assertThatNoException().isThrownBy(() -> this.fixture.check(proxy));
		proxy.save("42");
		assertThat(this.fixture.service.requests).extracting((request) -> request.key().id()).containsExactly("42");
	}

	@Test
	void repeatedAndComposedAnnotationsAreAllChecked() {
		assertThatNoException().isThrownBy(() -> this.fixture.check(new Composed()));
		InterceptorFixture.assertRefused(() -> this.fixture.check(new WronglyComposed()), "", "'value' is '#nope'");
		InterceptorFixture.assertRefused(() -> this.fixture.check(new WronglyRepeated()), "", "'key' is '#nope'");
	}

	private void read(String key) {
		new LockExpressionParser(this.fixture.beans).parse("key", "'key'", key,
				InterceptorFixture.method(Shop.class, "buy"), Shop.class);
	}

	private void readCondition(String condition) {
		new LockExpressionParser(this.fixture.beans).parse("condition", "'condition'", condition,
				InterceptorFixture.method(Shop.class, "buy"), Shop.class);
	}

	record Order(String id, List<Line> lines, Map<String, String> map, boolean done) {

	}

	record Line(String sku) {

	}

	static class Shop {

		void buy(Order order, int amount, byte[] bytes, @Nullable String text) {
		}

	}

	static class NoParameters {

		@DistributedLock(key = "order")
		void bare() {
		}

		@DistributedLock(key = "#id")
		void work() {
		}

	}

	@DistributedLock(key = "#id")
	public static class OnType {

		public void add(String id) {
		}

		public void clear() {
		}

	}

	interface Stopping {

		@DistributedLock(key = "#order")
		void stop(String order);

	}

	interface Orders extends Stopping {

		@DistributedLock(key = "#orderId + '/' + #to")
		void ship(String orderId, String to);

		@DistributedLock(key = "#from")
		void move(String from, String to);

	}

	static class TextOrders implements Orders {

		@Override
		public void ship(String id, String to) {
		}

		@Override
		public void move(String source, String target) {
		}

		@Override
		public void stop(String id) {
		}

	}

	abstract static class Store<T> {

		@DistributedLock(key = "#value")
		abstract void save(T value);

	}

	static class Saved extends Store<String> {

		@Override
		void save(String text) {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock
	@interface AccountLock {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String value();

	}

	static class Composed {

		@AccountLock("#account")
		void one(String account) {
		}

		@DistributedLock(name = "a", key = "#from")
		@DistributedLock(name = "a", key = "#to")
		void two(String from, String to) {
		}

		@DistributedLock(key = "#function.apply(#p1)")
		void three(Function<String, String> function, String text) {
		}

	}

	static class WronglyComposed {

		@AccountLock("#nope")
		void work(String account) {
		}

	}

	static class WronglyRepeated {

		@DistributedLock(name = "a", key = "#from")
		@DistributedLock(name = "a", key = "#nope")
		void work(String from) {
		}

	}

}
