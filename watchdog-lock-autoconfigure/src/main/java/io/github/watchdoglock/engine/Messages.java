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

import io.github.watchdoglock.LockLoss;

/**
 * What the store's messages mean to a cohort: hints, of which only an answer of the store
 * makes facts. Methods are parts of a step of the cohort.
 */
final class Messages {

	private Messages() {
	}

	/* The key may be reserved for one of our attempts. */
	static void granted(Cohort cohort, AttemptId id) {
		Attempt attempt = cohort.attempt(id);
		if (attempt != null) {
			attempt.hint();
		}
		else if (cohort.grant(id) == null) {
			Core core = cohort.core();
			cohort.undo(id, ReleaseCommand.UNKNOWN, core.now() + core.defaults().length());
		}
	}

	/* Others wait for what one of our attempts has. */
	static void contended(Cohort cohort, AttemptId id) {
		Attempt attempt = cohort.attempt(id);
		Grant grant = cohort.grant(id);
		if (attempt != null) {
			attempt.contended = true;
		}
		else if (grant != null) {
			HandOffs.contended(grant, cohort.core().now());
		}
	}

	/* The key was taken from one of our attempts. */
	static void forced(Cohort cohort, AttemptId id) {
		Attempt attempt = cohort.attempt(id);
		Grant grant = cohort.grant(id);
		Hold hold = (grant != null) ? cohort.hold(grant) : null;
		if (attempt != null) {
			attempt.forced = true;
		}
		else if (hold != null) {
			hold.lose(LockLoss.Reason.FORCED);
		}
		else if (grant != null) {
			HandOffs.forced(grant);
		}
	}

}
