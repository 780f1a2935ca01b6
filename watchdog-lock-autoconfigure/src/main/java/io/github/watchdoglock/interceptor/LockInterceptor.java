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
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.listener.TransactionScope;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Runs a method while its locks are held.
 */
final class LockInterceptor implements MethodInterceptor {

	/*
	 * The steps of a call. What is said of the method is looked up (LockSpecSource),
	 * which translates its annotations once. What it returns decides how the end of its
	 * work is followed (ResultType): below, where that is the return; StageResultHandler
	 * where it comes later; ReactiveResultHandler where work begins with each
	 * subscription. Each of them computes the keys from the arguments (LockedInvocation),
	 * takes the locks in one order for all callers (LockAcquirer), or has what the caller
	 * gets in place of a result (Contention); runs the method (Work); gives the locks
	 * back (HeldLocks); and fails it if one of them was lost.
	 */

	private final LockSpecSource source;

	private final LockAcquirer acquirer;

	private final Work work;

	private final SkippedJobs skippedJobs = new SkippedJobs(System::nanoTime);

	private final StageResultHandler stages;

	/* Reactor may be absent. */
	private final Supplier<ReactiveResultHandler> reactive;

	LockInterceptor(LockSpecSource source, Supplier<LockService> service, Function<String, BooleanSupplier> commits,
			Instrumentation instrumentation) {
		this.source = source;
		this.acquirer = new LockAcquirer(service);
		this.work = new Work(commits, instrumentation);
		this.stages = new StageResultHandler(this.acquirer, this.work);
		this.reactive = SingletonSupplier.of(() -> new ReactiveResultHandler(service, instrumentation));
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		LockedInvocation call = locked(invocation);
		return switch (call.method().result().kind()) {
			case PLAIN -> handle(call);
			case STAGE -> this.stages.handle(call);
			case REACTIVE -> this.reactive.get().handle(call);
		};
	}

	private LockedInvocation locked(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Method method = invocation.getMethod();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		return new LockedInvocation(
				this.source.lockedMethod(method,
						(target != null) ? this.source.targetClass(method, target) : targetClass),
				invocation, targetClass);
	}

	/* The work is done when the method returns. */
	private @Nullable Object handle(LockedInvocation call) throws Throwable {
		LockAcquirer.Acquisition acquisition;
		try {
			acquisition = acquire(call);
		}
		catch (LockStoreException ex) {
			if (this.skippedJobs.skip(call.method().method(), ex)) {
				return null;
			}
			throw ex;
		}
		if (acquisition instanceof LockAcquirer.Refused refused) {
			this.skippedJobs.end(call.method().method());
			return refused.resolve(call);
		}
		LockAcquirer.Acquired acquired = (LockAcquirer.Acquired) acquisition;
		try {
			this.skippedJobs.end(call.method().method());
			return run(call, acquired.locks());
		}
		catch (Error ex) {
			// One that came where work or release begin has given back nothing.
			acquired.locks().close();
			throw ex;
		}
	}

	private LockAcquirer.Acquisition acquire(LockedInvocation call) throws Exception {
		Boolean leaves = call.method().leavesTransaction();
		if (leaves == null) {
			return this.acquirer.acquire(call);
		}
		TransactionScope.begin(leaves);
		try {
			return this.acquirer.acquire(call);
		}
		finally {
			TransactionScope.end();
		}
	}

	private @Nullable Object run(LockedInvocation call, HeldLocks held) throws Throwable {
		Work.Done done;
		try {
			done = this.work.run(call, held);
		}
		finally {
			held.close();
		}
		LockLostException failure = done.failure(held);
		if (failure != null) {
			throw failure;
		}
		return done.result();
	}

}
