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

package io.github.watchdoglock.support;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.Renewal;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.interceptor.declaration.LockDeclarationCheck;
import io.github.watchdoglock.interceptor.declaration.LockDefaults;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.interceptor.declaration.LockedMethod;
import io.github.watchdoglock.interceptor.lock.RoleTerms;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An interceptor over a fake lock service, without a context.
 */
public final class InterceptorFixture {

	/**
	 * Long enough for results that are complete at once.
	 */
	public static final Duration SOON = Duration.ofSeconds(2);

	public final FakeLockService service = new FakeLockService();

	public final MockEnvironment environment = new MockEnvironment();

	public final StaticListableBeanFactory beans = new StaticListableBeanFactory();

	public LockDefaults defaults = defaults(Duration.ofSeconds(30), Duration.ofSeconds(10), null, OnContention.FAIL,
			OnLoss.REPORT, (lease) -> {
				if (lease.duration().compareTo(Duration.ofSeconds(1)) < 0) {
					throw new IllegalArgumentException("too short");
				}
			});

	public Function<String, BooleanSupplier> commits = (transaction) -> () -> false;

	public boolean inTransaction;

	public final RecordingInstrumentation instrumentation = new RecordingInstrumentation();

	/**
	 * The names whose defaults were requested.
	 */
	public final Set<String> asked = ConcurrentHashMap.newKeySet();

	public final LockSpecSource source = new LockSpecSource((name) -> {
		this.asked.add(name);
		return this.defaults;
	}, this.environment::resolveRequiredPlaceholders, this.beans, RoleTerms.NONE);

	public final LockAdvisor advisor = new LockAdvisor(this.source, () -> this.service,
			(transaction) -> this.commits.apply(transaction), () -> this.inTransaction, this.instrumentation,
			() -> LockAdvisor.DEFAULT_ORDER);

	public static LockDefaults defaults(Duration leaseTime, Duration waitTime, @Nullable Duration maxHoldTime,
			OnContention onContention, OnLoss onLoss, Consumer<Lease> leaseRule) {
		return new LockDefaults(leaseTime, Renewal.DEFAULT, waitTime, null, maxHoldTime, 0, onContention, onLoss,
				leaseRule, UnaryOperator.identity(), false, LockRelease.DEFAULT);
	}

	@SuppressWarnings("unchecked")
	public <T> T proxy(T target) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(this.advisor);
		return (T) factory.getProxy();
	}

	public <T> T interfaceProxy(T target, Class<T> type) {
		ProxyFactory factory = new ProxyFactory();
		factory.setTarget(target);
		factory.addInterface(type);
		factory.addAdvisor(this.advisor);
		return type.cast(factory.getProxy());
	}

	public void check(Object bean) {
		new LockDeclarationCheck(this.source, (advisor) -> false).postProcessAfterInitialization(bean, "bean");
	}

	public LockedMethod lockedMethod(Class<?> type, String method) {
		return this.source.lockedMethod(method(type, method), type);
	}

	/**
	 * Assert that a declaration is rejected.
	 * @param call the rejected call
	 * @param action a part of the advised action
	 * @param parts of the message
	 */
	public static void assertRefused(ThrowingCallable call, String action, String... parts) {
		assertThatExceptionOfType(LockConfigurationException.class).isThrownBy(call)
			.withMessageContainingAll(parts)
			.satisfies((ex) -> assertThat(ex.getAction()).contains(action));
	}

	public boolean isLocked(Class<?> type, String method) {
		return this.source.pointcut().getMethodMatcher().matches(method(type, method), type);
	}

	public static Method method(Class<?> type, String name) {
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			for (Method candidate : current.getDeclaredMethods()) {
				if (candidate.getName().equals(name) && !candidate.isSynthetic()) {
					return candidate;
				}
			}
		}
		return Arrays.stream(type.getMethods())
			.filter((candidate) -> candidate.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
