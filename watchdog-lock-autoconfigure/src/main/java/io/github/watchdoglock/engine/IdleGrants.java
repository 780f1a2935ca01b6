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
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.LockKey;
import org.jspecify.annotations.Nullable;

/**
 * The grants that an engine keeps though nobody holds them, the oldest first. Bounded.
 * Thread-safe.
 */
final class IdleGrants {

	private static final int MOST = 10_000;

	private final LingerRules rules;

	private final ReentrantLock lock = new ReentrantLock();

	/* Guarded by the lock. */
	private final Set<IdleGrant> grants = new LinkedHashSet<>();

	IdleGrants(LingerRules rules) {
		this.rules = rules;
	}

	/* For how many nanoseconds to keep what was granted so; zero is not at all. */
	long time(LockKey key, Terms terms, HoldRules hold) {
		return (terms.lease().renewed() && hold.minHold() == 0) ? this.rules.of(key) : 0;
	}

	/* Keep the grant of a hold that was closed; false where it is not to be kept. */
	boolean keep(Hold hold) {
		Cohort cohort = hold.grant.cohort;
		long now = cohort.core().now();
		long time = time(hold.key, hold.grant.terms, hold.rules);
		if (time == 0 || !HandOffs.mayLinger(hold.grant)) {
			return false;
		}
		IdleGrant idle = new IdleGrant(hold, now, now + time);
		if (!idle.mayStay(now)) {
			return false;
		}
		cohort.rest(idle);
		idle.rest(now);
		cohort.afterwards(() -> cohort.core().events().idleBegun(idle.key));
		IdleGrant oldest = add(idle);
		if (oldest != null) {
			cohort.afterwards(() -> oldest.grant.cohort.change(oldest::giveBack));
		}
		return true;
	}

	/* For which the oldest may have to go. */
	private @Nullable IdleGrant add(IdleGrant grant) {
		this.lock.lock();
		try {
			this.grants.add(grant);
			return (this.grants.size() > MOST) ? removeOldest() : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private IdleGrant removeOldest() {
		Iterator<IdleGrant> oldestFirst = this.grants.iterator();
		IdleGrant oldest = oldestFirst.next();
		oldestFirst.remove();
		return oldest;
	}

	void remove(IdleGrant grant) {
		this.lock.lock();
		try {
			this.grants.remove(grant);
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean contains(IdleGrant grant) {
		this.lock.lock();
		try {
			return this.grants.contains(grant);
		}
		finally {
			this.lock.unlock();
		}
	}

	List<IdleGrant> list() {
		this.lock.lock();
		try {
			return new ArrayList<>(this.grants);
		}
		finally {
			this.lock.unlock();
		}
	}

}
