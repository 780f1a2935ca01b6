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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.engine.TestEngine;
import io.github.watchdoglock.memory.InMemoryLeaseStore;
import io.github.watchdoglock.time.ManualTicker;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * An instance that is a candidate for roles, whose time moves by hand. Unless other
 * threads are provided, only work has threads, and listeners are notified inline.
 */
final class TestInstance implements RoleLocks, LeaderListener {

	static final Duration LEASE = Duration.ofSeconds(30);

	static final Duration MARGIN = Duration.ofSeconds(5);

	static final Duration PATIENCE = Duration.ofSeconds(60);

	final FailingStore store;

	final TestEngine stepped;

	final LeaderElections elections;

	/** Notifications, and their times in milliseconds. */
	final List<String> heard = new CopyOnWriteArrayList<>();

	final List<Long> moments = new CopyOnWriteArrayList<>();

	/** A future that answers to callers wait for, or null. */
	@Nullable CompletableFuture<Void> gate;

	private final ManualTicker ticker;

	private final List<Later> later = new CopyOnWriteArrayList<>();

	TestInstance(ManualTicker ticker, InMemoryLeaseStore memory) {
		this(ticker, memory, new WorkThreads(ticker, false));
	}

	TestInstance(ManualTicker ticker, InMemoryLeaseStore memory, Threads threads) {
		this.ticker = ticker;
		this.store = new FailingStore(memory);
		this.stepped = new TestEngine(ticker, this.store, memory, memory);
		this.elections = new LeaderElections(this, (role) -> RoleSettings.of(LEASE, null, PATIENCE), threads,
				this::after);
		this.stepped.engine.setRoleObserver(this.elections.observer());
		this.elections.addListener(this);
		this.elections.start();
	}

	@Override
	public CompletableFuture<LockHandle> requestLock(LockRequest request) {
		CompletableFuture<LockHandle> asked = this.stepped.engine.acquireAsync(request);
		CompletableFuture<Void> gate = this.gate;
		return (gate != null) ? asked.thenCombine(gate, (handle, open) -> handle) : asked;
	}

	@Override
	public void stopRenewing(LockHandle handle) {
		this.stepped.engine.lose(handle.key(), handle.fencingToken(), LockLoss.Reason.SHUTDOWN);
	}

	Runnable after(Duration delay, Runnable task) {
		if (delay.isZero()) {
			task.run();
			return () -> {
			};
		}
		Later later = new Later(this.ticker.read() + delay.toNanos(), task);
		this.later.add(later);
		return () -> this.later.remove(later);
	}

	/** Return the number of tasks that wait for their time. */
	int delayed() {
		return this.later.size();
	}

	/** Advance the time of instances that share a clock. */
	static void pass(Duration time, TestInstance... instances) {
		for (long left = time.toMillis(); left > 0; left -= TestEngine.TICK.toMillis()) {
			instances[0].ticker.advance(TestEngine.TICK);
			Stream.of(instances).forEach(TestInstance::turn);
		}
	}

	void turn() {
		this.stepped.turn();
		List<Later> due = this.later.stream().filter((each) -> each.moment - this.ticker.read() <= 0).toList();
		this.later.removeAll(due);
		due.forEach((each) -> each.task.run());
	}

	boolean leads(String role) {
		return this.elections.of(role).isLeader();
	}

	LeaderTerm term(String role) {
		return this.elections.of(role).term().orElseThrow();
	}

	/** Return when a notification first arrived, in milliseconds. */
	long momentOf(String news) {
		return this.moments.get(this.heard.indexOf(news));
	}

	private void hear(String news) {
		this.moments.add(Duration.ofNanos(this.ticker.read()).toMillis());
		this.heard.add(news);
	}

	@Override
	public void granted(LeaderTerm term) {
		hear("granted " + term.role());
	}

	@Override
	public void atRisk(LeaderTerm term, Duration remaining, Throwable cause) {
		hear("at risk " + term.role());
	}

	@Override
	public void recovered(LeaderTerm term) {
		hear("recovered " + term.role());
	}

	@Override
	public void revoked(LeaderTerm term, LockLoss.Reason reason) {
		hear("revoked " + term.role() + " " + reason);
	}

	/**
	 * A delayed task.
	 *
	 * @param moment when it is due
	 * @param task the task
	 */
	private record Later(long moment, Runnable task) {

	}

}
