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

package io.github.watchdoglock.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * The handle of an annotated method to a term, whose lock is not released until the
 * handle is closed. Thread-safe.
 *
 * @param term the term
 * @param part the method, as a part of the term
 * @param closing ends this part
 * @param closed whether the handle is closed
 */
record TermShare(Term term, TermPart part, Consumer<TermPart> closing, AtomicBoolean closed) implements LockHandle {

	/** The methods of a thread that prevent commits after the end of their terms. */
	private static final ThreadLocal<List<TermShare>> guarded = ThreadLocal.withInitial(ArrayList::new);

	/* The calling thread begins to run the method. */
	void enter(boolean guards) {
		this.part.enter();
		if (guards) {
			guarded.get().add(this);
		}
	}

	/* Return the locks of these terms; fail if one of them is lost. */
	static List<LockHandle> ensureCommitAllowed() {
		List<LockHandle> locks = guarded.get().stream().map((share) -> share.term.handle).toList();
		for (LockHandle lock : locks) {
			lock.loss().ifPresent((loss) -> {
				throw new LockLostException(loss, "the transaction is rolled back");
			});
		}
		return locks;
	}

	@Override
	public LockKey key() {
		return this.term.handle.key();
	}

	@Override
	public long fencingToken() {
		return this.term.number();
	}

	@Override
	public boolean isHeld() {
		return !this.closed.get() && this.term.isLeading();
	}

	@Override
	public Duration remaining() {
		return this.closed.get() ? Duration.ZERO : this.term.remaining();
	}

	@Override
	public CompletionStage<LockLoss> whenLost() {
		return this.part.lost().minimalCompletionStage();
	}

	/*
	 * The loss of the lock, not the end of the term: the lock of a resigned term is kept
	 * while this handle is open.
	 */
	@Override
	public Optional<LockLoss> loss() {
		return this.term.handle.loss();
	}

	@Override
	public CompletableFuture<Void> extend(@Nullable Lease lease) {
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public LockHandle detach() {
		if (this.part.leave()) {
			guarded.get().remove(this);
		}
		return this;
	}

	@Override
	public void close() {
		detach();
		this.closed.set(true);
		this.closing.accept(this.part);
	}

	@Override
	public CompletableFuture<Void> closeAsync() {
		close();
		return CompletableFuture.completedFuture(null);
	}

}
