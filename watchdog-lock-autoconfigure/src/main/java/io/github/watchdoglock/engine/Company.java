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

package io.github.watchdoglock.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * All who go along with callers. One that throws breaks neither a lock nor the work under
 * it, and the others go on.
 */
public final class Company implements Companion {

	static final Runnable NOTHING = () -> {
	};

	private static final Logger logger = System.getLogger(Company.class.getName());

	/* Once: what fails fails with each lock. */
	private static final AtomicBoolean warned = new AtomicBoolean();

	private final List<? extends Companion> companions;

	/**
	 * Create a company.
	 * @param companions who is in it, in the order in which they are called; at the end
	 * of work in the opposite one
	 */
	public Company(List<? extends Companion> companions) {
		this.companions = List.copyOf(companions);
	}

	@Override
	public Asking asking(LockKey key) {
		List<Asking> hearing = collect((companion) -> companion.asking(key), Asking.UNHEARD);
		return hearing.isEmpty() ? Asking.UNHEARD : new All(hearing);
	}

	@Override
	public Runnable working(LockHandle handle) {
		return together(collect((companion) -> companion.working(handle), NOTHING));
	}

	@Override
	public Runnable within(Function<Object, @Nullable Object> context) {
		return together(collect((companion) -> companion.within(context), NOTHING));
	}

	@Override
	public Map<Object, Object> context(LockHandle handle) {
		Map<Object, Object> values = new HashMap<>();
		collect((companion) -> companion.context(handle), Map.<Object, Object>of()).forEach(values::putAll);
		return values;
	}

	private static Runnable together(List<Runnable> ends) {
		return ends.isEmpty() ? NOTHING : () -> {
			for (int i = ends.size() - 1; i >= 0; i--) {
				guarded(ends.get(i));
			}
		};
	}

	private <T> List<T> collect(Function<Companion, T> call, T nothing) {
		List<T> results = List.of();
		for (Companion companion : this.companions) {
			try {
				T result = call.apply(companion);
				if (result != nothing) {
					results = results.isEmpty() ? new ArrayList<>(this.companions.size()) : results;
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
		Level level = warned.compareAndSet(false, true) ? Level.WARNING : Level.DEBUG;
		logger.log(level, "What goes along with callers of locks failed; locks and work are not affected", failure);
	}

	private record All(List<Asking> hearing) implements Asking {

		@Override
		public void acquired(LockHandle handle) {
			tell((asking) -> asking.acquired(handle));
		}

		@Override
		public void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
			tell((asking) -> asking.notAcquired(outcome, cause));
		}

		private void tell(Consumer<Asking> news) {
			this.hearing.forEach((asking) -> guarded(() -> news.accept(asking)));
		}

	}

}
