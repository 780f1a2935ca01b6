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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.watchdoglock.LockNotAcquiredException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;

/**
 * Takes all locks of a call on its thread, or none of them.
 */
final class LockTaker {

	private final Supplier<LockService> service;

	LockTaker(Supplier<LockService> service) {
		this.service = service;
	}

	/* All within one wait: it begins with the first. */
	Taken take(LockedCall call) throws Exception {
		List<WantedLock> wanted = call.wanted();
		if (wanted.isEmpty()) {
			return new HeldLocks(List.of());
		}
		LockService locks = this.service.get();
		List<HeldLock> held = new ArrayList<>(wanted.size());
		long start = System.nanoTime();
		for (WantedLock next : wanted) {
			LockRequest request = held.isEmpty() ? next.request()
					: next.requestAfter(Duration.ofNanos(System.nanoTime() - start));
			try {
				held.add(new HeldLock(next.onLoss(), LockAnswers.acquire(locks, request)));
			}
			catch (LockNotAcquiredException ex) {
				new HeldLocks(held).close();
				return new Refusal(next.contention(), ex);
			}
			catch (InterruptedException ex) {
				new HeldLocks(held).close();
				throw call.interrupted(ex, next.key());
			}
			catch (RuntimeException | Error ex) {
				new HeldLocks(held).close();
				throw ex;
			}
		}
		return new HeldLocks(held);
	}

}
