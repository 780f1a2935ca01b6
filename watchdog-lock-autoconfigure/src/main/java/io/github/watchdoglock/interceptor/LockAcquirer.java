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

package io.github.watchdoglock.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.RequestedLock;
import io.github.watchdoglock.listener.TakenLocks;
import org.jspecify.annotations.Nullable;

/**
 * Acquires all locks of a call on its thread, or none of them.
 *
 * @param service acquires the locks; looked up at each call
 */
record LockAcquirer(Supplier<LockService> service) {

	/* The wait times of all locks begin with the first one. */
	Acquisition acquire(LockedInvocation call) throws InterruptedException {
		HeldLocks held = HeldLocks.NONE;
		long start = System.nanoTime();
		Duration waited = Duration.ZERO;
		List<RequestedLock> requested = call.requested();
		try (TakenLocks taken = new TakenLocks(requested.size())) {
			for (RequestedLock next : requested) {
				try {
					LockHandle handle = next.acquire(this.service.get(), waited);
					taken.add(handle);
					held = held.and(next, handle);
				}
				catch (LockNotAcquiredException ex) {
					return new Acquisition(HeldLocks.NONE,
							() -> next.contention().resolve(call.target(), call.arguments(), ex));
				}
				catch (InterruptedException ex) {
					throw call.interrupted(ex, next.key());
				}
				waited = Duration.ofNanos(System.nanoTime() - start);
			}
			Acquisition acquisition = new Acquisition(held, null);
			taken.complete();
			return acquisition;
		}
	}

	/**
	 * The result of requesting all locks of a call.
	 *
	 * @param locks the locks
	 * @param replacement replaces the method; null if the call holds all locks that it
	 * needs
	 */
	record Acquisition(HeldLocks locks, HeldLocks.@Nullable Body replacement) {

	}

}
