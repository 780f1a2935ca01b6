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
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * A benchmark of the evaluation of a key expression: from the arguments of a call to the
 * id of its lock.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class KeyExpressionBenchmark {

	private final Orders target = new Orders();

	private final @Nullable Object[] arguments = { new Order("4711") };

	private LockExpression expression;

	/**
	 * Parse the expression.
	 * @throws NoSuchMethodException never
	 */
	@Setup
	public void parse() throws NoSuchMethodException {
		Method method = Orders.class.getDeclaredMethod("pay", Order.class);
		this.expression = new LockExpressionParser(new DefaultListableBeanFactory()).parse("a key", "'key'",
				"#order.id", method, Orders.class);
	}

	/**
	 * Evaluate the expression.
	 * @return the id
	 */
	@Benchmark
	public List<String> keyExpression() {
		return this.expression.ids(this.target, this.arguments);
	}

	/**
	 * The argument of the call.
	 *
	 * @param id the id of the order
	 */
	public record Order(String id) {

	}

	/**
	 * A bean with a locked method.
	 */
	static final class Orders {

		String pay(Order order) {
			return order.id();
		}

	}

}
