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

import java.util.concurrent.locks.LockSupport;

/**
 * A caller who waits on its own thread, parked.
 */
final class BlockedCaller {

	private final Core core;

	private final Waiter waiter;

	BlockedCaller(Core core, Waiter waiter) {
		this.core = core;
		this.waiter = waiter;
	}

	Waiter.Outcome await() {
		boolean interrupted = false;
		Waiter.Outcome outcome = this.waiter.outcome();
		while (outcome == null) {
			if (Thread.interrupted()) {
				interrupted = true;
				this.waiter
					.leave(new InterruptedException("Interrupted while waiting for lock '" + this.waiter.key + "'"));
			}
			else {
				park();
			}
			outcome = this.waiter.outcome();
		}
		boolean told = outcome instanceof Waiter.Outcome.Failed failed
				&& failed.cause() instanceof InterruptedException;
		if (!told) {
			this.core.firstContact.make();
		}
		if (interrupted && !told) {
			Thread.currentThread().interrupt();
		}
		return outcome;
	}

	/* The watchdog ends waits; a caller whose time is over looks for itself as well. */
	private void park() {
		long now = this.core.now();
		long left = this.waiter.left(now);
		if (left == Long.MAX_VALUE) {
			LockSupport.park(this);
			return;
		}
		Terms terms = this.waiter.terms;
		long limit = left + 2 * terms.timeout().toNanos() + terms.trial().toNanos() + this.core.firstContact.grace();
		this.waiter.step((cohort) -> {
			if (left <= 0) {
				Reception.overdue(cohort, this.waiter, now);
			}
			if (limit <= 0) {
				cohort.room()
					.fail(this.waiter, new OutcomeUnknownException(
							"The store did not answer for lock '" + this.waiter.key + "' within its time-out", null));
				cohort.endIfUnwanted();
			}
		});
		if (this.waiter.outcome() == null) {
			LockSupport.parkNanos(this, (left > 0) ? left : limit);
		}
	}

}
