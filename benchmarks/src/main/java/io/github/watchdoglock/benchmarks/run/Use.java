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

package io.github.watchdoglock.benchmarks.run;

import io.github.watchdoglock.benchmarks.lock.Competitor;
import io.github.watchdoglock.benchmarks.lock.Competitor.Held;
import io.github.watchdoglock.benchmarks.lock.Competitor.Kinds;

/**
 * The use of a lock, and the holders that may be inside at the same time.
 */
enum Use {

	/** A lock that has no other kinds of holders. */
	EXCLUSIVE {

		@Override
		Held take(Competitor competitor, String key) throws InterruptedException {
			return competitor.lock(key);
		}

	},

	/** Exclusive, while other callers may read. */
	WRITE {

		@Override
		Held take(Competitor competitor, String key) throws InterruptedException {
			return ((Kinds) competitor).write(key);
		}

	},

	/** Together with other readers. */
	READ {

		@Override
		Held take(Competitor competitor, String key) throws InterruptedException {
			return ((Kinds) competitor).read(key);
		}

		@Override
		long enter(ExclusionCell cell, int holder, int instance, long token, long now) {
			cell.join(holder, Long.MAX_VALUE, token);
			return -1;
		}

		@Override
		void leave(ExclusionCell cell, int holder, int instance, long now) {
			cell.part(holder);
		}

	},

	/** One of some permits. */
	PERMIT {

		@Override
		Held take(Competitor competitor, String key) throws InterruptedException {
			return ((Kinds) competitor).permit(key, PERMITS);
		}

		@Override
		long enter(ExclusionCell cell, int holder, int instance, long token, long now) {
			cell.join(holder, PERMITS, token);
			return -1;
		}

		@Override
		void leave(ExclusionCell cell, int holder, int instance, long now) {
			cell.part(holder);
		}

	};

	static final int PERMITS = 5;

	abstract Held take(Competitor competitor, String key) throws InterruptedException;

	/* As in the cell: for how long no holder was inside, or a negative number. */
	long enter(ExclusionCell cell, int holder, int instance, long token, long now) {
		return cell.enter(holder, instance, token, now);
	}

	void leave(ExclusionCell cell, int holder, int instance, long now) {
		cell.leave(holder, instance, now);
	}

}
