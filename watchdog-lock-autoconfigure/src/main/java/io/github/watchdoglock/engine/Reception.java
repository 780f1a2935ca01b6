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

import io.github.watchdoglock.LockServiceClosedException;
import org.jspecify.annotations.Nullable;

/**
 * What callers are told who come to a cohort, and whose time is over. Methods are parts
 * of a step of the cohort.
 */
final class Reception {

	private Reception() {
	}

	static void welcome(Cohort cohort, Waiter waiter, long now) {
		if (!cohort.core().isOpen()) {
			cohort.room().fail(waiter, new LockServiceClosedException(waiter.key));
			return;
		}
		Hold hold = cohort.hold();
		if (hold != null) {
			hold.expireIfOver();
		}
		@Nullable Busyness busy = cohort.busy(now);
		if (busy != null) {
			cohort.room().known(waiter, busy, now);
		}
		else {
			cohort.pursue();
		}
	}

	/* Somebody else has it now: who came while the store was asked has had no answer. */
	static void tell(Cohort cohort, long now) {
		Busyness busy = cohort.busy(now);
		if (busy != null && cohort.isAwaited()) {
			cohort.room().allKnow(busy, now);
		}
	}

	/* The time of a caller is over; one who had no answer is still owed one. */
	static void overdue(Cohort cohort, Waiter waiter, long now) {
		if (waiter.answered) {
			Busyness busy = cohort.busy(now);
			cohort.room().known(waiter, (busy != null) ? busy : Busyness.UNKNOWN, now);
			cohort.endIfUnwanted();
		}
	}

}
