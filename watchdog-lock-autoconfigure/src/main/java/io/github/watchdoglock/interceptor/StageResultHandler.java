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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import org.jspecify.annotations.Nullable;

/**
 * The work is done when the stage that the method returns is complete. The locks are
 * taken on the calling thread; failing to get them is a failed stage.
 */
final class StageResultHandler {

	private final LockAcquirer acquirer;

	private final Work work;

	StageResultHandler(LockAcquirer acquirer, Work work) {
		this.acquirer = acquirer;
		this.work = work;
	}

	@Nullable Object handle(LockedInvocation call) throws Throwable {
		LockAcquirer.Acquisition acquisition;
		try {
			acquisition = this.acquirer.acquire(call);
			if (acquisition instanceof LockAcquirer.Refused refused) {
				return refused.resolve(call);
			}
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			return failed(ex);
		}
		LockAcquirer.Acquired acquired = (LockAcquirer.Acquired) acquisition;
		try {
			return run(call, acquired.locks());
		}
		catch (Error ex) {
			// The caller has no stage that could end, and give them back.
			acquired.locks().close();
			throw ex;
		}
	}

	private @Nullable CompletionStage<?> run(LockedInvocation call, HeldLocks held) throws Throwable {
		Work.Done done;
		try {
			done = this.work.run(call, held);
		}
		catch (Throwable ex) {
			held.close();
			throw ex;
		}
		CompletionStage<?> stage = (CompletionStage<?>) done.result();
		if (stage == null || isComplete(stage)) {
			held.close();
			LockLostException failure = done.failure(held);
			return (stage != null && failure != null) ? failedInstead(stage, failure) : stage;
		}
		held.detach();
		return new FollowedStage(stage, done, held).follow();
	}

	/* Its own exception is not replaced. */
	private static CompletionStage<?> failedInstead(CompletionStage<?> stage, LockLostException failure) {
		return stage.toCompletableFuture().isCompletedExceptionally() ? stage : failed(failure);
	}

	private static CompletionStage<?> failed(Exception failure) {
		return CompletableFuture.failedFuture(failure);
	}

	private static boolean isComplete(CompletionStage<?> stage) {
		try {
			return stage.toCompletableFuture().isDone();
		}
		catch (UnsupportedOperationException ex) {
			return false;
		}
	}

}
