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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.interceptor.declaration.LockSpecSource;
import io.github.watchdoglock.interceptor.declaration.LockedMethod;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.listener.Instrumentation;
import io.github.watchdoglock.listener.TransactionScope;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs a method while its locks are held.
 */
final class LockInterceptor implements MethodInterceptor {

	/*
	 * The steps of a call: the specification of the method is looked up (LockSpecSource),
	 * which translates its annotations once. The keys are computed from the arguments
	 * (LockedInvocation). The locks are acquired in the same order by all callers
	 * (LockAcquirer), or the caller gets a replacement of the result (Contention). The
	 * method runs (Work), the locks are released (HeldLocks), and the call fails if one
	 * of them was lost. A returned stage is followed to its end (FollowedStage). If the
	 * work begins with each subscription, the same steps run for each subscription
	 * (ReactiveResultHandler).
	 */

	private final LockSpecSource source;

	private final LockAcquirer acquirer;

	private final OuterTransaction transaction;

	private final Work work;

	private final SkippedJobs skippedJobs = new SkippedJobs(System::nanoTime);

	LockInterceptor(LockSpecSource source, Supplier<LockService> service, Function<String, BooleanSupplier> commits,
			BooleanSupplier inTransaction, Instrumentation instrumentation) {
		this.source = source;
		this.acquirer = new LockAcquirer(service);
		this.transaction = new OuterTransaction(inTransaction);
		this.work = new Work(commits, instrumentation);
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Method method = invocation.getMethod();
		Object target = Objects.requireNonNull(invocation.getThis(), "A proxy without a target");
		LockedMethod locked = this.source.lockedMethod(method, this.source.targetClass(method, target));
		LockedInvocation call = new LockedInvocation(locked, invocation, target);
		return switch (locked.result().kind()) {
			case PLAIN -> handle(call);
			case STAGE -> handleStage(call);
			case REACTIVE -> {
				this.transaction.enter(locked);
				// Reactor may be absent for other methods.
				yield new ReactiveResultHandler(this.acquirer.service(), this.work.instrumentation()).handle(call);
			}
		};
	}

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
		this.skippedJobs.end(call.method().method());
		HeldLocks.Body replacement = acquisition.replacement();
		return (replacement != null) ? replacement.run() : run(call, acquisition.locks());
	}

	/*
	 * The locks are acquired on the calling thread. A failure is returned as a failed
	 * stage.
	 */
	private @Nullable Object handleStage(LockedInvocation call) throws Throwable {
		LockAcquirer.Acquisition acquisition;
		try {
			acquisition = this.acquirer.acquire(call);
			HeldLocks.Body replacement = acquisition.replacement();
			if (replacement != null) {
				return replacement.run();
			}
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return run(call, acquisition.locks());
	}

	private LockAcquirer.Acquisition acquire(LockedInvocation call) throws InterruptedException {
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
		CompletionStage<?> unfinished;
		try {
			this.transaction.enter(call.method().method(), held);
			done = this.work.run(call, held);
			unfinished = call.method().result().unfinished(call.method().method(), done.result());
		}
		catch (Throwable ex) {
			held.close();
			throw ex;
		}
		if (unfinished != null) {
			held.detach();
			return new FollowedStage(unfinished, done, held).follow();
		}
		held.close();
		LockLostException failure = done.failure(held);
		if (failure == null) {
			return done.result();
		}
		if (done.result() instanceof CompletableFuture<?> stage) {
			return stage.isCompletedExceptionally() ? stage : CompletableFuture.failedFuture(failure);
		}
		throw failure;
	}

}
