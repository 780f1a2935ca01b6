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

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;

import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.annotation.LeaderOnly;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.util.ReflectionUtils;

/**
 * Rejects beans with annotated methods whose lock could not be acquired: when they are
 * created, and not when they are called.
 */
public final class LockDeclarationCheck implements BeanPostProcessor, AopInfrastructureBean {

	private final LockSpecSource source;

	private final AdviceOrderCheck order;

	/**
	 * Create a check.
	 * @param source the locks of methods
	 * @param transactions whether an advisor's advice begins transactions; called when
	 * the first locked bean is created
	 */
	public LockDeclarationCheck(LockSpecSource source, Predicate<Advisor> transactions) {
		this.source = source;
		this.order = new AdviceOrderCheck(source, transactions);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		if (this.source.mayBeLocked(type) || this.source.mayBeLocked(bean.getClass())) {
			check(type, bean);
		}
		return bean;
	}

	/* Only the interface may have annotations, for example that of a repository. */
	private void check(Class<?> type, Object bean) {
		if (!Proxy.isProxyClass(type)) {
			ReflectionUtils.doWithMethods(type, (method) -> check(method, type, bean));
		}
		if (Proxy.isProxyClass(bean.getClass())) {
			for (Class<?> declaring : bean.getClass().getInterfaces()) {
				ReflectionUtils.doWithMethods(declaring,
						(method) -> check(method, this.source.targetClass(method, bean), bean));
			}
		}
	}

	private void check(Method method, Class<?> type, Object bean) {
		// Compilers copy annotations to synthetic methods, and only they call those.
		if (method.isSynthetic() || !this.source.isLocked(method, type)) {
			return;
		}
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers)) {
			throw unreachable(method, type, "private");
		}
		if (Modifier.isStatic(modifiers)) {
			throw unreachable(method, type, "static");
		}
		if (Modifier.isFinal(modifiers) && !Proxy.isProxyClass(bean.getClass())) {
			throw unreachable(method, type, "final");
		}
		this.source.lockedMethod(method, type);
		if (bean instanceof Advised proxy) {
			this.order.check(proxy, method, type);
		}
	}

	private LockConfigurationException unreachable(Method method, Class<?> type, String modifier) {
		DeclaredAnnotation annotation = this.source.annotation(method, type);
		boolean leader = annotation.type() == LeaderOnly.class;
		return annotation.problem(
				"it is " + modifier + ", so calls of it do not go through the proxy and would run "
						+ (leader ? "on instances that do not lead" : "without the lock"),
				"Remove '" + modifier + "' and call it from another bean, or " + (leader
						? "ask Leadership.isLeader() in its body." : "acquire the lock in its body with LockService."));
	}

}
