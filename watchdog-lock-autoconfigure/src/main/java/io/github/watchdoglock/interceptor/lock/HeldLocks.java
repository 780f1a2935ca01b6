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

package io.github.watchdoglock.interceptor.lock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * All locks that a call has, in the order in which they were taken. Immutable.
 */
public final class HeldLocks {

	/**
	 * Those of a call that needs none.
	 */
	public static final HeldLocks NONE = new HeldLocks(List.of());

	private final List<HeldLock> locks;

	private HeldLocks(List<HeldLock> locks) {
		this.locks = locks;
	}

	/**
	 * These and one more.
	 * @param wanted what was asked for
	 * @param handle what the call has of it
	 * @return all of them
	 */
	@SuppressWarnings("ConstantValue")
	public HeldLocks and(WantedLock wanted, LockHandle handle) {
		if (handle == null) {
			throw new IllegalStateException("LockService answered null for lock '" + wanted.key()
					+ "', as a mock does that was not told what to answer");
		}
		List<HeldLock> all = new ArrayList<>(this.locks);
		all.add(new HeldLock(wanted.onLoss(), handle));
		return new HeldLocks(all);
	}

	/**
	 * Whether any of them is to fail the work when it is lost.
	 * @return whether the result depends on {@link #failingLoss()}
	 */
	public boolean anyFailsWithLoss() {
		return this.locks.stream().anyMatch((lock) -> lock.onLoss() == OnLoss.FAIL);
	}

	/**
	 * Whether any of them is to end the work when it is lost.
	 * @return whether {@link #whenInterrupted} may tell of a loss
	 */
	public boolean anyIsInterrupted() {
		return this.locks.stream().anyMatch((lock) -> lock.onLoss() == OnLoss.INTERRUPT);
	}

	/**
	 * The first loss that the result is to fail with.
	 * @return the loss, null where there is none so far
	 */
	public @Nullable LockLoss failingLoss() {
		for (HeldLock lock : this.locks) {
			LockLoss loss = (lock.onLoss() == OnLoss.FAIL) ? lock.handle().loss().orElse(null) : null;
			if (loss != null) {
				return loss;
			}
		}
		return null;
	}

	/**
	 * Hear of losses that are to end the work, on a thread of the library.
	 * @param listener what hears of them
	 */
	public void whenInterrupted(Consumer<LockLoss> listener) {
		for (HeldLock lock : this.locks) {
			if (lock.onLoss() == OnLoss.INTERRUPT) {
				var unused = lock.handle().whenLost().thenAccept(listener);
			}
		}
	}

	/**
	 * The work goes on when this thread does something else.
	 */
	public void detach() {
		this.locks.forEach((lock) -> lock.handle().detach());
	}

	/**
	 * The work begins on this thread.
	 * @param instrumentation surrounds it
	 * @return to be run at its end
	 */
	public Runnable enter(Instrumentation instrumentation) {
		Runnable[] ends = new Runnable[this.locks.size()];
		for (int i = 0; i < ends.length; i++) {
			ends[i] = instrumentation.working(this.locks.get(i).handle());
		}
		return () -> {
			for (int i = ends.length - 1; i >= 0; i--) {
				ends[i].run();
			}
		};
	}

	/**
	 * What the work is to find in its context.
	 * @param instrumentation says what
	 * @return the entries of the context
	 */
	public Map<Object, Object> context(Instrumentation instrumentation) {
		Map<Object, Object> context = new HashMap<>();
		this.locks.forEach((lock) -> context.putAll(instrumentation.context(lock.handle())));
		return context;
	}

	/**
	 * Give all back, the last one first.
	 */
	public void close() {
		if (this.locks.size() > 1) {
			// One after the other would wait as often for a store that does not answer.
			var unused = closeAsync();
		}
		for (int i = this.locks.size() - 1; i >= 0; i--) {
			this.locks.get(i).handle().close();
		}
	}

	/**
	 * Give all back, the last one first, and let no thread wait.
	 * @return completed when all are given back; never exceptionally
	 */
	public CompletableFuture<Void> closeAsync() {
		CompletableFuture<?>[] closing = new CompletableFuture<?>[this.locks.size()];
		for (int i = closing.length - 1; i >= 0; i--) {
			// A mock may return null.
			closing[i] = Objects.requireNonNullElseGet(this.locks.get(i).handle().closeAsync(),
					() -> CompletableFuture.completedFuture(null));
		}
		return CompletableFuture.allOf(closing);
	}

	/**
	 * One of them.
	 *
	 * @param onLoss what happens when it is lost, not {@link OnLoss#DEFAULT}
	 * @param handle what the call has of it
	 */
	private record HeldLock(OnLoss onLoss, LockHandle handle) {

	}

}
