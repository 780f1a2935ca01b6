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
import org.jspecify.annotations.Nullable;

/**
 * The handles that each thread has open, in the order in which it got them. Only the
 * thread itself sees its own.
 */
final class ThreadHandles {

	/* Beyond this a list is looked through for handles that other threads have closed. */
	private static final int MANY = 16;

	private final ThreadLocal<ArrayList<Handle>> handles = ThreadLocal.withInitial(ArrayList::new);

	void remember(Handle handle) {
		List<Handle> mine = this.handles.get();
		if (mine.size() >= MANY && Integer.bitCount(mine.size()) == 1) {
			mine.removeIf((old) -> !old.isAttached());
		}
		mine.add(handle);
	}

	void forget(Handle handle) {
		List<Handle> mine = this.handles.get();
		for (int i = mine.size() - 1; i >= 0; i--) {
			if (mine.get(i) == handle) {
				mine.remove(i);
				break;
			}
		}
		if (mine.isEmpty()) {
			this.handles.remove();
		}
	}

	/* The innermost open handle of this thread on a key. */
	@Nullable Handle find(LockKey key) {
		List<Handle> mine = this.handles.get();
		for (int i = mine.size() - 1; i >= 0; i--) {
			Handle handle = mine.get(i);
			if (handle.isAttached() && handle.key().equals(key)) {
				return handle;
			}
		}
		return null;
	}

	List<LockHandle> list() {
		return this.handles.get().stream().filter(Handle::isAttached).<LockHandle>map((handle) -> handle).toList();
	}

	void ensureHeld(long now) {
		for (Handle handle : this.handles.get()) {
			Hold hold = handle.hold();
			if (handle.isAttached() && !hold.isHeld(now)) {
				LockLoss loss = hold.loss();
				throw new LockLostException(
						(loss != null) ? loss : new LockLoss(hold.key, hold.token, LockLoss.Reason.EXPIRED));
			}
		}
	}

}
