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

import java.util.Map;
import java.util.function.Function;

import io.github.watchdoglock.LockHandle;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds the work that a method does under its lock, on its thread.
 */
public interface WorkScope {

	/**
	 * Nothing surrounds it.
	 */
	WorkScope NONE = (handle) -> () -> {
	};

	/**
	 * The work begins.
	 * @param handle what it has of the lock
	 * @return to be run by the same thread when the work has ended, before the lock is
	 * given back; does not throw
	 */
	Runnable enter(LockHandle handle);

	/**
	 * A subscriber is about to ask for a lock, on this thread.
	 * @param context what its context has under a key, null where nothing
	 * @return to be run by the same thread when it has asked; does not throw
	 */
	default Runnable ask(Function<Object, @Nullable Object> context) {
		return () -> {
		};
	}

	/**
	 * What belongs into the context of a subscriber's work.
	 * @param handle what it has of the lock
	 * @return values by their keys
	 */
	default Map<Object, Object> context(LockHandle handle) {
		return Map.of();
	}

}
