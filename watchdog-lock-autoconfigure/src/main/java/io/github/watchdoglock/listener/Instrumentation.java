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

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * An extension that wraps lock requests, and work under locks, on the threads of callers,
 * for example with an observation or with values of the logging context. Must not block.
 */
public interface Instrumentation {

	/** An instrumentation that wraps nothing. */
	Instrumentation NONE = new Instrumentation() {
	};

	/** An end of a scope that was not opened. */
	Runnable NOTHING = () -> {
	};

	/**
	 * Combine several instrumentations. If one of them throws, this breaks neither a lock
	 * nor the work under it, and the others are called all the same.
	 * @param all supplies them in the order in which they are called; at the end of work
	 * they are called in reverse order. It is called with each request for a lock
	 * @return all of them as one
	 */
	static Instrumentation all(Supplier<? extends List<? extends Instrumentation>> all) {
		return new Instrumentations(all);
	}

	/**
	 * Begin a caller's request for a lock, on the caller's thread. Not called for a
	 * re-entry.
	 * @param key the lock
	 * @return receives the outcome
	 */
	default Call calling(LockKey key) {
		return Call.UNOBSERVED;
	}

	/**
	 * Begin work under a lock, on the thread that does the work.
	 * @param handle the handle to the lock
	 * @return to be run by the same thread when the work has ended, before the lock is
	 * released
	 */
	default Runnable working(LockHandle handle) {
		return NOTHING;
	}

	/**
	 * Begin the request of a caller whose context is more than its thread (a reactive
	 * caller).
	 * @param context returns the value of a key in that context, null if there is none
	 * @return to be run by the same thread when the request was made
	 */
	default Runnable within(Function<Object, @Nullable Object> context) {
		return NOTHING;
	}

	/**
	 * Return values for the context of work under a lock, if that context is more than a
	 * thread.
	 * @param handle the handle to the lock
	 * @return the values by their keys
	 */
	default Map<Object, Object> context(LockHandle handle) {
		return Map.of();
	}

	/**
	 * End a hold. Called once or several times, on any thread.
	 * @param hold the hold that was released or lost
	 * @param loss the loss, null if there is none
	 * @return what is left to do, which may block: run by the thread that closes the
	 * hold, or by a thread of a pool; null if there is nothing to do
	 */
	default @Nullable Runnable ending(EngineObserver.Held hold, @Nullable LockLoss loss) {
		return null;
	}

	/**
	 * A caller's request. Exactly one of its methods is called, once: by the caller's
	 * thread if the caller waits on it, otherwise by any thread.
	 */
	interface Call {

		/** A request whose outcome is ignored. */
		Call UNOBSERVED = new Call() {
		};

		/**
		 * Receive that the caller has acquired the lock.
		 * @param handle the caller's handle
		 */
		default void acquired(LockHandle handle) {
		}

		/**
		 * Receive that the caller does not get the lock.
		 * @param outcome why not
		 * @param cause the failure, null if another caller has the lock
		 */
		default void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
		}

	}

}
