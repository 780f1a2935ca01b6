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

package io.github.watchdoglock.interceptor.declaration;

import java.util.Objects;
import java.util.function.Predicate;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.support.InterceptorFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LockedMethodHints}, as Spring discovers them.
 */
class LockedMethodHintsTests {

	private final BeanRegistrationAotProcessor processor = SpringFactoriesLoader
		.forResourceLocation("META-INF/spring/aot.factories")
		.load(BeanRegistrationAotProcessor.class)
		.stream()
		.filter(LockedMethodHints.class::isInstance)
		.findFirst()
		.orElseThrow();

	@Test
	void hintsAllowCallsOfLockedMethodFallbackAndKeyProperties() {
		assertThat(callable(Shop.class, "buy")).accepts(hints(Shop.class));
		assertThat(callable(Shop.class, "later")).accepts(hints(Shop.class));
		assertThat(callable(Shop.class, "other")).rejects(hints(Shop.class));
		assertThat(callable(Order.class, "getId")).accepts(hints(Shop.class));
		assertThat(callable(Order.class, "getId")).accepts(hints(Conditional.class));
	}

	private static Predicate<RuntimeHints> callable(Class<?> type, String method) {
		return RuntimeHintsPredicates.reflection().onMethodInvocation(InterceptorFixture.method(type, method));
	}

	@Test
	void hintsAllowExpressionsToReadRootAndCallLockKey() throws ClassNotFoundException {
		for (Class<?> type : new Class<?>[] { Shop.class, Conditional.class }) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onMethodInvocation("io.github.watchdoglock.interceptor.key.ExpressionRoot", "methodName"))
				.accepts(hints(type));
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(LockKey.class, "idOf"))
				.accepts(hints(type));
		}
	}

	@Test
	void beanWithoutLocksGetsNoContribution() {
		assertThat(contribution(Order.class)).isNull();
	}

	private RuntimeHints hints(Class<?> type) {
		BeanRegistrationAotContribution contribution = Objects.requireNonNull(contribution(type));
		DefaultGenerationContext context = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(LockedMethodHintsTests.class)), new InMemoryGeneratedFiles());
		contribution.applyTo(context, mock(BeanRegistrationCode.class));
		return context.getRuntimeHints();
	}

	private @Nullable BeanRegistrationAotContribution contribution(Class<?> type) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("bean", new RootBeanDefinition(type));
		return this.processor.processAheadOfTime(RegisteredBean.of(beans, "bean"));
	}

	public static class Order {

		public String getId() {
			return "42";
		}

	}

	static class Conditional {

		@DistributedLock(condition = "#order.id != null")
		void buy(Order order) {
		}

	}

	static class Shop {

		@DistributedLock(key = "#order.id", fallback = "later")
		void buy(Order order) {
		}

		void later(Order order) {
		}

		void other() {
		}

	}

}
