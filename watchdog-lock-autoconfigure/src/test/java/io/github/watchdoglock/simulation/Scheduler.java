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
 * Virtual time, and who comes next: of all threads that could go on and all events that
 * are due, one is drawn. Events are what the network, the server and fate do; they run on
 * the thread that plays the world, which has the turn at first. Whoever has the turn may
 * touch everything here.
 */
final class Scheduler {

	private static final long LONGEST_JITTER = TimeUnit.MICROSECONDS.toNanos(500);

	private static final int JITTER = 24;

	private static final long MOST_STEPS = 100_000;

	private final Draw draw;

	private final Reserve reserve;

	private final PriorityQueue<Event> later = new PriorityQueue<>();

	private final List<Event> due = new ArrayList<>();

	final List<SimulatedThread> threads = new ArrayList<>();

	/** Those that have ended, too. */
	private final Map<Thread, SimulatedThread> all = new HashMap<>();

	private final Thread world = Thread.currentThread();

	private volatile boolean turn;

	/** Whose step the last one was; null for one of nobody's. */
	Machine acting;

	/** Null while the world has the turn. */
	private SimulatedThread current;

	private Event chosen;

	private SimulatedThread ending;

	private Violation violation;

	private long events;

	/** True time, in nanoseconds. */
	long now;

	/** How much of it has passed though somebody could have gone on. */
	long stalled;

	long steps;

	/** Looks at the world after each step. */
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

	/* Not before so much true time has passed, and when the machine runs. */
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

	/* What somebody sees who looks after a step. */
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

	/* Let the world go on until something has come about; false if time is over. */
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
			// A thread may have found that an event comes next.
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

	/* By a thread: others may go on before it does. */
	void giveWay() {
		SimulatedThread me = this.current;
		if (me != null) {
			me.waits = false;
			pass(me);
		}
	}

	/* By a thread that waits: somebody else goes on. */
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

	/* By a thread whose work is over. */
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

	/* Whoever has given it the turn is carried until it waits for its own. */
	private void awaitTurn() {
		this.reserve.carrier.carry();
		while (!this.turn) {
			LockSupport.park(this);
			this.reserve.carrier.carry();
		}
		this.turn = false;
		received();
	}

	/* One that dies is dead when anybody looks at it. */
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

	/* The next thread; null if an event comes next, or nothing ever will. */
	private SimulatedThread choose() {
		this.steps++;
		if (this.steps > MOST_STEPS) {
			violated("somebody goes on and on: " + this.threads.stream().map((thread) -> thread.role).toList());
		}
		this.checks.run();
		if (this.violation != null) {
			return null;
		}
		if (this.draw.oneIn(JITTER)) {
			long jitter = this.draw.between(0, LONGEST_JITTER);
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
	 * Something that happens once time has come.
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
