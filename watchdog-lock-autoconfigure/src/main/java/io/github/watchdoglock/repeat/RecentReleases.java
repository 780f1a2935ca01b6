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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Releases that the store has carried out a moment ago, and may have done so when it was
 * the one that counts no more. Not thread-safe.
 */
final class RecentReleases {

	/* Half of what can wait for its repetition. */
	private static final int CAPACITY = 5_000;

	/*
	 * Longer than until an instance hears of another store, and than a primary goes on
	 * that nobody has told.
	 */
	private static final long AGE = TimeUnit.SECONDS.toNanos(15);

	private final Deque<Recent> releases = new ArrayDeque<>();

	void add(Undo release, long now) {
		removeOld(now);
		if (this.releases.size() == CAPACITY) {
			this.releases.removeFirst();
		}
		this.releases.addLast(new Recent(release, now));
	}

	/* Those of which another store may have something, the oldest first. */
	List<Undo> list(long now) {
		removeOld(now);
		List<Undo> all = new ArrayList<>();
		for (Recent recent : this.releases) {
			if (recent.release.until() - now > 0) {
				all.add(recent.release);
			}
		}
		return all;
	}

	void clear() {
		this.releases.clear();
	}

	private void removeOld(long now) {
		while (!this.releases.isEmpty() && now - this.releases.getFirst().at > AGE) {
			this.releases.removeFirst();
		}
	}

	/**
	 * One of them.
	 *
	 * @param release as another store is told it
	 * @param at when it was carried out
	 */
	private record Recent(Undo release, long at) {

	}

}
