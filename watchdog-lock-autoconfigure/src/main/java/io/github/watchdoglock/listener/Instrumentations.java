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

package io.github.watchdoglock.listener;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Combines several instrumentations. If one of them throws, this breaks neither a lock
 * nor the work under it, and the others are called all the same.
 *
 * @param all supplies them in the order in which they are called
 */
record Instrumentations(Supplier<? extends List<? extends Instrumentation>> all) implements Instrumentation {

	private static final Log logger = LogFactory.getLog(Instrumentations.class);

	/* Warned once only, because a failing instrumentation fails with each lock. */
	private static final AtomicBoolean warned = new AtomicBoolean();

	@Override
	public Call calling(LockKey key) {
		List<Call> calls = collect((instrumentation) -> instrumentation.calling(key), Call.UNOBSERVED);
		return calls.isEmpty() ? Call.UNOBSERVED : new All(calls);
	}

	@Override
	public Runnable working(LockHandle handle) {
		return together(collect((instrumentation) -> instrumentation.working(handle), NOTHING));
	}

	@Override
	public Runnable within(Function<Object, @Nullable Object> context) {
		return together(collect((instrumentation) -> instrumentation.within(context), NOTHING));
	}

	@Override
	public Map<Object, Object> context(LockHandle handle) {
		Map<Object, Object> values = new HashMap<>();
		collect((instrumentation) -> instrumentation.context(handle), Map.<Object, Object>of()).forEach(values::putAll);
		return values;
	}

	@Override
	public @Nullable Runnable ending(EngineObserver.Held hold, @Nullable LockLoss loss) {
		List<Runnable> ends = collect((instrumentation) -> instrumentation.ending(hold, loss), null);
		return ends.isEmpty() ? null : together(ends);
	}

	private static Runnable together(List<Runnable> ends) {
		return ends.isEmpty() ? NOTHING : () -> {
			for (int i = ends.size() - 1; i >= 0; i--) {
				guarded(ends.get(i));
			}
		};
	}

	private <T> List<T> collect(Function<Instrumentation, @Nullable T> call, @Nullable T nothing) {
		List<T> results = List.of();
		List<? extends Instrumentation> all = this.all.get();
		for (Instrumentation instrumentation : all) {
			try {
				@Nullable T result = call.apply(instrumentation);
				if (result != null && result != nothing) {
					results = results.isEmpty() ? new ArrayList<>(all.size()) : results;
					results.add(result);
				}
			}
			catch (Throwable ex) {
				log(ex);
			}
		}
		return results;
	}

	private static void guarded(Runnable call) {
		try {
			call.run();
		}
		catch (Throwable ex) {
			log(ex);
		}
	}

	private static void log(Throwable failure) {
		try {
			BiConsumer<Object, Throwable> level = warned.compareAndSet(false, true) ? logger::warn : logger::debug;
			level.accept("An instrumentation of lock requests failed; locks and work are not affected", failure);
		}
		catch (Throwable ex) {
			// The log has failed, so the failure cannot be reported.
		}
	}

	private record All(List<Call> calls) implements Call {

		@Override
		public void acquired(LockHandle handle) {
			dispatch((call) -> call.acquired(handle));
		}

		@Override
		public void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
			dispatch((call) -> call.notAcquired(outcome, cause));
		}

		private void dispatch(Consumer<Call> notification) {
			this.calls.forEach((call) -> guarded(() -> notification.accept(call)));
		}

	}

}
