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

package io.github.watchdoglock.interceptor;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.github.watchdoglock.LockService;
import io.github.watchdoglock.listener.Instrumentation;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Runs a method while its locks are held.
 */
final class LockInterceptor implements MethodInterceptor {

	private final LockSpecSource source;

	private final Manner plain;

	private final Manner stages;

	/* Reactor may be absent. */
	private final Supplier<Manner> reactive;

	LockInterceptor(LockSpecSource source, Supplier<LockService> service, CommitWatch commits,
			Instrumentation instrumentation) {
		this.source = source;
		LockTaker taker = new LockTaker(service);
		Work work = new Work(commits, instrumentation);
		this.plain = new PlainManner(taker, work);
		this.stages = new StageManner(taker, work);
		this.reactive = SingletonSupplier.of(() -> new ReactiveManner(service, instrumentation));
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Method method = invocation.getMethod();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		LockedMethod locked = this.source.lockedMethod(method,
				(target != null) ? this.source.targetClass(method, target) : targetClass);
		return manner(locked.result().kind()).run(new LockedCall(locked, invocation, targetClass));
	}

	private Manner manner(ResultType.Kind kind) {
		return switch (kind) {
			case PLAIN -> this.plain;
			case STAGE -> this.stages;
			case REACTIVE -> this.reactive.get();
		};
	}

}
