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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * All locks of a call, in the order in which they were taken.
 *
 * @param locks none where no condition asks for any
 */
record HeldLocks(List<HeldLock> locks) implements Taken {

	boolean anyFailsWithLoss() {
		return this.locks.stream().anyMatch((lock) -> lock.onLoss() == OnLoss.FAIL);
	}

	boolean anyIsInterrupted() {
		return this.locks.stream().anyMatch((lock) -> lock.onLoss() == OnLoss.INTERRUPT);
	}

	/* The first loss that the result is to fail with. */
	@Nullable LockLoss failingLoss() {
		for (HeldLock lock : this.locks) {
			LockLoss loss = (lock.onLoss() == OnLoss.FAIL) ? lock.handle().loss().orElse(null) : null;
			if (loss != null) {
				return loss;
			}
		}
		return null;
	}

	/* The work goes on when this thread does something else. */
	void detach() {
		this.locks.forEach((lock) -> lock.handle().detach());
	}

	/* Hear of losses that are to end the work, on a thread of the library. */
	void whenInterrupted(Consumer<LockLoss> listener) {
		for (HeldLock lock : this.locks) {
			if (lock.onLoss() == OnLoss.INTERRUPT) {
				LockAnswers.whenLost(lock.handle(), listener);
			}
		}
	}

	/* The work begins on this thread; what this gives is to be run at its end. */
	Runnable enter(Instrumentation instrumentation) {
		Runnable[] ends = new Runnable[this.locks.size()];
		for (int i = 0; i < ends.length; i++) {
			LockHandle handle = this.locks.get(i).handle();
			ends[i] = isOfMock(handle) ? Instrumentation.NOTHING : instrumentation.working(handle);
		}
		return () -> {
			for (int i = ends.length - 1; i >= 0; i--) {
				ends[i].run();
			}
		};
	}

	/* What the work is to find in its context. */
	Map<Object, Object> context(Instrumentation instrumentation) {
		Map<Object, Object> context = new HashMap<>();
		this.locks.stream()
			.map(HeldLock::handle)
			.filter((handle) -> !isOfMock(handle))
			.forEach((handle) -> context.putAll(instrumentation.context(handle)));
		return context;
	}

	/* Of a service that tests have replaced: it knows nothing. */
	@SuppressWarnings("ConstantValue")
	private static boolean isOfMock(LockHandle handle) {
		return handle.key() == null;
	}

	/* Give all back, the last one first. */
	void close() {
		if (this.locks.size() > 1) {
			// One after the other would wait as often for a store that does not answer.
			var unused = closeAsync();
		}
		for (int i = this.locks.size() - 1; i >= 0; i--) {
			this.locks.get(i).close();
		}
	}

	/* Complete when all are given back; never exceptionally. */
	CompletableFuture<Void> closeAsync() {
		CompletableFuture<?>[] closing = new CompletableFuture<?>[this.locks.size()];
		for (int i = closing.length - 1; i >= 0; i--) {
			closing[i] = this.locks.get(i).closeAsync();
		}
		return CompletableFuture.allOf(closing);
	}

}
