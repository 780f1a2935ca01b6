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

package io.github.watchdoglock.simulation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.memory.StoreFaults;
import io.github.watchdoglock.store.AttemptId;

/**
 * The one server, which keeps what the protocol's record is. Runs a command as a whole.
 */
final class Server {

	final Machine machine;

	final InMemoryLeaseStore store;

	private final Map<LockKey, Long> unreliable = new HashMap<>();

	Server(Machine machine) {
		this.machine = machine;
		this.store = new InMemoryLeaseStore(machine, machine);
	}

	/* Whoever has it may believe so for a while. */
	void forget(LockKey key, long believed) {
		StoreFaults.forget(this.store, key);
		doubt(key, believed);
	}

	/* From now on somebody may have what was taken from somebody who does not know. */
	void doubt(LockKey key, long believed) {
		this.unreliable.merge(key, this.machine.scheduler.now + believed, Math::max);
	}

	boolean isReliable(LockKey key) {
		Long until = this.unreliable.get(key);
		return until == null || until - this.machine.scheduler.now <= 0;
	}

	List<AttemptId> places(LockKey key) {
		return StoreFaults.places(this.store, key);
	}

	long lastToken(LockKey key) {
		return StoreFaults.lastToken(this.store, key);
	}

	/* Token of who has the key; zero where nobody does. */
	long owner(LockKey key) {
		return this.store.find(key, Duration.ZERO).toCompletableFuture().join().map(LockState::token).orElse(0L);
	}

}
