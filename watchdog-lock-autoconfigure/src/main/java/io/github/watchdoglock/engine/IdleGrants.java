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

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.settings.EngineSettings.LingerRules;
import io.github.watchdoglock.time.SpinLock;
import org.jspecify.annotations.Nullable;

/**
 * What an engine keeps though nobody holds it, the oldest first, and for how long.
 * Bounded. Thread-safe.
 */
final class IdleGrants {

	private static final int MOST = 10_000;

	private final LingerRules rules;

	private final SpinLock lock = SpinLock.innermost();

	/* Guarded by the lock. */
	private final Set<Entry> grants = new LinkedHashSet<>();

	IdleGrants(LingerRules rules) {
		this.rules = rules;
	}

	/* For how many nanoseconds to keep what was granted so; zero is not at all. */
	long time(LockKey key, Terms terms, HoldRules hold) {
		return (terms.lease().renewed() && hold.minHold() == 0) ? this.rules.of(key) : 0;
	}

	/* Gives the oldest where that has to go for it. */
	@Nullable Entry add(Entry grant) {
		this.lock.lock();
		try {
			this.grants.add(grant);
			return (this.grants.size() > MOST) ? removeOldest() : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Entry removeOldest() {
		Iterator<Entry> oldestFirst = this.grants.iterator();
		Entry oldest = oldestFirst.next();
		oldestFirst.remove();
		return oldest;
	}

	void remove(Entry grant) {
		this.lock.lock();
		try {
			this.grants.remove(grant);
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean contains(Entry grant) {
		this.lock.lock();
		try {
			return this.grants.contains(grant);
		}
		finally {
			this.lock.unlock();
		}
	}

	List<Entry> list() {
		this.lock.lock();
		try {
			return new ArrayList<>(this.grants);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * One of them. Methods take a step of its cohort.
	 */
	interface Entry {

		/* Unless somebody has come for it. */
		void makeRoom();

		IdleLock describe();

	}

}
