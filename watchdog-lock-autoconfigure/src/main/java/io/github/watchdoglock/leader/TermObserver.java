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
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.listener.EngineObserver;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * An observer of the locks that elect leaders: reports what happens to them to the
 * listeners of their terms, and to the log. Thread-safe.
 *
 * @param candidacies the candidacies of this instance by the names of their roles
 * @param context the objects that all candidacies share
 */
record TermObserver(Map<String, Candidacy> candidacies, ElectionContext context) implements EngineObserver {

	private static final Log logger = LogFactory.getLog(LeaderElections.class);

	@Override
	public void atRisk(LockKey key, long token, Duration remaining, Throwable cause) {
		find(key).ifPresent(
				(candidacy) -> candidacy.notifyOf(token, (listener, term) -> listener.atRisk(term, remaining, cause)));
		log(logger::warn, key, token, " is at risk: it cannot be renewed, and ends in " + remaining.toMillis()
				+ " ms unless a renewal succeeds", cause);
	}

	@Override
	public void recovered(LockKey key, long token) {
		find(key).ifPresent((candidacy) -> candidacy.notifyOf(token, LeaderListener::recovered));
		log(logger::info, key, token, " is no longer at risk: it was renewed", null);
	}

	@Override
	public void releaseFailed(LockKey key, long token, Throwable cause) {
		log(logger::warn, key, token, " has ended, but its lock could not be released. Unless a repetition succeeds,"
				+ " the lock is free when its lease has expired", cause);
	}

	@Override
	public void resignRequested(LockKey key, long token) {
		find(key).ifPresent((candidacy) -> candidacy.resign(token));
	}

	/*
	 * A failure of the store is expected, and its message is sufficient without a stack
	 * trace.
	 */
	private void log(BiConsumer<Object, @Nullable Throwable> level, LockKey key, long token, String text,
			@Nullable Throwable cause) {
		String more = (cause instanceof LockStoreException failure) ? ". Cause: " + failure.getMessage() : "";
		this.context.log(level, "The term " + token + " of role '" + key.printableId() + "'" + text + more,
				more.isEmpty() ? cause : null);
	}

	private Optional<Candidacy> find(LockKey key) {
		return Optional.ofNullable(this.candidacies.get(String.valueOf(key.id())));
	}

}
