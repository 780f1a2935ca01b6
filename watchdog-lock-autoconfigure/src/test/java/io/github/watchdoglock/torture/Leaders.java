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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.leader.RoleLocks;
import io.github.watchdoglock.leader.RoleSettings;
import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * The roles of an instance. A term is recorded as a hold that lasts as long as the term
 * says that it leads, also by work that continues for a while after the interrupt.
 */
final class Leaders implements RoleLocks {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

	private static final long MAX_DEAFNESS = TimeUnit.SECONDS.toNanos(2);

	private final Instance instance;

	private final int roles;

	private final LeaderElections elections = new LeaderElections(this,
			(role) -> RoleSettings.of(LEASE, Duration.ofMillis(200), Duration.ofSeconds(5)));

	private final Map<LockKey, LockHandle> granted = new ConcurrentHashMap<>();

	Leaders(Instance instance, int roles) {
		this.instance = instance;
		this.roles = roles;
		instance.engine.setRoleObserver(this.elections.observer());
	}

	void start() {
		for (int i = 0; i < this.roles; i++) {
			this.elections.join("r" + i, this::lead);
		}
		this.elections.start();
	}

	@Override
	public CompletableFuture<LockHandle> requestLock(LockRequest request) {
		CompletableFuture<LockHandle> asked = this.instance.engine.acquireAsync(request);
		var unused = asked.thenAccept((handle) -> this.granted.put(handle.key(), handle));
		return asked;
	}

	@Override
	public void stopRenewing(LockHandle handle) {
		this.instance.engine.lose(handle.key(), handle.fencingToken(), LockLoss.Reason.SHUTDOWN);
	}

	private void lead(LeaderTerm term) {
		LockHandle handle = this.granted.get(LockKey.ofRole(term.role()));
		while (handle == null || handle.fencingToken() != term.number()) {
			// The caller gets the answer before this map is updated.
			LockSupport.parkNanos(PAUSE / 20);
			handle = this.granted.get(LockKey.ofRole(term.role()));
		}
		WatchedHold hold = this.instance.watch(new TermHandle(handle, term), true, Kind.EXCLUSIVE);
		if (hold == null) {
			return;
		}
		Random random = new Random(term.number());
		long deafness = random.nextBoolean() ? 0 : random.nextLong(MAX_DEAFNESS);
		lookUntilInterrupted(hold);
		long begun = System.nanoTime();
		do {
			hold.look();
			LockSupport.parkNanos(PAUSE);
		}
		while (System.nanoTime() - begun < deafness);
		hold.close();
	}

	private static void lookUntilInterrupted(WatchedHold hold) {
		while (!Thread.interrupted()) {
			hold.look();
			LockSupport.parkNanos(PAUSE);
		}
	}

	/* Resign a role if this instance leads it. */
	void resign(Random random) {
		this.elections.of("r" + random.nextInt(this.roles)).resign();
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200 + random.nextInt(3_000)));
	}

	void stop() throws Exception {
		this.elections.stop().toCompletableFuture().get(10, TimeUnit.SECONDS);
	}

	/**
	 * A term as a handle that is held while the term leads; the election closes the term.
	 */
	private static final class TermHandle extends HandleDecorator {

		private final LeaderTerm term;

		TermHandle(LockHandle handle, LeaderTerm term) {
			super(handle);
			this.term = term;
		}

		@Override
		public boolean isHeld() {
			return this.term.isLeading();
		}

		@Override
		public Duration remaining() {
			return this.term.remaining();
		}

		@Override
		public long fencingToken() {
			return this.term.number();
		}

		@Override
		public void close() {
			// The election releases the lock when this work has ended.
		}

	}

}
