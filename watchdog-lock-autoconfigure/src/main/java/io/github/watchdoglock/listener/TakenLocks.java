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
import java.util.List;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a caller acquires one after the other, of which it gets all or none.
 * Closing this releases them, unless they are {@linkplain #complete() complete}. Not
 * thread-safe.
 */
public final class TakenLocks implements AutoCloseable {

	private final List<LockHandle> handles;

	private boolean completed;

	/**
	 * Create the locks of a caller that has acquired none yet.
	 * @param size the number of locks that it needs
	 */
	public TakenLocks(int size) {
		// Adding a handle must not fail, so it allocates nothing.
		this.handles = new ArrayList<>(size);
	}

	/**
	 * Add a lock that was acquired.
	 * @param handle the handle; null, which a mock may return, is ignored
	 */
	public void add(@Nullable LockHandle handle) {
		if (handle != null) {
			this.handles.add(handle);
		}
	}

	/**
	 * Return the locks that were acquired so far.
	 * @return the handles, in the order in which they were added
	 */
	public List<LockHandle> handles() {
		return this.handles;
	}

	/**
	 * Declare that the caller has all locks, and releases them itself from now on.
	 */
	public void complete() {
		this.completed = true;
	}

	@Override
	public void close() {
		if (!this.completed) {
			LockHandles.of(this.handles).close();
		}
	}

}
