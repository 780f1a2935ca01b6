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

import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.ReleaseCommand;
import org.jspecify.annotations.Nullable;

/**
 * What the store's messages mean to a cohort: hints, of which only an answer of the store
 * makes facts. Methods are parts of a step of the cohort.
 */
final class Messages {

	private Messages() {
	}

	/* The key may be reserved for one of our attempts. */
	static void granted(Cohort cohort, AttemptId id) {
		Attempt attempt = attempt(cohort, id);
		if (attempt != null) {
			attempt.hint();
		}
		else if (cohort.grantOf(id) == null) {
			// What is left is a reservation, which lasts for less.
			Core core = cohort.core();
			cohort.undo(id, ReleaseCommand.UNKNOWN, core.now() + core.defaults().length());
		}
	}

	/*
	 * Others wait for what one of our attempts has. Answers whether they may wait for it
	 * to be idle, which it is not.
	 */
	static boolean contended(Cohort cohort, AttemptId id) {
		Attempt attempt = attempt(cohort, id);
		Grant grant = grant(cohort, id);
		if (attempt != null) {
			attempt.contended = true;
		}
		if (grant == null) {
			return false;
		}
		grant.budget().contended(cohort.core().now());
		if (cohort.state() instanceof IdleGrant idle) {
			idle.giveBack();
		}
		return grant.user() != null && grant.isLingering();
	}

	/* Who has the key does not keep it idle. */
	static void inUse(Cohort cohort, AttemptId id) {
		Attempt attempt = attempt(cohort, id);
		if (attempt != null) {
			attempt.inUse();
		}
	}

	/*
	 * The key may have been taken from one of our attempts: the store is asked at once.
	 */
	static void forced(Cohort cohort, AttemptId id) {
		Grant grant = forcedGrant(cohort, id);
		if (grant != null && grant.user() != null) {
			grant.look();
		}
	}

	/* The store has answered that the key was taken from one of our attempts. */
	static void taken(Cohort cohort, AttemptId id) {
		Grant grant = forcedGrant(cohort, id);
		Grant.User user = (grant != null) ? grant.user() : null;
		if (user != null) {
			user.forced();
		}
	}

	/* The grant that may have been taken; null for an attempt, which asks in any case. */
	private static @Nullable Grant forcedGrant(Cohort cohort, AttemptId id) {
		Attempt attempt = attempt(cohort, id);
		if (attempt != null) {
			attempt.forced = true;
			return null;
		}
		Grant grant = grant(cohort, id);
		if (grant != null) {
			grant.budget().forced(cohort.core().now());
		}
		return grant;
	}

	/*
	 * Somebody asks for what one of our attempts has; not for a key that was taken
	 * already.
	 */
	static void asked(Cohort cohort, AttemptId id) {
		Grant grant = grant(cohort, id);
		if (grant != null && cohort.state() instanceof Hold hold && hold.isOpen()) {
			cohort.afterwards(() -> cohort.core().events().asked(hold.key, hold.token));
		}
	}

	/* The attempt of now if it has this id. */
	private static @Nullable Attempt attempt(Cohort cohort, AttemptId id) {
		return (cohort.state() instanceof Attempt attempt && attempt.id.equals(id)) ? attempt : null;
	}

	/*
	 * The grant of now with this id, also if it is being given back; about to be changed.
	 */
	private static @Nullable Grant grant(Cohort cohort, AttemptId id) {
		Grant grant = cohort.grantOf(id);
		Steps.Revertible subject = (grant != null) ? grant.subject() : null;
		if (subject != null) {
			cohort.keep(subject);
		}
		return grant;
	}

}
