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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that looks at the clock: it renews leases, declares holds lost, asks
 * again for those who wait, and ends waits. Runs nothing of the user's and never blocks
 * but to sleep. A platform thread: among CPU-bound virtual threads it would come late.
 */
final class Watchdog {

	private static final Logger logger = System.getLogger(Watchdog.class.getName());

	private final Threads threads;

	private final Clock clock;

	private final EngineObserver events;

	private final TimerWheel wheel;

	/** Null where turns are taken by hand. */
	private volatile @Nullable Thread thread;

	/** Of the turn under way; the thread's own. */
	private @Nullable Renewal renewals;

	/** What the turn before could not do; the thread's own. */
	private List<TimerWheel.Alarm> left = List.of();

	/** Whatever failed somewhere, to be looked after. */
	private final AtomicReference<@Nullable Steps> attended = new AtomicReference<>();

	private volatile boolean stopped;

	Watchdog(Threads threads, Clock clock, EngineObserver events) {
		this.threads = threads;
		this.clock = clock;
		this.events = events;
		this.wheel = new TimerWheel(clock.read());
	}

	void start() {
		this.thread = this.threads.start("watchdog-lock", this::run);
	}

	void stop() {
		this.stopped = true;
		wake();
	}

	void set(TimerWheel.Alarm alarm, long due) {
		if (this.wheel.set(alarm, due)) {
			wake();
		}
	}

	private void wake() {
		Thread thread = this.thread;
		if (thread != null) {
			this.threads.unpark(thread);
		}
	}

	void cancel(TimerWheel.Alarm alarm) {
		this.wheel.cancel(alarm);
	}

	int pending() {
		return this.wheel.size();
	}

	/* Send it with the others of this turn. */
	void renew(Renewal renewal) {
		renewal.others = this.renewals;
		this.renewals = renewal;
	}

	/* Look after steps or effects that have failed. */
	void attend(Steps steps) {
		Steps others;
		do {
			others = this.attended.get();
			steps.nextAttended = others;
		}
		while (!this.attended.compareAndSet(others, steps));
		wake();
	}

	private void run() {
		while (!this.stopped) {
			try {
				turn();
				this.threads.park(this, sleep());
			}
			catch (RuntimeException | Error ex) {
				// Whatever it is, the locks of all others depend on this thread.
				logger.log(Level.ERROR, "The watchdog goes on after an unexpected failure", ex);
			}
		}
	}

	/* Not for long while there is something to do: the machine may sleep meanwhile. */
	private long sleep() {
		long sleep = (this.left.isEmpty() && this.attended.get() == null) ? this.wheel.sleep(this.clock.read())
				: TimerWheel.TICK;
		return (sleep == Long.MAX_VALUE) ? sleep : Math.min(sleep, this.clock.patience());
	}

	/*
	 * Do what is due. A late turn first declares what is lost, then renews the rest.
	 */
	void turn() {
		long now = this.clock.readNoticingSleep();
		mend();
		again(now);
		List<TimerWheel.Alarm> due = this.wheel.drain(now);
		if (!ring(due, now)) {
			this.left = due;
		}
		Renewal renewals = this.renewals;
		if (renewals != null) {
			this.renewals = null;
			renewals.sendAll(this.clock.read(), this.events);
		}
	}

	private void again(long now) {
		List<TimerWheel.Alarm> left = this.left;
		if (!left.isEmpty()) {
			this.left = List.of();
			if (!ring(left, now)) {
				this.left = left;
			}
		}
	}

	/* Whether nothing is left for the next turn. */
	private boolean ring(List<TimerWheel.Alarm> due, long now) {
		boolean done = true;
		for (TimerWheel.Alarm alarm : due) {
			try {
				alarm.expire(now);
			}
			catch (Throwable ex) {
				done = false;
				tell(ex);
			}
		}
		for (TimerWheel.Alarm alarm : due) {
			try {
				alarm.proceed(now);
			}
			catch (Throwable ex) {
				done = false;
				tell(ex);
			}
		}
		return done;
	}

	private void mend() {
		Steps next = this.attended.getAndSet(null);
		while (next != null) {
			Steps steps = next;
			// Read first: it may be in the next list from here on.
			next = steps.nextAttended;
			steps.nextAttended = null;
			boolean stalled = steps.endAttention();
			try {
				if (stalled) {
					steps.run();
					stalled = false;
				}
				steps.mend();
			}
			catch (Throwable ex) {
				steps.attend(stalled);
			}
		}
	}

	private static void tell(Throwable failure) {
		try {
			logger.log(Level.ERROR, "One alarm of the watchdog failed; the others go on", failure);
		}
		catch (Throwable ex) {
			// There is nobody left to tell.
		}
	}

}
