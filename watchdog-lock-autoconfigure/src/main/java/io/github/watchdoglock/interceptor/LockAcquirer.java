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
import io.github.watchdoglock.interceptor.contention.Contention;
import io.github.watchdoglock.interceptor.lock.HeldLocks;
import io.github.watchdoglock.interceptor.lock.WantedLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes all locks of a call on its thread, or none of them.
 */
final class LockAcquirer {

	private final Supplier<LockService> service;

	LockAcquirer(Supplier<LockService> service) {
		this.service = service;
	}

	/* All within one wait: it begins with the first. */
	Acquisition acquire(LockedInvocation call) throws Exception {
		List<WantedLock> wanted = call.wanted();
		HeldLocks held = HeldLocks.NONE;
		if (wanted.isEmpty()) {
			return new Acquired(held);
		}
		LockService locks = this.service.get();
		long start = System.nanoTime();
		LockHandle last = null;
		try {
			for (WantedLock next : wanted) {
				Duration waited = (held == HeldLocks.NONE) ? Duration.ZERO
						: Duration.ofNanos(System.nanoTime() - start);
				try {
					last = next.acquire(locks, waited);
				}
				catch (LockNotAcquiredException ex) {
					held.close();
					return new Refused(next.contention(), ex);
				}
				catch (InterruptedException ex) {
					held.close();
					throw call.interrupted(ex, next.key());
				}
				held = held.and(next, last);
			}
			return new Acquired(held);
		}
		catch (RuntimeException ex) {
			held.close();
			throw ex;
		}
		catch (Error ex) {
			close(held, last);
			throw ex;
		}
	}

	/* The last one may not be among them yet. */
	private static void close(HeldLocks held, @Nullable LockHandle last) {
		try {
			held.close();
		}
		finally {
			if (last != null) {
				var unused = last.closeAsync();
			}
		}
	}

	/**
	 * What came of asking for all locks of a call.
	 */
	sealed interface Acquisition permits Acquired, Refused {

	}

	/**
	 * The call has them.
	 *
	 * @param locks all that it needs
	 */
	record Acquired(HeldLocks locks) implements Acquisition {

	}

	/**
	 * One of them was not to be had in time, and the others have been given back.
	 *
	 * @param contention what happens then
	 * @param cause who has it
	 */
	record Refused(Contention contention, LockNotAcquiredException cause) implements Acquisition {

		/* What the caller gets in place of the method's result. */
		@Nullable Object resolve(LockedInvocation call) throws Throwable {
			return this.contention.resolve(call.target(), call.arguments(), this.cause);
		}

	}

}
