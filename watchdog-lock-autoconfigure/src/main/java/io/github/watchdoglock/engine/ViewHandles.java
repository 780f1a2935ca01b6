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

import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * Which handles each thread has by views, and not by an annotation or of its own: nobody
 * but who unlocks ever closes them. Only the thread itself sees its own.
 */
final class ViewHandles {

	private final ThreadHandles threads;

	/* One for each engine; a thread has none while it has locked nothing. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<Handle>> handles = new ThreadLocal<>();

	ViewHandles(ThreadHandles threads) {
		this.threads = threads;
	}

	void remember(Handle handle) {
		List<Handle> mine = this.handles.get();
		if (mine == null) {
			mine = new ArrayList<>();
			this.handles.set(mine);
		}
		// Guard against another thread having closed one.
		mine.removeIf((old) -> !old.isAttached());
		mine.add(handle);
	}

	/* Close it, and forget it. */
	void close(Handle handle) {
		handle.close();
		List<Handle> mine = this.handles.get();
		if (mine != null) {
			mine.remove(handle);
			if (mine.isEmpty()) {
				this.handles.remove();
			}
		}
	}

	/*
	 * All that this thread has of a key, if that is lost and views alone have opened it.
	 */
	List<Handle> lost(LockKey key, long now) {
		List<Handle> mine = this.handles.get();
		if (mine == null) {
			return List.of();
		}
		List<Handle> open = this.threads.findAll(key);
		boolean lost = open.stream().allMatch((handle) -> mine.contains(handle) && handle.hold().loss(now) != null);
		return lost ? open : List.of();
	}

}
