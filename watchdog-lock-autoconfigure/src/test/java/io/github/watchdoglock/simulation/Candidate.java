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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.leader.LeaderElections;
import io.github.watchdoglock.leader.RoleLocks;
import io.github.watchdoglock.leader.RoleSettings;
import io.github.watchdoglock.leader.SimulatedElections;

/**
 * An instance that is a candidate for the role, with its work.
 */
final class Candidate implements RoleLocks, LeaderListener {

	/* The time that a watchdog, a thread and an answer may take. */
	private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(60);

	private final World world;

	private final Instance instance;

	private final Draw draw;

	private final LongConsumer begun;

	private final LeaderElections elections;

	private final long length;

	private boolean open;

	/** The term whose begin, but not whose end, was notified last; zero for none. */
	private long told;

	/** The term whose end was notified last, and when. */
	private long over;

	private long overSince;

	private boolean givenUp;

	private int working;

	/** Until this time, operations may take longer than usual. */
	private long excused;

	Candidate(World world, Instance instance, Draw draw, LongConsumer begun) {
		this.world = world;
		this.instance = instance;
		this.draw = draw;
		this.begun = begun;
		this.length = world.plan.length;
		this.elections = SimulatedElections.of(this,
				RoleSettings.of(Duration.ofMillis(this.length), null, Duration.ofMillis(this.length)), instance.machine,
				this::after);
		instance.engine().setRoleObserver(this.elections.observer());
		this.elections.addListener(this);
		this.elections.join(Leaders.ROLE, this::lead);
	}

	private Runnable after(Duration delay, Runnable task) {
		AtomicBoolean cancelled = new AtomicBoolean();
		this.world.scheduler.in(this.instance.machine.trueTime(delay.toNanos()), this.instance.machine, () -> {
			if (!cancelled.get()) {
				task.run();
			}
		});
		return () -> cancelled.set(true);
	}

	@Override
	public CompletableFuture<LockHandle> requestLock(LockRequest request) {
		return this.instance.engine().acquireAsync(request);
	}

	@Override
	public void stopRenewing(LockHandle handle) {
		this.instance.engine().lose(handle.key(), handle.fencingToken(), LockLoss.Reason.SHUTDOWN);
	}

	void start() {
		this.open = true;
		this.elections.start();
	}

	CompletionStage<Void> stop() {
		this.open = false;
		return this.elections.stop();
	}

	void resign() {
		this.elections.of(Leaders.ROLE).resign();
	}

	boolean stands() {
		return this.open && !this.instance.dead && !this.instance.closed && !this.instance.shut;
	}

	boolean leads() {
		return this.elections.of(Leaders.ROLE).isLeader();
	}

	@Override
	public void granted(LeaderTerm term) {
		this.world.trace(this.instance.machine.name + " leads, term " + term.number());
		this.told = term.number();
		if (term.isLeading()) {
			this.begun.accept(term.number());
		}
	}

	@Override
	public void revoked(LeaderTerm term, LockLoss.Reason reason) {
		this.world.trace(this.instance.machine.name + " leads no more, term " + term.number() + ": " + reason);
		this.told = 0;
		this.over = term.number();
		this.overSince = this.world.scheduler.now;
		this.givenUp = reason == LockLoss.Reason.RESIGNED;
	}

	private void lead(LeaderTerm term) {
		if (this.working++ > 0) {
			this.world.scheduler.violated(this.instance.machine.name + " works for two terms at once");
		}
		try {
			work(term);
		}
		finally {
			this.working--;
			this.world.trace(this.instance.machine.name + " has ended its work of term " + term.number());
		}
	}

	private void work(LeaderTerm term) {
		Machine machine = this.instance.machine;
		int kind = this.draw.below(6);
		long most = Leaders.millis(this.draw.between(1, 4 * this.length));
		long end = machine.read() + most;
		while (term.isLeading() && !Thread.currentThread().isInterrupted() && (kind > 1 || end - machine.read() > 0)) {
			machine.work(Leaders.millis(this.length) / 4);
		}
		if (kind == 0) {
			throw new IllegalStateException("on purpose");
		}
		if (kind == 2) {
			var unused = Thread.interrupted();
			machine.work(most);
		}
	}

	/*
	 * Check the term that the server knows; zero for none, negative if it may be wrong.
	 */
	void look(long owner) {
		Machine machine = this.instance.machine;
		if (machine.scantThreads > 0 || this.instance.link.unreliability > 0) {
			this.excused = this.world.scheduler.now + SLACK;
		}
		if (this.instance.dead || this.instance.closed || !machine.runs()) {
			return;
		}
		LeaderTerm term = this.elections.of(Leaders.ROLE).term().orElse(null);
		if (term != null && owner >= 0 && owner != term.number()
				&& term.remaining().toNanos() > this.world.unnoticedSleep(this.instance)) {
			this.world.scheduler
				.violated(machine.name + " leads in term " + term.number() + ", and the server's is " + owner);
		}
		boolean steady = this.world.scheduler.now - Math.max(this.instance.running, this.excused) > SLACK;
		if (steady && owner > 0 && this.told != 0 && this.told != owner) {
			this.world.scheduler.violated(
					machine.name + " was not told the end of term " + this.told + ", and the server's is " + owner);
		}
		lookAtGivenUp(owner, steady);
	}

	/*
	 * Whatever its work does, a resigned term is not renewed indefinitely: for at most
	 * one length, with commands that may be late by as much, and then its lease expires.
	 */
	private void lookAtGivenUp(long owner, boolean steady) {
		long most = Leaders.millis(3 * this.length);
		if (steady && this.givenUp && owner == this.over && owner > 0
				&& this.world.scheduler.now - Math.max(this.overSince, this.instance.running) > most + SLACK) {
			this.world.scheduler
				.violated(this.instance.machine.name + " has given term " + this.over + " up, and renews it");
		}
	}

}
