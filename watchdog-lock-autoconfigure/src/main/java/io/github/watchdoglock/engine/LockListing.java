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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.LockSnapshot.Status;
import io.github.watchdoglock.settings.KeyRules;
import org.jspecify.annotations.Nullable;

/**
 * The list of the locks that callers of this instance hold or wait for. Thread-safe.
 */
final class LockListing {

	private final EngineContext context;

	private final LocalKeys keys;

	LockListing(EngineContext context, LocalKeys keys) {
		this.context = context;
		this.keys = keys;
	}

	/* List locks, but not roles. */
	List<LockSnapshot> list() {
		List<LockSnapshot> snapshots = new ArrayList<>();
		// The same time for all, because their ages are compared.
		long now = this.context.now();
		for (LocalLock lock : this.keys.all()) {
			if (!lock.key.isRole()) {
				List<LockSnapshot> found = new ArrayList<>();
				lock.runAndWait(() -> list(lock, now, found));
				snapshots.addAll(found);
			}
		}
		return snapshots;
	}

	private void list(LocalLock lock, long now, List<LockSnapshot> snapshots) {
		lock.forEachHold((hold) -> snapshots.add(snapshot(hold, now, lock.waiters().size())));
		lock.waiters().forEach((waiter) -> snapshots.add(snapshot(waiter, now, lock.waiters().size())));
	}

	/* Return the thread of a hold; null if the hold has ended, or belongs to none. */
	@Nullable Thread holder(LockSnapshot held) {
		return this.keys.look(KeyRules.bounded(held.key()), (lock) -> lock.leases()
			.stream()
			.flatMap((lease) -> lease.holds().stream())
			.filter((hold) -> hold.token == held.fencingToken())
			.map(Hold::thread)
			.filter((thread) -> thread != null && (held.mode() != Mode.READ || thread.getName().equals(held.thread())))
			.findFirst()
			.orElse(null));
	}

	private LockSnapshot snapshot(Hold hold, long now, int waiting) {
		long age = Math.max(now - hold.acquired, 0);
		GrantedLease lease = hold.lease;
		return new Snapshot(hold.key, Status.HELD, name(hold.thread()), this.context.wallTime(age),
				Duration.ofNanos(age), hold.token, hold.remaining(this.context.now()), lease.timing().lease(),
				lease.times.renewals(), lease.times.atRisk(), waiting, hold.mode(), hold.admission() != null);
	}

	private LockSnapshot snapshot(Waiter waiter, long now, int waiting) {
		long age = Math.max(now - waiter.start, 0);
		return new Snapshot(waiter.key, Status.WAITING, name(waiter.thread), this.context.wallTime(age),
				Duration.ofNanos(age), 0, Duration.ZERO, waiter.timing.lease(), 0, false, waiting, waiter.mode, false);
	}

	private static @Nullable String name(@Nullable Thread thread) {
		return (thread != null) ? thread.getName() : null;
	}

	/**
	 * The values of a snapshot.
	 *
	 * @param key see the accessor; the same applies to the other components
	 */
	record Snapshot(LockKey key, Status status, @Nullable String thread, Instant since, Duration elapsed,
			long fencingToken, Duration remaining, Lease lease, long renewals, boolean atRisk, int waiting, Mode mode,
			boolean fenced) implements LockSnapshot {

	}

}
