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

import java.time.Duration;

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.OnContention;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.interceptor.LockAdvisor;
import io.github.watchdoglock.interceptor.declaration.LockDeclarationCheck;
import io.github.watchdoglock.interceptor.declaration.LockDefaults;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.interceptor.lock.RoleTerms;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.support.InterceptorFixture;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/**
 * Annotated objects as a context makes them, without one.
 */
final class LockedProxy {

	private static final LockDefaults DEFAULTS = InterceptorFixture.defaults(Duration.ofSeconds(30),
			Duration.ofSeconds(10), null, OnContention.FAIL, OnLoss.REPORT, (lease) -> {
			});

	private LockedProxy() {
	}

	@SuppressWarnings("unchecked")
	static <T> T of(T target, LockService service) {
		LockSpecSource source = new LockSpecSource((name) -> DEFAULTS, (text) -> text, new StaticListableBeanFactory(),
				RoleTerms.NONE);
		new LockDeclarationCheck(source, (advisor) -> false).postProcessAfterInitialization(target, "target");
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new LockAdvisor(source, () -> service, (transaction) -> () -> false, Instrumentation.NONE,
				() -> LockAdvisor.DEFAULT_ORDER));
		return (T) factory.getProxy();
	}

}
