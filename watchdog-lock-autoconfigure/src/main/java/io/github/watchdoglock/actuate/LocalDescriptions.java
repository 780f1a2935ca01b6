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

package io.github.watchdoglock.actuate;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockSnapshot.Status;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.actuate.LocksDescriptor.HeldDescriptor;
import io.github.watchdoglock.actuate.LocksDescriptor.HolderDescriptor;
import io.github.watchdoglock.actuate.LocksDescriptor.IdleDescriptor;
import io.github.watchdoglock.actuate.LocksDescriptor.StateDescriptor;
import io.github.watchdoglock.actuate.LocksDescriptor.WaitingDescriptor;
import io.github.watchdoglock.engine.IdleLock;
import io.github.watchdoglock.store.HolderState;
import org.jspecify.annotations.Nullable;

/**
 * Descriptions of the locks of this instance, for the endpoint.
 *
 * @param instance the label of this instance
 * @param locks the locks that this instance holds or waits for
 * @param idle its idle locks
 * @param stacks returns the present stack of a holder's thread
 * @param keys the displayed keys
 */
record LocalDescriptions(Supplier<String> instance, LocalLocks locks, Supplier<List<IdleLock>> idle,
		Function<LockSnapshot, List<StackTraceElement>> stacks, ShownKeys keys) {

	LocksDescriptor describe(Predicate<LockKey> wanted, Listing listing, List<LockState> states) {
		List<LockSnapshot> all = this.locks.list()
			.stream()
			.filter((lock) -> wanted.test(lock.key()))
			.sorted(Comparator.comparing(LockSnapshot::elapsed).reversed())
			.toList();
		List<LockSnapshot> held = all.stream().filter((lock) -> lock.status() == Status.HELD).toList();
		List<LockSnapshot> waiting = all.stream().filter((lock) -> lock.status() == Status.WAITING).toList();
		List<IdleLock> idle = this.idle.get().stream().filter((lock) -> wanted.test(lock.key())).toList();
		return new LocksDescriptor(this.instance.get(),
				held.stream().limit(listing.limit()).map((lock) -> held(lock, listing)).toList(),
				waiting.stream().limit(listing.limit()).map((lock) -> waiting(lock, listing)).toList(),
				idle.stream().limit(listing.limit()).map((lock) -> idle(lock, listing)).toList(), held.size(),
				waiting.size(), idle.size(),
				HolderState.first(states).map((first) -> state(first, states)).orElse(null));
	}

	private HeldDescriptor held(LockSnapshot lock, Listing listing) {
		return new HeldDescriptor(lock.key().name(), id(lock.key(), listing), lock.fencingToken(), lock.thread(),
				readable(lock.since()), readable(lock.elapsed()), readable(lock.remaining()), lock.renewals(),
				lock.lease().duration(), lock.lease().renewed(), lock.atRisk(), lock.waiting(), lock.mode().tag(),
				lock.fenced(), listing.stacks() ? stack(lock) : null);
	}

	private WaitingDescriptor waiting(LockSnapshot lock, Listing listing) {
		return new WaitingDescriptor(lock.key().name(), id(lock.key(), listing), lock.thread(), readable(lock.since()),
				lock.mode().tag());
	}

	private IdleDescriptor idle(IdleLock lock, Listing listing) {
		return new IdleDescriptor(lock.key().name(), id(lock.key(), listing), lock.token(), readable(lock.since()),
				readable(lock.elapsed()), readable(lock.remaining()));
	}

	/* The holder of an exclusive lock is not listed a second time. */
	private static StateDescriptor state(LockState first, List<LockState> all) {
		boolean shared = first.mode() != LockSnapshot.Mode.EXCLUSIVE;
		return new StateDescriptor(first.holder(), first.token(), readable(first.remaining()), first.waiting(),
				first.mode().tag(), shared ? all.stream().map(LocalDescriptions::holder).toList() : null);
	}

	private static HolderDescriptor holder(LockState state) {
		return new HolderDescriptor(state.holder(), state.token(), readable(state.remaining()),
				state.permits().stream().findFirst().orElse(null));
	}

	private @Nullable String id(LockKey key, Listing listing) {
		return this.keys.id(key, listing.keysShown());
	}

	/* Without class loaders and modules, which do not help to find the code. */
	private List<String> stack(LockSnapshot lock) {
		return this.stacks.apply(lock)
			.stream()
			.map((frame) -> new StackTraceElement(frame.getClassName(), frame.getMethodName(), frame.getFileName(),
					frame.getLineNumber())
				.toString())
			.toList();
	}

	private static Instant readable(Instant instant) {
		return instant.truncatedTo(ChronoUnit.MILLIS);
	}

	private static Duration readable(Duration duration) {
		return duration.truncatedTo(ChronoUnit.MILLIS);
	}

}
