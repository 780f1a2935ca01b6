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

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import org.jspecify.annotations.Nullable;

/**
 * A stage that follows the stage of a method, and is complete when the locks have been
 * released. A caller that cancels or completes it, or its timeout, ends the method's own
 * stage and releases the locks.
 * <p>
 * Not promised: that the work stops when its stage is cancelled. That depends on the
 * implementation of the future.
 */
final class FollowedStage {

	private final CompletionStage<?> source;

	private final Work.Done done;

	private final HeldLocks held;

	private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

	/* Guards against races of the source's end with a loss and with the caller. */
	private final AtomicBoolean ended = new AtomicBoolean();

	FollowedStage(CompletionStage<?> source, Work.Done done, HeldLocks held) {
		this.source = source;
		this.done = done;
		this.held = held;
	}

	CompletionStage<?> follow() {
		var unused = this.source.whenComplete(this::sourceEnded);
		var unusedEither = this.result.whenComplete(this::resultEnded);
		this.held.whenInterrupted(this::interrupt);
		return this.result;
	}

	private void sourceEnded(@Nullable Object value, @Nullable Throwable failure) {
		if (this.ended.compareAndSet(false, true)) {
			// The outcome does not depend on the result of the release.
			var unused = this.held.closeAsync().whenComplete((nothing, ex) -> settle(value, failure));
		}
	}

	private void resultEnded(@Nullable Object value, @Nullable Throwable failure) {
		if (this.ended.compareAndSet(false, true)) {
			endSource(value, failure);
		}
	}

	private void settle(@Nullable Object value, @Nullable Throwable failure) {
		Throwable outcome = (failure != null) ? failure : this.done.failure(this.held);
		if (outcome != null) {
			this.result.completeExceptionally(outcome);
		}
		else {
			this.result.complete(value);
		}
	}

	private void interrupt(LockLoss loss) {
		if (this.ended.compareAndSet(false, true)) {
			endSource(null, new CancellationException("Lock '" + loss.key() + "' was lost"));
			this.result.completeExceptionally(new LockLostException(loss));
		}
	}

	/*
	 * A stage that is not a CompletableFuture cannot be ended from outside: its future is
	 * a copy.
	 */
	@SuppressWarnings("unchecked")
	private void endSource(@Nullable Object value, @Nullable Throwable failure) {
		if (this.source instanceof CompletableFuture<?> own) {
			CompletableFuture<@Nullable Object> future = (CompletableFuture<@Nullable Object>) own
				.toCompletableFuture();
			if (failure instanceof CancellationException) {
				future.cancel(true);
			}
			else if (failure != null) {
				future.completeExceptionally(failure);
			}
			else {
				future.complete(value);
			}
		}
		var unused = this.held.closeAsync();
	}

}
