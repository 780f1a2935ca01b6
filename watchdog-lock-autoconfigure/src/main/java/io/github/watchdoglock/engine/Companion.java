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

import java.util.Map;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import org.jspecify.annotations.Nullable;

/**
 * Goes along with callers of locks, on their threads. Must not block.
 */
public interface Companion {

	/**
	 * A caller asks for a lock, on its thread. Not called for a re-entry.
	 * @param key the lock
	 * @return hears how that ends
	 */
	default Asking asking(LockKey key) {
		return Asking.UNHEARD;
	}

	/**
	 * Work begins under a lock, on the thread that does it.
	 * @param handle what it has of the lock
	 * @return to be run by the same thread when the work has ended, before the lock is
	 * given back
	 */
	default Runnable working(LockHandle handle) {
		return Company.NOTHING;
	}

	/**
	 * A caller is about to ask whose context is more than its thread.
	 * @param context what there is under a key, null where nothing is
	 * @return to be run by the same thread when the caller has asked
	 */
	default Runnable within(Function<Object, @Nullable Object> context) {
		return Company.NOTHING;
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
	interface Asking {

		/**
		 * Nobody cares.
		 */
		Asking UNHEARD = new Asking() {
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
