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

package io.github.watchdoglock.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications that decorate the service and the view of its locks.
 */
class ReplacedBeansTests {

	private final ApplicationContextRunner contexts = LockContexts.local()
		.withPropertyValues("management.endpoints.web.exposure.include=*")
		.withBean(Shop.class)
		.withBean(Calls.class, () -> new Calls(new CopyOnWriteArrayList<>()));

	@ParameterizedTest
	@ValueSource(classes = { Wrapping.class, Advising.class })
	void annotatedMethodCallsWrappedOrAdvisedLockService(Class<?> around) {
		ApplicationContextRunner wrapped = this.contexts.withUserConfiguration(around);
		wrapped.run(this::annotatedMethodCallsWrappedOrAdvisedLockService);
		wrapped.withPropertyValues("watchdog-lock.enabled=false")
			.run(this::annotatedMethodCallsWrappedOrAdvisedLockService);
	}

	private void annotatedMethodCallsWrappedOrAdvisedLockService(AssertableApplicationContext context)
			throws Exception {
		assertThat(context).hasNotFailed();
		Calls calls = context.getBean(Calls.class);
		context.getBean(Shop.class).buy();
		assertThat(calls.names).contains("acquire");
		calls.names.clear();
		assertThat(context.getBean(LocalLocks.class).list()).isEmpty();
		assertThat(calls.names).contains("list");
	}

	@Test
	void eachInterfaceHasOneBeanBeforeAndAfterItsFirstUse() {
		this.contexts.run((context) -> {
			for (int i = 0; i < 2; i++) {
				assertThat(context.getBeanNamesForType(LockService.class)).containsExactly("watchdogLockService");
				assertThat(context.getBeanNamesForType(LocalLocks.class)).containsExactly("watchdogLockLocalLocks");
				context.getBean(LockService.class).acquire(LockRequest.of("orders")).close();
			}
			assertThat(context.getBeanProvider(LockService.class).stream()).hasSize(1);
		});
	}

	record Calls(List<String> names) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Wrapping {

		@Bean
		static BeanPostProcessor wrapping(Calls calls) {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					for (Class<?> type : List.of(LockService.class, LocalLocks.class)) {
						if (type.isInstance(bean)) {
							return wrap(type, bean, calls);
						}
					}
					return bean;
				}

			};
		}

		private static Object wrap(Class<?> type, Object bean, Calls calls) {
			return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> {
						calls.names().add(method.getName());
						try {
							return method.invoke(bean, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Advising {

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor counting(Calls calls) {
			ComposablePointcut both = new ComposablePointcut(new RootClassFilter(LockService.class))
				.union(new RootClassFilter(LocalLocks.class));
			MethodInterceptor interceptor = (invocation) -> {
				calls.names().add(invocation.getMethod().getName());
				return invocation.proceed();
			};
			return new DefaultPointcutAdvisor(both, interceptor);
		}

	}

	static class Shop {

		@DistributedLock(name = "orders")
		void buy() {
		}

	}

}
