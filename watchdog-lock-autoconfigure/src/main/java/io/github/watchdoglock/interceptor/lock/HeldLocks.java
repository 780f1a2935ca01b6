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
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRelease;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a call holds, in the order in which they were acquired. Immutable.
 */
public final class HeldLocks {

	/**
	 * The locks of a call that needs none.
	 */
	public static final HeldLocks NONE = new HeldLocks(List.of());

	private final List<HeldLock> locks;

	private HeldLocks(List<HeldLock> locks) {
		this.locks = locks;
	}

	/**
	 * Return these locks and another one.
	 * @param requested the requested lock
	 * @param handle the handle to it
	 * @return all of them
	 */
	@SuppressWarnings("ConstantValue")
	public HeldLocks and(RequestedLock requested, LockHandle handle) {
		if (handle == null) {
			throw new IllegalStateException("LockService returned null for lock '" + requested.key()
					+ "'. If the bean is a mock, stub its methods");
		}
		List<HeldLock> all = new ArrayList<>(this.locks);
		all.add(new HeldLock(requested, handle));
		return new HeldLocks(all);
	}

	/**
	 * Let the thread's transaction keep the locks that are released after it.
	 * @return whether one of them outlasts the call for this reason
	 */
	public boolean keep() {
		boolean kept = false;
		for (HeldLock lock : this.locks) {
			if (lock.requested().release() == LockRelease.AFTER_TRANSACTION
					&& lock.handle() instanceof Held.Part part) {
				part.keep();
				kept |= part.isOutlasted();
			}
		}
		return kept;
	}

	/**
	 * Return whether one of them ends with the call, although no one has decided that.
	 * @return whether a transaction of the caller may be committed after its release
	 */
	public boolean isAnyEndingEarly() {
		return this.locks.stream()
			.anyMatch((lock) -> lock.requested().release() == LockRelease.DEFAULT
					&& !(lock.handle() instanceof Held.Part part && part.isOutlasted()));
	}

	/**
	 * Return whether the loss of any of these locks has an effect on the work.
	 * @param onLoss the effect
	 * @return whether one of them was requested with it
	 */
	public boolean hasAny(OnLoss onLoss) {
		return this.locks.stream().anyMatch((lock) -> lock.requested().onLoss() == onLoss);
	}

	/**
	 * Return the first loss that makes the work fail.
	 * @return the loss, null if there is none so far
	 */
	public @Nullable LockLoss failingLoss() {
		for (HeldLock lock : this.locks) {
			LockLoss loss = (lock.requested().onLoss() == OnLoss.FAIL) ? lock.handle().loss().orElse(null) : null;
			if (loss != null) {
				return loss;
			}
		}
		return null;
	}

	/**
	 * Add a listener for losses that end the work. It is called on a thread of the
	 * library.
	 * @param listener the listener
	 */
	public void whenInterrupted(Consumer<LockLoss> listener) {
		for (HeldLock lock : this.locks) {
			if (lock.requested().onLoss() == OnLoss.INTERRUPT) {
				var unused = lock.handle().whenLost().thenAccept(listener);
			}
		}
	}

	/**
	 * Detach the locks, because the work continues after its thread has returned.
	 */
	public void detach() {
		this.locks.forEach((lock) -> lock.handle().detach());
	}

	/**
	 * Run work on this thread.
	 * @param instrumentation surrounds it
	 * @param work the work
	 * @return its result
	 * @throws Throwable the failure of the work
	 */
	public @Nullable Object run(Instrumentation instrumentation, Body work) throws Throwable {
		Runnable[] ends = new Runnable[this.locks.size()];
		for (int i = 0; i < ends.length; i++) {
			ends[i] = instrumentation.working(this.locks.get(i).handle());
		}
		try {
			return work.run();
		}
		finally {
			for (int i = ends.length - 1; i >= 0; i--) {
				ends[i].run();
			}
		}
	}

	/**
	 * Return the context entries for the work.
	 * @param instrumentation has the entries for each lock
	 * @return the entries of the context
	 */
	public Map<Object, Object> context(Instrumentation instrumentation) {
		Map<Object, Object> context = new HashMap<>();
		this.locks.forEach((lock) -> context.putAll(instrumentation.context(lock.handle())));
		return context;
	}

	/**
	 * Release all locks, the last one first.
	 */
	public void close() {
		if (this.locks.size() == 1) {
			this.locks.get(0).handle().close();
		}
		else if (!this.locks.isEmpty()) {
			LockHandles.of(this.locks.stream().map(HeldLock::handle).toList()).close();
		}
	}

	/**
	 * Release all locks, the last one first, without waiting.
	 * @return completed when all are released; never exceptionally
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
	 * The body of a method.
	 */
	@FunctionalInterface
	public interface Body {

		/**
		 * Run it.
		 * @return its result
		 * @throws Throwable its failure
		 */
		@Nullable Object run() throws Throwable;

	}

	/**
	 * One held lock.
	 *
	 * @param requested the requested lock
	 * @param handle the handle to it
	 */
	private record HeldLock(RequestedLock requested, LockHandle handle) {

	}

}
