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
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * The open handles of each thread, in the order in which the thread got them. Each thread
 * sees only its own handles.
 */
final class ThreadHandles {

	/*
	 * One for each engine. A thread keeps its list, which is empty while it has no
	 * handles.
	 */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable Open> handles = new ThreadLocal<>();

	void add(Handle handle) {
		open().add(handle, null);
	}

	/* Add a handle that outlasts another one, and so comes before it. */
	void addOutside(Handle inner, Handle handle) {
		open().add(handle, inner);
	}

	void remove(Handle handle) {
		Open mine = this.handles.get();
		if (mine != null) {
			mine.remove(handle);
		}
	}

	/* Return the innermost open handle of this thread for a key. */
	@Nullable Handle find(LockKey key) {
		return find(key, (handle) -> true);
	}

	/* Return the same for one mode, without the handles that a transaction keeps. */
	@Nullable Handle findOwn(LockKey key, boolean reads) {
		return find(key, (handle) -> handle.reads() == reads && !handle.isKept());
	}

	private @Nullable Handle find(LockKey key, Predicate<Handle> wanted) {
		List<Handle> mine = mine();
		for (int i = mine.size() - 1; i >= 0; i--) {
			Handle handle = mine.get(i);
			if (handle.isAttached() && handle.key().equals(key) && wanted.test(handle)) {
				return handle;
			}
		}
		return null;
	}

	/* Whether a transaction keeps the hold of a handle, with this action for losses. */
	boolean isKept(Handle handle, OnLoss onLoss) {
		return mine().stream()
			.anyMatch((other) -> other.isKept() && other.isOfSameHold(handle) && other.onLoss() == onLoss);
	}

	/* Return the locks that transactions of this thread keep. */
	Stream<LockKey> kept() {
		List<Handle> mine = mine();
		return mine.isEmpty() ? Stream.empty() : mine.stream().filter(Handle::isKept).map(Handle::key).distinct();
	}

	/* Return one object for each hold that a guard has admitted. */
	List<Object> admissions() {
		List<Handle> mine = mine();
		return mine.isEmpty() ? List.of()
				: mine.stream()
					.filter(Handle::isAttached)
					.map(Handle::admission)
					.filter(Objects::nonNull)
					.distinct()
					.toList();
	}

	List<LockHandle> list() {
		return mine().stream().filter(Handle::isAttached).<LockHandle>map((handle) -> handle).toList();
	}

	/* Return some of the handles, outermost first. */
	List<Handle> find(Predicate<Handle> wanted) {
		return mine().stream().filter((handle) -> handle.isAttached() && wanted.test(handle)).toList();
	}

	/*
	 * Return all handles of this thread for a key, outermost first, if all of them are
	 * lost and were opened by views only.
	 */
	List<Handle> lostByViews(LockKey key, long now) {
		List<Handle> open = mine().stream()
			.filter((handle) -> handle.isAttached() && handle.key().equals(key))
			.toList();
		boolean lost = open.stream().allMatch((handle) -> handle.viewed && handle.lossAt(now) != null);
		return lost ? open : List.of();
	}

	private List<Handle> mine() {
		Open mine = this.handles.get();
		return (mine != null) ? mine.list : List.of();
	}

	private Open open() {
		Open open = this.handles.get();
		if (open == null) {
			open = new Open();
			this.handles.set(open);
		}
		return open;
	}

	/**
	 * The handles of one thread.
	 */
	private static final class Open {

		private static final int MANY = 16;

		private final List<Handle> list = new ArrayList<>();

		/* The size at which handles that other threads have closed are removed. */
		private int full = MANY;

		/* Add a handle, before another one if that is in the list. */
		private void add(Handle handle, @Nullable Handle inner) {
			if (this.list.size() >= this.full) {
				this.list.removeIf((old) -> !old.isAttached());
				this.full = Math.max(2 * this.list.size(), MANY);
			}
			int index = (inner != null) ? this.list.lastIndexOf(inner) : -1;
			this.list.add((index >= 0) ? index : this.list.size(), handle);
		}

		private void remove(Handle handle) {
			int index = this.list.lastIndexOf(handle);
			if (index >= 0) {
				this.list.remove(index);
			}
		}

	}

}
