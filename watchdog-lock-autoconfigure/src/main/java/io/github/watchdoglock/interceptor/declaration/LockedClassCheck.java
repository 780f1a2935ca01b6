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

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Conventions;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Rejects beans with annotated methods whose class cannot have a subclass, before the
 * auto-proxy creator tries to create one.
 *
 * @param source the locks of methods
 * @param beans the beans, which include the auto-proxy creator
 */
public record LockedClassCheck(LockSpecSource source,
		ConfigurableListableBeanFactory beans) implements BeanPostProcessor, PriorityOrdered, AopInfrastructureBean {

	/*
	 * AutoProxyUtils.EXPOSED_INTERFACES_ATTRIBUTE, which Spring Framework 6.2 does not
	 * have.
	 */
	private static final String EXPOSED_INTERFACES = Conventions.getQualifiedAttributeName(AutoProxyUtils.class,
			"exposedInterfaces");

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		Class<?> type = bean.getClass();
		if (isClosed(type) && this.source.mayBeLocked(type) && isProxiedByClass(type, beanName)) {
			ReflectionUtils.doWithMethods(type, (method) -> refuse(method, type), (method) -> !method.isSynthetic()
					&& !Modifier.isStatic(method.getModifiers()) && this.source.isLocked(method, type));
		}
		return bean;
	}

	private static boolean isClosed(Class<?> type) {
		return (Modifier.isFinal(type.getModifiers()) || type.isSealed()) && !Proxy.isProxyClass(type)
				&& !ClassUtils.isLambdaClass(type);
	}

	/* The same decision as in the auto-proxy creator. */
	private boolean isProxiedByClass(Class<?> type, String beanName) {
		if (this.beans.containsBeanDefinition(beanName)
				&& this.beans.getBeanDefinition(beanName).hasAttribute(EXPOSED_INTERFACES)) {
			return false;
		}
		return ClassUtils.getAllInterfacesForClass(type).length == 0
				|| AutoProxyUtils.shouldProxyTargetClass(this.beans, beanName)
				|| this.beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, ProxyConfig.class)
					.isProxyTargetClass();
	}

	private void refuse(Method method, Class<?> type) {
		String modifier = type.isSealed() ? "sealed" : "final";
		throw this.source.annotation(method, type)
			.problem(type.getName() + " is " + modifier + ", so no proxy can be created that acquires the lock",
					(type.isRecord() ? "Make it a class that is not final" : "Remove '" + modifier + "' from the class")
							+ " (in Kotlin 'open', as the compiler plugin kotlin-spring does),"
							+ " or acquire the lock in the method's body with LockService.");
	}

}
