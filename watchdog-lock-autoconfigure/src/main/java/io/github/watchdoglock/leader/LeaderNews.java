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

package io.github.watchdoglock.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockLoss;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the listeners of a role, and those of all roles. Thread-safe; does not block.
 */
final class LeaderNews {

	private final List<Audience> listeners = new CopyOnWriteArrayList<>();

	private final @Nullable LeaderNews all;

	/**
	 * Create it.
	 * @param all those of all roles; null for these themselves
	 */
	LeaderNews(@Nullable LeaderNews all) {
		this.all = all;
	}

	/* Notified at once of the term that there is, if any. */
	void add(Audience audience, @Nullable LeaderTerm current) {
		this.listeners.add(audience);
		if (current != null) {
			audience.add((listener) -> listener.granted(current), LeaderNews::doNothing);
		}
	}

	void remove(Audience audience) {
		this.listeners.remove(audience);
	}

	void granted(LeaderTerm term) {
		notifyAll((listener) -> listener.granted(term));
	}

	void atRisk(LeaderTerm term, Duration remaining, Throwable cause) {
		notifyAll((listener) -> listener.atRisk(term, remaining, cause));
	}

	void recovered(LeaderTerm term) {
		notifyAll((listener) -> listener.recovered(term));
	}

	/* Each listener is a part of the term until it has returned. */
	void revoked(Term term, LockLoss.Reason reason, Consumer<TermPart> returned) {
		this.listeners.forEach((audience) -> {
			Farewell farewell = new Farewell(audience);
			term.add(farewell);
			audience.add((listener) -> listener.revoked(term, reason), () -> returned.accept(farewell));
		});
		if (this.all != null) {
			this.all.revoked(term, reason, returned);
		}
	}

	private void notifyAll(Consumer<LeaderListener> notification) {
		this.listeners.forEach((audience) -> audience.add(notification, LeaderNews::doNothing));
		if (this.all != null) {
			this.all.notifyAll(notification);
		}
	}

	private static void doNothing() {
	}

}
