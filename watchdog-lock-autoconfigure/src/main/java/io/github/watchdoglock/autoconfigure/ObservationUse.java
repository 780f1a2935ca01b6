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

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.github.watchdoglock.metrics.LockAcquireObservationConvention;
import io.github.watchdoglock.metrics.LockHoldObservationConvention;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;

/**
 * Finds out whether anything in an application may use the observations of locks. It is
 * assumed to be used, unless Spring Boot alone has configured observations, and none of
 * its handlers does more than to create meters or to call a tracer that does nothing.
 * <p>
 * Not noticed: handlers that code adds to the registry.
 *
 * @param beans the beans of the application
 */
record ObservationUse(ConfigurableListableBeanFactory beans) {

	/* Those of Spring Boot 4 and 3.5. */
	private static final List<String> CUSTOMIZERS = List.of(
			"org.springframework.boot.micrometer.observation.autoconfigure.ObservationRegistryCustomizer",
			"org.springframework.boot.actuate.autoconfigure.observation.ObservationRegistryCustomizer");

	private static final String METER_HANDLER = "io.micrometer.core.instrument.observation.MeterObservationHandler";

	private static final boolean TRACING = ClassUtils
		.isPresent("io.micrometer.tracing.handler.TracingObservationHandler", ObservationUse.class.getClassLoader());

	/* Called when all singletons exist. */
	boolean isPossible() {
		return !isRegistryOfBoot() || CUSTOMIZERS.stream().anyMatch(this::hasBean)
				|| Stream.of(LockAcquireObservationConvention.class, LockHoldObservationConvention.class)
					.anyMatch((type) -> names(type).length > 0)
				|| Arrays.stream(names(ObservationHandler.class)).anyMatch(this::isUsedBy);
	}

	private boolean isRegistryOfBoot() {
		String[] names = names(ObservationRegistry.class);
		return names.length == 1 && isOfBoot(names[0])
				&& this.beans.getBean(names[0]).getClass() == ObservationRegistry.create().getClass();
	}

	private boolean hasBean(String type) {
		ClassLoader loader = this.beans.getBeanClassLoader();
		return ClassUtils.isPresent(type, loader) && names(ClassUtils.resolveClassName(type, loader)).length > 0;
	}

	private String[] names(Class<?> type) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, type);
	}

	private boolean isUsedBy(String name) {
		Object handler = this.beans.getBean(name);
		boolean meters = ClassUtils.getAllInterfacesForClassAsSet(handler.getClass())
			.stream()
			.anyMatch((type) -> type.getName().equals(METER_HANDLER));
		return !meters && !(isOfBoot(name) && TRACING && NoTracing.isOf(handler));
	}

	private boolean isOfBoot(String name) {
		if (!this.beans.containsBeanDefinition(name)
				|| !(this.beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)) {
			return false;
		}
		Method method = definition.getResolvedFactoryMethod();
		return method != null && method.getDeclaringClass().getName().startsWith("org.springframework.boot.");
	}

	/**
	 * Tracers that do nothing. A class of its own, because tracing may be absent.
	 */
	private static final class NoTracing {

		private static boolean isOf(Object handler) {
			return handler instanceof TracingObservationHandler<?> tracing && tracing.getTracer() == Tracer.NOOP;
		}

	}

}
