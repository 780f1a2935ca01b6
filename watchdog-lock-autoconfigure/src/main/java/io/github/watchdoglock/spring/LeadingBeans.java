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

package io.github.watchdoglock.spring;

import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.annotation.LeaderOnly;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.Lifecycle;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.StringValueResolver;

/**
 * Starts and stops beans that have a lifecycle and {@link LeaderOnly} with the term of a
 * leader, instead of with the context. Declare it as an infrastructure bean.
 *
 * @param beans finds the annotations of beans
 * @param elections makes the instance a candidate for a role, with work
 * @param placeholders resolves placeholders, and fails if one cannot be resolved
 */
public record LeadingBeans(ConfigurableListableBeanFactory beans, BiConsumer<String, LeaderWork> elections,
		StringValueResolver placeholders) implements BeanPostProcessor, PriorityOrdered, AopInfrastructureBean {

	private static final Set<String> LIFE = Set.of("start", "stop", "isRunning", "isAutoStartup", "getPhase");

	@Override
	public @Nullable Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!(bean instanceof Lifecycle target)) {
			refuseFactoryMethod(beanName);
			return bean;
		}
		if (!this.beans.containsBean(beanName)) {
			return bean;
		}
		LeaderOnly annotation = this.beans.findAnnotationOnBean(beanName, LeaderOnly.class, false);
		if (annotation == null) {
			return bean;
		}
		String role = this.placeholders.resolveStringValue(annotation.value());
		this.elections.accept((role != null) ? role : "", new LifecycleWork(target, beanName));
		return hidden(bean);
	}

	/*
	 * Rejects factory methods only: on a class, the annotation may be meant for the
	 * methods.
	 */
	private void refuseFactoryMethod(String beanName) {
		if (this.beans.containsBeanDefinition(beanName)
				&& this.beans.getBeanDefinition(beanName) instanceof AnnotatedBeanDefinition definition) {
			MethodMetadata method = definition.getFactoryMethodMetadata();
			if (method != null && method.isAnnotated(LeaderOnly.class.getName())) {
				throw new LockConfigurationException(
						"@LeaderOnly on the @Bean method " + method.getDeclaringClassName() + "."
								+ method.getMethodName() + " has no effect, because it does not return an"
								+ " org.springframework.context.Lifecycle, which could be started and stopped"
								+ " with a term.",
						"Put it on the methods of that bean, or let the bean implement SmartLifecycle.");
			}
		}
	}

	/*
	 * Hides the bean from the context, which would start it with all other beans. Always
	 * a separate proxy, because the term starts the target inside it. The proxy has only
	 * the interfaces of the bean if a subclass could not override its lifecycle methods.
	 */
	private static Object hidden(Object bean) {
		MethodInterceptor advice = (invocation) -> switch (invocation.getMethod().getName()) {
			case "isAutoStartup" -> false;
			case "start" -> (invocation.getMethod().getParameterCount() == 0) ? null : invocation.proceed();
			default -> invocation.proceed();
		};
		ProxyFactory proxy = new ProxyFactory(bean);
		proxy.setProxyTargetClass(!isFinal(bean.getClass()));
		proxy.addAdvice(advice);
		return proxy.getProxy(bean.getClass().getClassLoader());
	}

	private static boolean isFinal(Class<?> type) {
		return Modifier.isFinal(type.getModifiers()) || Stream.of(type.getMethods())
			.anyMatch((method) -> Modifier.isFinal(method.getModifiers()) && LIFE.contains(method.getName()));
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
