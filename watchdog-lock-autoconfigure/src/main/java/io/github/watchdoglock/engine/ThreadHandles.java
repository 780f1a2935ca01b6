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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.EngineObserver.Held;
import org.jspecify.annotations.Nullable;

/**
 * The open handles of each thread, in the order in which the thread got them. Each thread
 * sees only its own handles, but any thread may close or detach them.
 */
final class ThreadHandles {

	/*
	 * One for each engine. A thread keeps its list, which is empty while it has no
	 * handles.
	 */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable HoldingThread> owners = new ThreadLocal<>();

	/* Return the calling thread as an owner of handles. */
	HoldingThread owner() {
		HoldingThread owner = this.owners.get();
		if (owner == null) {
			owner = new HoldingThread(Thread.currentThread());
			this.owners.set(owner);
		}
		return owner;
	}

	void add(Handle handle) {
		owner().add(handle, null);
	}

	/* Add a handle that outlasts another one, and so comes before it. */
	void addOutside(Handle inner, Handle handle) {
		owner().add(handle, inner);
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

	/*
	 * Return a counter of those holds of the calling thread that have not ended yet. It
	 * may be read by any thread.
	 */
	IntSupplier openHolds() {
		List<Handle> mine = mine();
		return () -> (int) mine.stream().filter(Handle::isOfOpenHold).<Held>map(Held.Part::hold).distinct().count();
	}

	private List<Handle> mine() {
		HoldingThread mine = this.owners.get();
		return (mine != null) ? mine.handles : List.of();
	}

	/**
	 * A thread and its handles. Its holds refer to it, so that a handle leaves the list
	 * regardless of the thread that closes or detaches the handle.
	 */
	static final class HoldingThread {

		final Thread thread;

		/* Held for a moment, and uncontended unless another thread removes a handle. */
		private final ReentrantLock lock = new ReentrantLock();

		/* Replaced under the lock, never changed. */
		private volatile List<Handle> handles = List.of();

		HoldingThread(Thread thread) {
			this.thread = thread;
		}

		/* Add a handle, before another one if that is in the list. */
		private void add(Handle handle, @Nullable Handle inner) {
			change((handles) -> {
				int index = (inner != null) ? handles.lastIndexOf(inner) : -1;
				handles.add((index >= 0) ? index : handles.size(), handle);
			});
		}

		void remove(Handle handle) {
			change((handles) -> handles.remove(handle));
		}

		private void change(Consumer<List<Handle>> change) {
			this.lock.lock();
			try {
				List<Handle> changed = new ArrayList<>(this.handles);
				change.accept(changed);
				this.handles = List.copyOf(changed);
			}
			finally {
				this.lock.unlock();
			}
		}

	}

}
