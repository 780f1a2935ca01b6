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

package io.github.watchdoglock.annotated;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.autoconfigure.LockContexts;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for beans that are JDK proxies of a user's interface, created as Spring creates
 * repositories (with a class of its own as the target) and HTTP clients (without a
 * target).
 */
class InterfaceProxiesTests {

	private final ApplicationContextRunner contexts = LockContexts.local(AopAutoConfiguration.class)
		.withPropertyValues("watchdog-lock.wait-time=0s");

	@Test
	void proxyClientUsesLockNamesAndFallbackOfItsInterface() {
		this.contexts.withUserConfiguration(Clients.class).run((context) -> {
			Payments payments = context.getBean(Payments.class);
			assertThat(Proxy.isProxyClass(payments.getClass())).isTrue();
			assertThat(payments.pay("42")).containsExactly(LockKey.of("Payments.pay", "42"));
			assertThat(payments.describe()).containsExactly(LockKey.of("type", Payments.class.getName()));
			LockRequest refund = LockRequest.of("Payments.refund");
			try (LockHandle other = context.getBean(LockService.class).acquireAsync(refund).join()) {
				assertThat(other.isHeld()).isTrue();
				assertThat(payments.refund("42")).containsExactly(LockKey.of("later", "42"));
			}
		});
	}

	@Test
	void repositoryUsesLockNamesOfItsInterfaceAlsoThroughSuperInterface() {
		this.contexts.withUserConfiguration(Repositories.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.findByCustomer("7")).containsExactly(LockKey.of("Orders.findByCustomer", "7"));
			assertThat(orders.findById("42")).contains(List.of(LockKey.of("Orders.findById", "42")));
			Repository<String> repository = orders;
			assertThat(repository.findById("42")).contains(List.of(LockKey.of("Orders.findById", "42")));
		});
	}

	@Test
	void wrongFallbackIsRejectedAtStartupNamingInterface() {
		assertRefused(Wrong.class, WrongClient.class);
		assertRefused(WrongOrders.class, Repositories.class, WrongRepository.class);
	}

	@Test
	void wrongFallbackOfFactoryBeanProductIsRejectedOnCreation() {
		this.contexts.withBean(WrongFactory.class)
			.run((context) -> assertThatExceptionOfType(Exception.class).isThrownBy(() -> context.getBean(Wrong.class))
				.havingRootCause()
				.isInstanceOf(LockConfigurationException.class)
				.withMessageContaining(Wrong.class.getName() + ".pay(String): 'fallback' is 'none'"));
	}

	private void assertRefused(Class<?> type, Class<?>... configurations) {
		this.contexts.withUserConfiguration(configurations)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageContaining("@DistributedLock on " + type.getName()
						+ ".pay(String): 'fallback' is 'none', and " + type.getName())
				.message()
				.doesNotContain("$Proxy"));
	}

	/* The locks that are held during a call. */
	private static MethodInterceptor answer(ObjectProvider<LocalLocks> locks) {
		return (invocation) -> {
			if (invocation.getMethod().isDefault()) {
				return InvocationHandler.invokeDefault(((ProxyMethodInvocation) invocation).getProxy(),
						invocation.getMethod(), invocation.getArguments());
			}
			List<LockKey> held = locks.getObject().current().stream().map((handle) -> handle.key()).toList();
			return (invocation.getMethod().getReturnType() == Optional.class) ? Optional.of(held) : held;
		};
	}

	interface Payments {

		@DistributedLock(key = "#id")
		List<LockKey> pay(String id);

		@DistributedLock(fallback = "later")
		List<LockKey> refund(String id);

		@DistributedLock(name = "type", key = "#root.targetClass.name")
		List<LockKey> describe();

		default List<LockKey> later(String id) {
			return List.of(LockKey.of("later", id));
		}

	}

	interface Repository<T> {

		Optional<Object> findById(T id);

	}

	static class SimpleRepository<T> implements Repository<T> {

		@Override
		public Optional<Object> findById(T id) {
			return Optional.empty();
		}

	}

	interface Orders extends Repository<String> {

		@DistributedLock(key = "#customer")
		List<LockKey> findByCustomer(String customer);

		@Override
		@DistributedLock(key = "#order")
		Optional<Object> findById(String order);

	}

	interface Wrong {

		@DistributedLock(fallback = "none")
		void pay(String id);

	}

	interface WrongOrders extends Repository<String> {

		@DistributedLock(fallback = "none")
		void pay(String id);

	}

	@Configuration(proxyBeanMethods = false)
	static class Clients {

		@Bean
		Payments payments(ObjectProvider<LocalLocks> locks) {
			return ProxyFactory.getProxy(Payments.class, answer(locks));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Repositories {

		@Bean
		Orders orders(ObjectProvider<LocalLocks> locks) {
			return repository(Orders.class, locks);
		}

		static <T> T repository(Class<T> type, ObjectProvider<LocalLocks> locks) {
			ProxyFactory factory = new ProxyFactory();
			factory.setTarget(new SimpleRepository<String>());
			// A call of a method arrives through the first interface that declares the
			// method.
			factory.setInterfaces(Repository.class, type);
			factory.addAdvice(answer(locks));
			return type.cast(factory.getProxy());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WrongClient {

		@Bean
		Wrong wrong(ObjectProvider<LocalLocks> locks) {
			return ProxyFactory.getProxy(Wrong.class, answer(locks));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WrongRepository {

		@Bean
		WrongOrders wrong(ObjectProvider<LocalLocks> locks) {
			return Repositories.repository(WrongOrders.class, locks);
		}

	}

	static class WrongFactory implements FactoryBean<Wrong> {

		@Override
		public Wrong getObject() {
			return (Wrong) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Wrong.class },
					(proxy, method, arguments) -> null);
		}

		@Override
		public Class<?> getObjectType() {
			return Wrong.class;
		}

	}

}
