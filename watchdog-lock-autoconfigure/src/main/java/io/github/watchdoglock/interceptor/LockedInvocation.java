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

import java.util.List;

import io.github.watchdoglock.LockInterruptedException;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.interceptor.declaration.LockedMethod;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * A call of a locked method.
 *
 * @param method the method and its specification
 * @param invocation the call
 * @param target the object on which it is called
 */
record LockedInvocation(LockedMethod method, MethodInvocation invocation, Object target) {

	@Nullable Object[] arguments() {
		return this.invocation.getArguments();
	}

	List<RequestedLock> requested() {
		return this.method.requested(this.target, arguments());
	}

	/* The name that Spring's advice gives to the method's transaction. */
	String transaction() {
		return ClassUtils.getQualifiedMethodName(this.invocation.getMethod(), AopUtils.getTargetClass(this.target));
	}

	/* The exception for an interrupt while waiting, if the method does not declare it. */
	InterruptedException interrupted(InterruptedException cause, LockKey key) {
		if (this.method.declaresInterrupt()) {
			return cause;
		}
		Thread.currentThread().interrupt();
		throw new LockInterruptedException(key, cause);
	}

}
