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
import org.jspecify.annotations.Nullable;

/**
 * Puts something around what callers of locks do, on their threads: an observation, say,
 * or values of the logging context. Must not block.
 */
public interface Instrumentation {

	/**
	 * Puts nothing around anything.
	 */
	Instrumentation NONE = new Instrumentation() {
	};

	/**
	 * Ends nothing.
	 */
	Runnable NOTHING = () -> {
	};

	/**
	 * Put several together. One that throws breaks neither a lock nor the work under it,
	 * and the others go on.
	 * @param all what they are, in the order in which they are called; at the end of work
	 * in the opposite one. Asked for with each call of a lock
	 * @return all of them
	 */
	static Instrumentation all(Supplier<? extends List<? extends Instrumentation>> all) {
		return new Instrumentations(all);
	}

	/**
	 * A caller asks for a lock, on its thread. Not called for a re-entry.
	 * @param key the lock
	 * @return hears how that ends
	 */
	default Call calling(LockKey key) {
		return Call.UNHEARD;
	}

	/**
	 * Work begins under a lock, on the thread that does it.
	 * @param handle what it has of the lock
	 * @return to be run by the same thread when the work has ended, before the lock is
	 * given back
	 */
	default Runnable working(LockHandle handle) {
		return NOTHING;
	}

	/**
	 * A caller is about to ask whose context is more than its thread.
	 * @param context what there is under a key, null where nothing is
	 * @return to be run by the same thread when the caller has asked
	 */
	default Runnable within(Function<Object, @Nullable Object> context) {
		return NOTHING;
	}

	/**
	 * What belongs into the context of work under a lock, where that is more than its
	 * thread.
	 * @param handle what the work has of the lock
	 * @return values by their keys
	 */
	default Map<Object, Object> context(LockHandle handle) {
		return Map.of();
	}

	/**
	 * A caller who asks. One of its methods is called, once: for a caller who waits on
	 * its thread by that thread, for others by any.
	 */
	interface Call {

		/**
		 * Nobody cares.
		 */
		Call UNHEARD = new Call() {
		};

		/**
		 * The caller has the lock.
		 * @param handle what it has of it
		 */
		default void acquired(LockHandle handle) {
		}

		/**
		 * The caller does not get the lock.
		 * @param outcome why not
		 * @param cause what failed, null where somebody else has the lock
		 */
		default void notAcquired(LockListener.Outcome outcome, @Nullable Throwable cause) {
		}

	}

}
