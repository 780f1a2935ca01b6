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
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import org.jspecify.annotations.Nullable;

/**
 * Follows the stage of a method by another one, which is complete when the locks have
 * been given back. Whoever cancels or completes that one, or lets it time out, ends the
 * method's own and releases its locks.
 * <p>
 * Not promised: that the work stops with its stage. What a cancelled future does about it
 * is up to the future.
 */
final class FollowedStage {

	private final CompletionStage<?> source;

	private final Work.Done done;

	private final HeldLocks held;

	private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

	/*
	 * Guard against races of the source's end with a loss and with the caller: which of
	 * the two stages was first.
	 */
	private final AtomicReference<@Nullable CompletionStage<?>> ended = new AtomicReference<>();

	FollowedStage(CompletionStage<?> source, Work.Done done, HeldLocks held) {
		this.source = source;
		this.done = done;
		this.held = held;
	}

	CompletionStage<?> follow() {
		// Each is done again where an error has come between.
		var unused = this.source.handle(this::sourceEnded).exceptionally((failure) -> sourceEnded(null, failure));
		var unusedEither = this.result.handle(this::resultEnded).exceptionally((failure) -> resultEnded(null, failure));
		this.held.whenInterrupted(this::interrupt);
		return this.result;
	}

	private boolean sourceEnded(@Nullable Object value, @Nullable Throwable failure) {
		boolean first = isFirst(this.source);
		if (first) {
			// The outcome stands, whatever comes of the release.
			var unused = this.held.closeAsync()
				.handle((nothing, ex) -> settle(value, failure))
				.exceptionally((ex) -> settle(value, (failure != null) ? failure : ex));
		}
		return first;
	}

	private boolean resultEnded(@Nullable Object value, @Nullable Throwable failure) {
		boolean first = isFirst(this.result);
		if (first) {
			endSource(value, failure);
		}
		return first;
	}

	private boolean isFirst(CompletionStage<?> stage) {
		return this.ended.compareAndSet(null, stage) || this.ended.get() == stage;
	}

	private boolean settle(@Nullable Object value, @Nullable Throwable failure) {
		Throwable outcome = (failure != null) ? failure : this.done.failure(this.held);
		return (outcome != null) ? this.result.completeExceptionally(outcome) : this.result.complete(value);
	}

	private void interrupt(LockLoss loss) {
		LockLostException failure = new LockLostException(loss);
		if (this.ended.compareAndSet(null, this.result)) {
			try {
				endSource(null, new CancellationException("Lock '" + loss.key() + "' was lost"));
			}
			finally {
				this.result.completeExceptionally(failure);
			}
		}
	}

	@SuppressWarnings("unchecked")
	private void endSource(@Nullable Object value, @Nullable Throwable failure) {
		if (this.source instanceof CompletableFuture) {
			CompletableFuture<@Nullable Object> future = (CompletableFuture<@Nullable Object>) this.source;
			try {
				end(future, value, failure);
			}
			catch (UnsupportedOperationException ex) {
				// A minimal stage, which its maker alone completes.
			}
		}
		var unused = this.held.closeAsync();
	}

	private static void end(CompletableFuture<@Nullable Object> future, @Nullable Object value,
			@Nullable Throwable failure) {
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

}
