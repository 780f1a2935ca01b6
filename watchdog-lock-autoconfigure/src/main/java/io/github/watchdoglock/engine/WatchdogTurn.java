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

import java.time.Duration;

import io.github.watchdoglock.LockLoss;

/**
 * What the watchdog does to a grant whose alarm rings. Methods are parts of a step of the
 * cohort.
 */
final class WatchdogTurn {

	private WatchdogTurn() {
	}

	/* Ring for its renewal, its deadline, or what limits its hold. */
	static void watch(Grant grant) {
		Hold hold = grant.cohort.hold(grant);
		IdleGrant idle = IdleGrant.of(grant);
		long look = grant.nextLook();
		long limit = (hold != null) ? HoldLimits.next(hold) : (idle != null) ? idle.until() : look;
		grant.cohort.core().watchdog().set(grant, (limit - look < 0) ? limit : look);
	}

	/* The alarm stands as it was set for the hold before, unless it is needed sooner. */
	static void watchNext(Grant grant) {
		Hold hold = grant.cohort.hold(grant);
		if (hold != null && HoldLimits.next(hold) - grant.nextLook() < 0) {
			watch(grant);
		}
	}

	/* What is over is declared over. */
	static void expire(Grant grant, long now) {
		Hold hold = grant.cohort.hold(grant);
		if (hold != null && grant.left(now) <= 0) {
			long late = grant.overdue(now);
			if (late > 0) {
				grant.cohort.afterwards(() -> grant.cohort.core().events().renewalSent(Duration.ofNanos(late)));
			}
			hold.lose(LockLoss.Reason.EXPIRED);
		}
		else if (hold != null) {
			HoldLimits.enforce(hold, now);
		}
		else {
			IdleGrant idle = IdleGrant.of(grant);
			if (idle != null) {
				idle.look(now);
			}
		}
	}

	/* Who holds it is looked at, and it is renewed if that is due. */
	static void proceed(Grant grant, long now, RenewalBatch renewals) {
		Hold hold = grant.cohort.hold(grant);
		if (hold == null && IdleGrant.of(grant) == null) {
			return;
		}
		long due = now - grant.overdue(now);
		boolean comesDue = grant.comesDue(now);
		// Set before the rest: whatever fails in this turn, there is a next one.
		watch(grant);
		if (hold != null && hold.isAbandoned()) {
			Thread thread = hold.thread();
			String name = (thread != null) ? thread.getName() : null;
			grant.cohort.tell((listener, abandoned) -> listener.abandoned(abandoned.key, abandoned.token, name));
			hold.lose(LockLoss.Reason.ABANDONED);
			return;
		}
		if (comesDue) {
			renewals.add(grant.beginRenewal(grant.terms),
					new TimedAnswers(new RenewalResult(grant), grant.cohort.core(), due));
		}
		if (hold != null) {
			HoldLimits.warn(hold, now);
		}
	}

}
