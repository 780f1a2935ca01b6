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
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Runs a method while its lock is held.
 */
final class LockInterceptor implements MethodInterceptor {

	private static final Log logger = LogFactory.getLog(LockInterceptor.class);

	private final LockSpecSource source;

	private final Supplier<LockService> service;

	LockInterceptor(LockSpecSource source, Supplier<LockService> service) {
		this.source = source;
		this.service = service;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Method method = invocation.getMethod();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		LockSpec spec = this.source.specOf(method, targetClass);
		LockRequest request = spec.request(target, invocation.getArguments());
		LockHandle handle;
		Supplier<@Nullable Object> whenSkipped = spec.whenSkipped();
		try {
			if (whenSkipped == null) {
				handle = this.service.get().acquire(request);
			}
			else {
				Optional<LockHandle> acquired = this.service.get().tryAcquire(request);
				if (acquired.isEmpty()) {
					logger.debug("Lock '" + request.key() + "' was not acquired, and the method is skipped");
					return whenSkipped.get();
				}
				handle = acquired.get();
			}
		}
		catch (InterruptedException ex) {
			throw interrupted(ex, request, method);
		}
		try {
			return invocation.proceed();
		}
		finally {
			close(handle);
		}
	}

	private static Exception interrupted(InterruptedException cause, LockRequest request, Method method) {
		if (Arrays.asList(method.getExceptionTypes()).contains(InterruptedException.class)) {
			return cause;
		}
		Thread.currentThread().interrupt();
		return new LockInterruptedException(request.key(), cause);
	}

	/* The method's outcome stands, whatever a service does against its contract. */
	private static void close(LockHandle handle) {
		try {
			handle.close();
		}
		catch (RuntimeException ex) {
			logger.warn("Lock '" + handle.key() + "' could not be released; it is free when its lease is over", ex);
		}
	}

}
