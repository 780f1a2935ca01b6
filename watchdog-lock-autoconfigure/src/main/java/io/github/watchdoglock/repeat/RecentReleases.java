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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases that the store carried out recently, possibly when another store had already
 * replaced it. Bounded. Thread-safe, and never parks a thread.
 */
final class RecentReleases {

	/* Half the number of releases that can wait for their repetition. */
	private static final int CAPACITY = 5_000;

	/*
	 * Longer than an instance needs to learn that another store has replaced the store,
	 * and longer than a former primary continues that does not know that it was replaced.
	 */
	private static final long AGE = TimeUnit.SECONDS.toNanos(15);

	private final Queue<Recent> releases = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	void add(Undo release, long now) {
		this.releases.add(new Recent(release, now));
		if (this.size.incrementAndGet() > CAPACITY && this.releases.poll() != null) {
			this.size.decrementAndGet();
		}
	}

	/*
	 * Remove all, and return those whose keys another store may still have, the oldest
	 * first.
	 */
	List<Undo> removeAll(long now) {
		List<Undo> all = new ArrayList<>();
		for (Recent recent = this.releases.poll(); recent != null; recent = this.releases.poll()) {
			this.size.decrementAndGet();
			if (now - recent.at <= AGE && recent.release.until() - now > 0) {
				all.add(recent.release);
			}
		}
		return all;
	}

	/**
	 * A release that was carried out.
	 *
	 * @param release the release, as it is repeated for another store
	 * @param at when it was carried out
	 */
	private record Recent(Undo release, long at) {

	}

}
