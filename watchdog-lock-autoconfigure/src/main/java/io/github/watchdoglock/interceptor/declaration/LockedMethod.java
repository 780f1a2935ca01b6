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
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.interceptor.contention.ResultType;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import io.github.watchdoglock.interceptor.lock.RoleTerms;
import org.jspecify.annotations.Nullable;

/**
 * A method that runs under locks.
 *
 * @param method the method
 * @param result its result type
 * @param specs the specifications of its locks, at least one
 * @param roles the terms of this instance
 * @param leavesTransaction whether it leaves its caller's transaction: it begins a new
 * one, or runs without one; null if it is not transactional
 */
public record LockedMethod(Method method, ResultType result, List<LockSpec> specs, RoleTerms roles,
		@Nullable Boolean leavesTransaction) {

	/**
	 * Return the locks that a call needs.
	 * @param target the object on which the method is called
	 * @param arguments the arguments
	 * @return the locks, in the order in which they are acquired
	 * @throws io.github.watchdoglock.LockConfigurationException if a key is requested
	 * both with permits and as an exclusive lock
	 */
	public List<RequestedLock> requested(@Nullable Object target, @Nullable Object[] arguments) {
		List<RequestedLock> requested = new ArrayList<>(this.specs.size());
		for (LockSpec spec : this.specs) {
			for (LockRequest request : spec.requests(target, arguments)) {
				requested.add(new RequestedLock(request, spec.contention(), this.roles, release(spec)));
			}
		}
		requested.sort(RequestedLock.ORDER);
		return (this.specs.size() > 1) ? SameKey.once(requested, this.method) : requested;
	}

	/**
	 * Return whether one of its locks may end before the transaction of a caller,
	 * although no one has decided that.
	 * @return whether one of them is released at the return by default
	 */
	public boolean isAnyEndingEarly() {
		return this.specs.stream().anyMatch((spec) -> release(spec) == LockRelease.DEFAULT);
	}

	private LockRelease release(LockSpec spec) {
		return Boolean.TRUE.equals(this.leavesTransaction) ? LockRelease.AT_RETURN : spec.release();
	}

	boolean isFenced() {
		return this.specs.stream().anyMatch(LockSpec::fenced);
	}

	/**
	 * Return whether callers of the method expect an {@link InterruptedException}.
	 * @return whether it declares it
	 */
	public boolean declaresInterrupt() {
		return List.of(this.method.getExceptionTypes()).contains(InterruptedException.class);
	}

}
