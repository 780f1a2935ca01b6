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
import java.util.Collection;
import java.util.List;

import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.listener.TakenLocks;
import io.github.watchdoglock.settings.KeyRules;

/**
 * Acquires several locks for one caller, on its thread, or none of them.
 */
final class AllOrNone {

	private final EngineContext context;

	private final Callers callers;

	AllOrNone(EngineContext context, Callers callers) {
		this.context = context;
		this.callers = callers;
	}

	LockHandles acquire(Collection<LockRequest> asked) throws InterruptedException {
		List<LockRequest> requests = KeyRules.inOrder(asked);
		Duration wait = longestWait(requests);
		long start = this.context.nowNoticingSleep();
		try (TakenLocks taken = new TakenLocks(requests.size())) {
			for (LockRequest request : requests) {
				taken.add(this.callers.acquire(request.withWaitTime(wait), start));
			}
			// Only after all were acquired, because until then a failure has to release
			// all of them.
			for (int i = 0; i < requests.size(); i++) {
				if (requests.get(i).releaseAfterTransaction()) {
					this.callers.keep(taken.handles().get(i));
				}
			}
			LockHandles all = LockHandles.of(taken.handles());
			taken.complete();
			return all;
		}
	}

	private Duration longestWait(List<LockRequest> requests) {
		// Compared as unsigned, because an indefinite wait, which is negative, is the
		// longest.
		return Duration.ofNanos(requests.stream()
			.map((request) -> this.context.wait(request.waitTime()))
			.max(Long::compareUnsigned)
			.orElseThrow());
	}

}
