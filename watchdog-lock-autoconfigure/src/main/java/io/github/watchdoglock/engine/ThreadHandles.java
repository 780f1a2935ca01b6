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

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * The handles that each thread has open, in the order in which it got them, and which of
 * them it has by views: nobody but who unlocks ever closes those. Only the thread itself
 * sees its own.
 */
final class ThreadHandles {

	/* Beyond this a list is looked through for handles that other threads have closed. */
	private static final int MANY = 16;

	/* One for each engine; a thread keeps its list, which is empty while it has none. */
	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<Handle>> handles = new ThreadLocal<>();

	@SuppressWarnings("ThreadLocalUsage")
	private final ThreadLocal<@Nullable List<Handle>> viewed = new ThreadLocal<>();

	void remember(Handle handle) {
		List<Handle> mine = this.handles.get();
		if (mine == null) {
			mine = new ArrayList<>();
			this.handles.set(mine);
		}
		if (mine.size() >= MANY && Integer.bitCount(mine.size()) == 1) {
			mine.removeIf((old) -> !old.isAttached());
		}
		mine.add(handle);
	}

	/* One that outlasts another, and so comes before it. */
	void rememberOutside(Handle inner, Handle handle) {
		List<Handle> mine = this.handles.get();
		if (mine == null || !mine.contains(inner)) {
			remember(handle);
		}
		else {
			mine.add(mine.lastIndexOf(inner), handle);
		}
	}

	void forget(Handle handle) {
		List<Handle> mine = mine();
		for (int i = mine.size() - 1; i >= 0; i--) {
			if (mine.get(i) == handle) {
				mine.remove(i);
				break;
			}
		}
	}

	/* The innermost open handle of this thread on a key. */
	@Nullable Handle find(LockKey key) {
		return find(key, true);
	}

	/* The same, but for those that a transaction keeps. */
	@Nullable Handle findOwn(LockKey key) {
		return find(key, false);
	}

	private @Nullable Handle find(LockKey key, boolean kept) {
		List<Handle> mine = mine();
		for (int i = mine.size() - 1; i >= 0; i--) {
			Handle handle = mine.get(i);
			if (handle.isAttached() && handle.key().equals(key) && (kept || !handle.isKept())) {
				return handle;
			}
		}
		return null;
	}

	/* Whether a transaction keeps what this handle has, with the same rule for losses. */
	boolean isKept(Handle handle) {
		return mine().stream()
			.anyMatch((other) -> other.isKept() && other.isAttached() && other.isOfSameHold(handle)
					&& other.onLoss() == handle.onLoss());
	}

	List<LockHandle> list() {
		return mine().stream().filter(Handle::isAttached).<LockHandle>map((handle) -> handle).toList();
	}

	/* None of them, or of those that fail with their lock, may be lost. */
	void ensureHeld(long now, boolean failing) {
		for (Handle handle : mine()) {
			LockLoss loss = handle.lossAt(now);
			if (loss != null && handle.isAttached() && (!failing || handle.onLoss() == OnLoss.FAIL)) {
				throw new LockLostException(loss);
			}
		}
	}

	void rememberView(Handle handle) {
		List<Handle> viewed = this.viewed.get();
		if (viewed == null) {
			viewed = new ArrayList<>();
			this.viewed.set(viewed);
		}
		// Guard against another thread having closed one.
		viewed.removeIf((old) -> !old.isAttached());
		viewed.add(handle);
	}

	/* Close one that may be a view's, and forget it. */
	void closeView(Handle handle) {
		handle.close();
		List<Handle> viewed = this.viewed.get();
		if (viewed != null) {
			viewed.remove(handle);
			if (viewed.isEmpty()) {
				this.viewed.remove();
			}
		}
	}

	/*
	 * All that this thread has of a key, outermost first, if that is lost and views alone
	 * have opened it.
	 */
	List<Handle> lostByViews(LockKey key, long now) {
		List<Handle> viewed = this.viewed.get();
		if (viewed == null) {
			return List.of();
		}
		List<Handle> open = mine().stream()
			.filter((handle) -> handle.isAttached() && handle.key().equals(key))
			.toList();
		boolean lost = open.stream().allMatch((handle) -> viewed.contains(handle) && handle.lossAt(now) != null);
		return lost ? open : List.of();
	}

	private List<Handle> mine() {
		List<Handle> mine = this.handles.get();
		return (mine != null) ? mine : List.of();
	}

}
