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
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners of terms, each on a thread of its own. Thread-safe; neither blocks nor
 * throws.
 */
final class LeaderNews {

	private final Threads threads;

	private final Delays delays;

	private final @Nullable ClassLoader classes;

	private final @Nullable LeaderNews all;

	private final List<Audience> listeners = new CopyOnWriteArrayList<>();

	/*
	 * Those of one role, where there are others who hear of all.
	 */
	LeaderNews(Threads threads, Delays delays, @Nullable ClassLoader classes, @Nullable LeaderNews all) {
		this.threads = threads;
		this.delays = delays;
		this.classes = classes;
		this.all = all;
	}

	/* Told at once of the term that there is. */
	Runnable add(LeaderListener listener, @Nullable LeaderTerm current) {
		Audience audience = new Audience(listener, this.threads, this.delays, this.classes);
		this.listeners.add(audience);
		if (current != null) {
			audience.tell((told) -> told.granted(current));
		}
		return () -> this.listeners.remove(audience);
	}

	void granted(LeaderTerm term) {
		tell((listener) -> listener.granted(term));
	}

	void atRisk(LeaderTerm term, Duration remaining, Throwable cause) {
		tell((listener) -> listener.atRisk(term, remaining, cause));
	}

	void recovered(LeaderTerm term) {
		tell((listener) -> listener.recovered(term));
	}

	/* For each who is to be told, there is a part of the term until that has been. */
	void revoked(Term term, LockLoss.Reason reason, Consumer<TermPart> told) {
		this.listeners.forEach((audience) -> {
			Farewell farewell = new Farewell(audience, told);
			term.add(farewell);
			farewell.say((listener) -> listener.revoked(term, reason));
		});
		if (this.all != null) {
			this.all.revoked(term, reason, told);
		}
	}

	private void tell(Consumer<LeaderListener> news) {
		this.listeners.forEach((audience) -> audience.tell(news));
		if (this.all != null) {
			this.all.tell(news);
		}
	}

}
