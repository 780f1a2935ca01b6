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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The virtual time, and a seeded choice of the next step: one of all threads that can
 * continue and all events that are due. Events are actions of the network, the server and
 * faults; they run on the thread that plays the world, which has the turn at first. The
 * thread that has the turn may access everything here.
 */
final class Scheduler {

	private static final long MAX_JITTER = TimeUnit.MICROSECONDS.toNanos(500);

	private static final int JITTER = 24;

	private static final long MAX_STEPS = 100_000;

	private final Draw draw;

	private final Reserve reserve;

	private final PriorityQueue<Event> later = new PriorityQueue<>();

	private final List<Event> due = new ArrayList<>();

	final List<SimulatedThread> threads = new ArrayList<>();

	/** All threads, including those that have ended. */
	private final Map<Thread, SimulatedThread> all = new HashMap<>();

	private final Thread world = Thread.currentThread();

	private volatile boolean turn;

	/** The machine of the last step; null if it belonged to none. */
	Machine acting;

	/** Null while the world has the turn. */
	private SimulatedThread current;

	private Event chosen;

	private SimulatedThread ending;

	private Violation violation;

	private long events;

	/** True time, in nanoseconds. */
	long now;

	/** The part of it that passed although a thread could have continued. */
	long stalled;

	long steps;

	/** Checks the world after each step. */
	Runnable checks = () -> {
	};

	Scheduler(Draw draw, Reserve reserve) {
		this.draw = draw;
		this.reserve = reserve;
	}

	SimulatedThread current() {
		return this.current;
	}

	SimulatedThread of(Thread thread) {
		return this.all.get(thread);
	}

	/* Run an action after so much true time, when the machine runs. */
	void in(long nanos, Machine machine, Runnable action) {
		this.later.add(new Event(this.now + nanos, this.events++, machine, action));
	}

	SimulatedThread start(Machine machine, String role, Runnable work) {
		SimulatedThread thread = this.reserve.take();
		thread.use(machine, role, work);
		this.threads.add(thread);
		this.all.put(thread.thread(), thread);
		return thread;
	}

	/* Record a violation that a check found after a step. */
	void violated(String what) {
		if (this.violation == null) {
			this.violation = new Violation(what);
		}
	}

	void failed(String role, Throwable cause) {
		if (!Violation.isMadeUp(cause) && this.violation == null) {
			this.violation = new Violation(role + " ended by " + cause, cause);
		}
	}

	/* Run the world until a condition is met; returns false if the time has passed. */
	boolean goOn(BooleanSupplier until, long most) {
		long end = this.now + most;
		while (true) {
			if (this.violation != null) {
				throw this.violation;
			}
			if (until.getAsBoolean()) {
				return true;
			}
			if (this.now - end > 0) {
				return false;
			}
			// A thread may already have chosen an event as the next step.
			SimulatedThread next = (this.chosen == null) ? choose() : null;
			if (next != null) {
				hand(next);
				awaitTurn();
			}
			else if (this.chosen != null) {
				runEvent();
			}
			else if (this.violation == null) {
				return until.getAsBoolean();
			}
		}
	}

	private void runEvent() {
		Event event = this.chosen;
		this.chosen = null;
		this.acting = event.machine;
		try {
			event.action.run();
		}
		catch (Throwable ex) {
			failed("an event", ex);
		}
	}

	/* Called by a thread: others may run before it continues. */
	void giveWay() {
		SimulatedThread me = this.current;
		if (me != null) {
			me.waits = false;
			pass(me);
		}
	}

	/* Called by a thread that waits: another one continues. */
	void pass(SimulatedThread me) {
		me.keepFlag();
		SimulatedThread next = choose();
		if (next != me) {
			give(next);
			me.awaitTurn();
			received();
			this.current = me;
		}
		me.restoreFlag();
	}

	/* Called by a thread whose work has ended. */
	void end(SimulatedThread me) {
		this.threads.remove(me);
		if (!me.dies) {
			this.reserve.putBack(me);
		}
		SimulatedThread next = choose();
		this.ending = me.dies ? me : null;
		give(next);
	}

	private void give(SimulatedThread next) {
		if (next == null) {
			this.current = null;
			this.turn = true;
			LockSupport.unpark(this.world);
		}
		else {
			hand(next);
		}
	}

	private void hand(SimulatedThread next) {
		this.acting = next.machine;
		this.current = next;
		next.giveTurn();
	}

	/*
	 * The thread that has given it the turn is carried until it waits for its own turn.
	 */
	private void awaitTurn() {
		this.reserve.carrier.carry();
		while (!this.turn) {
			LockSupport.park(this);
			this.reserve.carrier.carry();
		}
		this.turn = false;
		received();
	}

	/* A thread that dies has terminated before any code looks at it. */
	private void received() {
		SimulatedThread ended = this.ending;
		if (ended != null) {
			this.ending = null;
			try {
				ended.thread().join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException("interrupted without a turn", ex);
			}
		}
	}

	/* The next thread; null if the next step is an event, or if nothing can continue. */
	private SimulatedThread choose() {
		this.steps++;
		if (this.steps > MAX_STEPS) {
			violated("somebody goes on and on: " + this.threads.stream().map((thread) -> thread.role).toList());
		}
		this.checks.run();
		if (this.violation != null) {
			return null;
		}
		if (this.draw.oneIn(JITTER)) {
			long jitter = this.draw.between(0, MAX_JITTER);
			this.now += jitter;
			this.stalled += jitter;
		}
		while (true) {
			gather();
			int could = count();
			if (could > 0) {
				return pick(this.draw.below(could));
			}
			if (this.later.isEmpty()) {
				return null;
			}
			this.now = Math.max(this.now, this.later.peek().time);
		}
	}

	private void gather() {
		while (!this.later.isEmpty() && this.later.peek().time <= this.now) {
			this.due.add(this.later.poll());
		}
	}

	private int count() {
		int could = 0;
		for (SimulatedThread thread : this.threads) {
			could += couldRun(thread) ? 1 : 0;
		}
		for (Event event : this.due) {
			could += event.couldRun() ? 1 : 0;
		}
		return could;
	}

	private SimulatedThread pick(int index) {
		int left = index;
		for (SimulatedThread thread : this.threads) {
			if (couldRun(thread) && left-- == 0) {
				return thread;
			}
		}
		for (int i = 0; i < this.due.size(); i++) {
			if (this.due.get(i).couldRun() && left-- == 0) {
				this.chosen = this.due.remove(i);
				return null;
			}
		}
		throw new IllegalStateException("nobody was picked");
	}

	private static boolean couldRun(SimulatedThread thread) {
		return !thread.waits && thread.machine.runs();
	}

	/**
	 * An event that happens at some time.
	 */
	private record Event(long time, long number, Machine machine, Runnable action) implements Comparable<Event> {

		boolean couldRun() {
			return this.machine == null || this.machine.runs();
		}

		@Override
		public int compareTo(Event other) {
			int order = Long.compare(this.time, other.time);
			return (order != 0) ? order : Long.compare(this.number, other.number);
		}

	}

}
