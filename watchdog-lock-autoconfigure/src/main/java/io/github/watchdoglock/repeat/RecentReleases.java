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

package io.github.watchdoglock.repeat;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.github.watchdoglock.store.ReleaseCommand;

/**
 * Releases that the store carried out recently: a store that is restarted or replaced may
 * not know of them. Bounded. Thread-safe, and never parks a thread.
 */
final class RecentReleases {

	/* Half the number of releases that can wait for their repetition. */
	private static final int CAPACITY = 5_000;

	private final Queue<Recent> releases = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	void add(ReleaseCommand command, long sent, long until) {
		this.releases.add(new Recent(command, sent, until));
		if (this.size.incrementAndGet() > CAPACITY && this.releases.poll() != null) {
			this.size.decrementAndGet();
		}
	}

	boolean isEmpty() {
		return this.releases.isEmpty();
	}

	/*
	 * Remove all, and return those whose keys a store may still have, the oldest first.
	 */
	List<Undo> removeAll(LongSupplier clock) {
		List<Undo> all = new ArrayList<>();
		for (Recent recent = this.releases.poll(); recent != null; recent = this.releases.poll()) {
			this.size.decrementAndGet();
			if (recent.until - clock.getAsLong() > 0) {
				all.add(Undo.ofDone(recent.command, recent.sent, recent.until, clock));
			}
		}
		return all;
	}

	/**
	 * A release that was carried out.
	 *
	 * @param command the release
	 * @param sent when it was sent
	 * @param until the time after which no store has anything of the attempt any more
	 */
	private record Recent(ReleaseCommand command, long sent, long until) {

	}

}
