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

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.support.ErrorPoint;
import io.github.watchdoglock.time.Pool;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.Ticker;

/**
 * A computer with its own clock, which may be paused. Its threads wait meanwhile, and its
 * elapsed time continues, except while it sleeps.
 */
final class Machine implements Threads, Ticker, InstantSource {

	private static final long FIRST_WALL_TIME = 1_800_000_000_000L;

	final Scheduler scheduler;

	final String name;

	private final Draw draw;

	private final double speed;

	private final long origin;

	private final int patience;

	private boolean stopped;

	private boolean sleeping;

	private long sleepsSince;

	private long slept;

	/** By how much its wall clock was set back. */
	private long setBack;

	/** How many of the next threads cannot be created. */
	int scantThreads;

	/** How many numbers it was given that no other machine gets. */
	private long numbers;

	private final Tally tally;

	Machine(String name, Scheduler scheduler, Draw draw, double speed, Tally tally) {
		this.tally = tally;
		this.name = name;
		this.scheduler = scheduler;
		this.draw = draw;
		this.speed = speed;
		this.origin = draw.between(-1_000_000_000_000L, 1_000_000_000_000L);
		this.patience = 2 + draw.below(8);
	}

	boolean runs() {
		return !this.stopped;
	}

	/* Elapsed time continues. */
	void pause() {
		this.stopped = true;
	}

	/* Elapsed time does not continue. */
	void sleep() {
		this.stopped = true;
		this.sleeping = true;
		this.sleepsSince = this.scheduler.now;
	}

	void wake() {
		this.stopped = false;
		if (this.sleeping) {
			this.sleeping = false;
			this.slept += this.scheduler.now - this.sleepsSince;
		}
	}

	/* The wall clock, which measures no elapsed time. */
	void setBack(long nanos) {
		this.setBack += nanos;
	}

	/* The total sleep, by its own clock. */
	long slept() {
		return (long) (this.slept * this.speed);
	}

	@Override
	public long read() {
		long awake = (this.sleeping ? this.sleepsSince : this.scheduler.now) - this.slept;
		return this.origin + (long) (awake * this.speed);
	}

	@Override
	public long elapsed() {
		return read();
	}

	@Override
	public Instant instant() {
		return Instant.ofEpochMilli(millis());
	}

	@Override
	public long millis() {
		return FIRST_WALL_TIME + TimeUnit.NANOSECONDS.toMillis((long) (this.scheduler.now * this.speed) - this.setBack);
	}

	/*
	 * The true nanoseconds in which this machine's clock advances by so much, rounded up.
	 */
	long trueTime(long nanos) {
		return (long) Math.ceil(Math.max(nanos, 0) / this.speed);
	}

	@Override
	public void park(Object blocker, long nanos) {
		SimulatedThread me = this.scheduler.current();
		if (me == null) {
			throw new IllegalStateException("what may not block waits for " + blocker.getClass().getSimpleName());
		}
		if (me.permit || me.isInterrupted(me)) {
			me.permit = false;
			this.scheduler.giveWay();
			return;
		}
		await(me, nanos);
	}

	private void await(SimulatedThread me, long nanos) {
		me.waits = true;
		long wait = ++me.wait;
		if (nanos < Long.MAX_VALUE / 4) {
			this.scheduler.in(trueTime(nanos), this, () -> {
				if (me.waits && me.wait == wait) {
					me.waits = false;
				}
			});
		}
		this.scheduler.pass(me);
		me.wait++;
	}

	/*
	 * Work of a thread of the application that takes a while, and ends when interrupted.
	 */
	void work(long nanos) {
		SimulatedThread me = this.scheduler.current();
		long end = read() + nanos;
		boolean permit = me.permit;
		while (end - read() > 0 && !me.isInterrupted(me)) {
			await(me, end - read());
			// The thread was unparked before its time: keep the permit for its next wait.
			permit |= end - read() > 0;
		}
		me.permit = permit;
	}

	@Override
	public void unpark(Thread thread) {
		SimulatedThread other = this.scheduler.of(thread);
		if (other.waits) {
			other.waits = false;
		}
		else {
			other.permit = true;
		}
	}

	@Override
	public void interrupt(Thread thread) {
		interrupt(this.scheduler.of(thread));
	}

	void interrupt(SimulatedThread other) {
		if (other == this.scheduler.current()) {
			other.thread().interrupt();
		}
		else {
			other.interrupted = true;
			other.waits = false;
		}
	}

	@Override
	public boolean isInterrupted(Thread thread) {
		return this.scheduler.of(thread).isInterrupted(this.scheduler.current());
	}

	@Override
	public Pool pool(String pool, String warning, Runnable busy) {
		return new SimulatedPool(this, pool, busy);
	}

	@Override
	public Thread start(String role, Runnable work) {
		if (role.equals("watchdog-lock-leader-listener")) {
			// Listeners of leaders are notified inline.
			work.run();
			return Thread.currentThread();
		}
		// Elections do not handle threads that cannot be created.
		if (this.scantThreads > 0 && !role.startsWith("watchdog-lock-leader")) {
			this.scantThreads--;
			this.tally.fault("thread scant");
			throw new OutOfMemoryError("unable to create native thread (on purpose)");
		}
		return this.scheduler.start(this, this.name + " " + role, () -> {
			long passed = ErrorPoint.passed();
			try {
				work.run();
			}
			catch (VirtualMachineError | LinkageError ex) {
				// If a thread could be created, its first call succeeds.
				if (ErrorPoint.passed() - passed != 1) {
					throw ex;
				}
				work.run();
			}
		}).thread();
	}

	@Override
	public void proceed(Runnable effects) {
		if (!this.draw.oneIn(this.patience)) {
			effects.run();
		}
		else if (this.scheduler.current() != null) {
			this.scheduler.giveWay();
			effects.run();
		}
		else {
			this.scheduler.in(0, this, () -> Instance.persist(effects));
		}
	}

	@Override
	public double random() {
		return this.draw.share();
	}

	/* Not a draw, so that worlds with and without it are the same otherwise. */
	@Override
	public long unpredictable() {
		return Double.doubleToLongBits(random(this.name.hashCode() + 31L * ++this.numbers));
	}

}
