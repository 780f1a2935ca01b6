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

package io.github.watchdoglock;

import java.util.List;

/**
 * Handles in the order in which their locks were acquired.
 *
 * @param handles the handles, the first acquired first
 */
record SeveralHandles(List<LockHandle> handles) implements LockHandles {

	@Override
	public LockHandle get(LockKey key) {
		return this.handles.stream()
			.filter((handle) -> handle.key().equals(key))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("Lock '" + key + "' is not one of the acquired locks: "
					+ this.handles.stream().map(LockHandle::key).toList()));
	}

	@Override
	public boolean isHeld() {
		return this.handles.stream().allMatch(LockHandle::isHeld);
	}

	@Override
	public void close() {
		// Closing one after the other would wait for a silent store once per lock.
		for (int i = this.handles.size() - 1; i >= 0; i--) {
			try {
				var unused = this.handles.get(i).closeAsync();
			}
			catch (Error ex) {
				// Tried again below, after the others were closed as well.
			}
		}
		Error failure = null;
		for (int i = this.handles.size() - 1; i >= 0; i--) {
			try {
				this.handles.get(i).close();
			}
			catch (Error ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

}
