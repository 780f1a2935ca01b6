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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.annotation.DistributedLock;
import io.github.watchdoglock.annotation.LeaderOnly;
import io.github.watchdoglock.interceptor.key.LockExpressionParser;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The reflection hints of locked methods for a native image: their annotations and
 * parameters, the properties of arguments for keys and conditions, and fallbacks.
 * <p>
 * Not covered: properties of beans that keys and conditions read.
 */
class LockedMethodHints implements BeanRegistrationAotProcessor {

	private final BindingReflectionHintsRegistrar properties = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean registeredBean) {
		Class<?> type = ClassUtils.getUserClass(registeredBean.getBeanClass());
		if (!AnnotationUtils.isCandidateClass(type, List.of(DistributedLock.class, LeaderOnly.class))) {
			return null;
		}
		Map<Method, List<DistributedLock>> locked = new HashMap<>();
		ReflectionUtils.doWithMethods(type, (method) -> {
			List<DistributedLock> found = LockAnnotations.find(DistributedLock.class, method, type)
				.stream()
				.map((declared) -> (DistributedLock) declared.annotation())
				.toList();
			if (!found.isEmpty() || !LockAnnotations.find(LeaderOnly.class, method, type).isEmpty()) {
				locked.put(method, found);
			}
		});
		return locked.isEmpty() ? null : (context, code) -> {
			ReflectionHints hints = context.getRuntimeHints().reflection();
			locked.forEach((method, locks) -> register(method, locks, type, hints));
		};
	}

	private void register(Method method, List<DistributedLock> locks, Class<?> type, ReflectionHints hints) {
		hints.registerMethod(method, ExecutableMode.INVOKE);
		for (DistributedLock lock : locks) {
			if (!lock.key().isEmpty() || !lock.condition().isEmpty()) {
				this.properties.registerReflectionHints(hints, method.getGenericParameterTypes());
				LockExpressionParser.registerHints(hints);
			}
			if (!lock.fallback().isEmpty()) {
				ReflectionUtils.doWithMethods(type,
						(candidate) -> hints.registerMethod(candidate, ExecutableMode.INVOKE),
						(candidate) -> candidate.getName().equals(lock.fallback()));
			}
		}
	}

}
