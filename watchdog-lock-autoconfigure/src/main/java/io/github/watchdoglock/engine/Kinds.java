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

import java.util.stream.IntStream;

import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.LockUpgradeException;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.CommandRefusedException;

/**
 * The kinds in which requests ask for their key, and which of them exclude each other.
 */
final class Kinds {

	/* Created in advance, so that a caller creates no garbage. */
	private static final Kind[] PERMITS = IntStream.rangeClosed(1, Kind.MAX_HOLDERS)
		.mapToObj(Kind::permits)
		.toArray(Kind[]::new);

	private Kinds() {
	}

	static Kind of(LockRequest request) {
		Integer permits = request.permits();
		if (permits != null && permits > 0) {
			return PERMITS[permits - 1];
		}
		return (request.mode() == LockMode.READ) ? Kind.READ : Kind.EXCLUSIVE;
	}

	static Mode mode(Kind kind) {
		if (!kind.isShared()) {
			return Mode.EXCLUSIVE;
		}
		return kind.isPermit() ? Mode.PERMIT : Mode.READ;
	}

	/* Check that the kind of a thread's present hold is sufficient for its request. */
	static void ensureEnough(Kind had, LockRequest request) {
		Kind asked = of(request);
		if (had.isPermit() != asked.isPermit()) {
			CommandRefusedException refusal = refusal(asked);
			throw new LockStoreException("Lock '" + request.key() + "' was not acquired: " + refusal.getMessage(),
					refusal);
		}
		if (had.isShared() && !asked.isShared()) {
			throw new LockUpgradeException(request.key());
		}
	}

	/*
	 * Create the error for a key that is held, or waited for, in a kind that excludes
	 * this one.
	 */
	static CommandRefusedException refusal(Kind asked) {
		return new CommandRefusedException(
				asked.isPermit() ? "The key is in use as a lock: choose another name for permits"
						: "The key is in use as permits: choose another name for the lock",
				null);
	}

}
