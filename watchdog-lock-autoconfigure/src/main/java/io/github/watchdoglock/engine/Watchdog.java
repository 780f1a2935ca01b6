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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that looks at the clock: it renews leases, declares holds lost, asks
 * again for those who wait, ends waits, and repeats releases that failed. Runs nothing of
 * the user's and never blocks but to sleep. A platform thread: among CPU-bound virtual
 * threads it would come late.
 */
final class Watchdog {

	private static final Logger logger = System.getLogger(Watchdog.class.getName());

	private static final long NEVER = Long.MAX_VALUE;

	/* Time to run for a thread of a process that stood still. */
	private static final long GRACE = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long A_SECOND = TimeUnit.SECONDS.toNanos(1);

	/* Between turns that fail. */
	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

	private final Threads threads;

	private final Clock clock;

	private final EngineObserver events;

	private final TimerWheel wheel;

	/** Null where turns are taken by hand. */
	private volatile @Nullable Thread thread;

	/** Of the turn under way; the thread's own. */
	private @Nullable Renewal renewals;

	/** What has not been done yet of what is due; the thread's own. */
	private List<TimerWheel.Alarm> left = List.of();

	/** Whatever failed somewhere, to be looked after. */
	private final AtomicReference<@Nullable Steps> attended = new AtomicReference<>();

	private final long patience;

	private volatile boolean stopped;

	private volatile BooleanSupplier needed = () -> true;

	/** Whether the thread has ended, stopped or not. */
	private final AtomicBoolean ended = new AtomicBoolean();

	/*
	 * Until when the thread sleeps, or since when it takes its turn, by what threads wait
	 * by: the sleep of the machine makes nobody late.
	 */
	private volatile long expected = NEVER;

	/** When somebody first saw that it is late. */
	private volatile long noticed = NEVER;

	private final AtomicBoolean told = new AtomicBoolean();

	private final AtomicBoolean reporting = new AtomicBoolean();

	/** When the last report was made. */
	private volatile long reported;

	/*
	 * Who does not come for longer than the patience is told of, once each time.
	 */
	Watchdog(Threads threads, Clock clock, EngineObserver events, long patience) {
		this.threads = threads;
		this.clock = clock;
		this.events = events;
		this.patience = patience;
		this.reported = threads.elapsed() - A_SECOND;
		this.wheel = new TimerWheel(clock.read());
	}

	void start() {
		this.thread = this.threads.start("watchdog-lock", this::run);
	}

	/* It ends when nothing is left that it could do, and nobody may need it any more. */
	void stop(BooleanSupplier needed) {
		this.needed = needed;
		this.stopped = true;
		wake();
	}

	/* Whether what is set now will ring, as far as that can be known. */
	boolean isThere() {
		return !this.ended.get();
	}

	void set(TimerWheel.Alarm alarm, long due) {
		if (this.wheel.set(alarm, due)) {
			expectBy(due);
			wake();
		}
		look();
	}

	void setIn(TimerWheel.Alarm alarm, long nanos) {
		set(alarm, this.clock.read() + nanos);
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

	/*
	 * Look after steps or effects that have failed. Where it throws, they are not in the
	 * list; in that, the next turn finds them, also where the thread could not be woken.
	 */
	void attend(Steps steps) {
		Steps others;
		do {
			others = this.attended.get();
			steps.nextAttended = others;
		}
		while (!this.attended.compareAndSet(others, steps));
		try {
			wake();
			if (this.ended.get()) {
				restart();
			}
		}
		catch (Throwable ex) {
			// Whoever sets an alarm looks whether the thread is there.
		}
	}

	/* How long a turn has been due, or has lasted. */
	Duration silence() {
		look();
		long expected = this.expected;
		return (expected != NEVER) ? Duration.ofNanos(Math.max(this.threads.elapsed() - expected, 0)) : Duration.ZERO;
	}

	/*
	 * Guard against the thread writing at the same moment: it has been woken then, or
	 * takes its turn, and writes again.
	 */
	private void expectBy(long due) {
		if (this.thread != null) {
			long by = this.threads.elapsed() + Math.max(due - this.clock.read(), 0);
			long expected = this.expected;
			if (expected == NEVER || by - expected < 0) {
				this.expected = by;
			}
		}
	}

	/* Anybody may see that the thread does not come, or has gone; none waits for that. */
	private void look() {
		if (this.ended.get()) {
			restart();
		}
		long expected = this.expected;
		if (expected == NEVER) {
			return;
		}
		long now = this.threads.elapsed();
		if (now - expected > this.patience) {
			long noticed = this.noticed;
			if (noticed == NEVER) {
				this.noticed = now;
			}
			else if (now - noticed > GRACE && this.told.compareAndSet(false, true)) {
				tell(now - expected);
			}
		}
	}

	/* On a thread of its own: who looks may be within a step. */
	private void tell(long silent) {
		Thread thread = this.thread;
		try {
			this.threads.start("watchdog-lock-silence", () -> {
				Throwable stack = new IllegalStateException("This is where the watchdog is");
				stack.setStackTrace((thread != null) ? thread.getStackTrace() : new StackTraceElement[0]);
				logger.log(Level.ERROR, "The watchdog has not looked at its locks for " + Duration.ofNanos(silent)
						+ " though it was time: what is held is not renewed, and will be lost", stack);
			});
		}
		catch (Throwable ex) {
			// The next one tries.
			this.told.set(false);
		}
	}

	private void restart() {
		if (this.ended.compareAndSet(true, false)) {
			try {
				this.thread = this.threads.start("watchdog-lock", () -> {
					if (!this.stopped) {
						log("The watchdog had ended, and goes on with another thread", null, () -> {
						});
					}
					run();
				});
			}
			catch (Throwable ex) {
				// The next one tries.
				this.ended.set(true);
			}
		}
	}

	/* Whatever is thrown, the locks of all others depend on this thread. */
	@SuppressWarnings("ThreadPriorityCheck")
	private void run() {
		boolean over = false;
		try {
			// Not for the scheduler, but for the locks that it shares with all callers:
			// see SpinLock
			Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
			while (!over) {
				try {
					over = runOnce();
				}
				catch (Throwable ex) {
					try {
						recover(ex);
					}
					catch (VirtualMachineError again) {
						// It takes its next turn at once.
					}
				}
			}
		}
		finally {
			// Another thread may be there where this one has ended well.
			if (!over) {
				end();
				restart();
			}
		}
	}

	private void recover(Throwable failure) {
		report("The watchdog goes on after an unexpected failure", failure);
		var unused = Thread.interrupted();
		this.threads.park(this, PAUSE);
	}

	private void end() {
		this.expected = NEVER;
		this.ended.set(true);
	}

	/* Guard against who has set an alarm, and has not seen the end yet. */
	private boolean goesOnAfterAll() {
		boolean over = false;
		try {
			over = isOver();
		}
		catch (VirtualMachineError ex) {
			// It looks again.
		}
		// Unless somebody has, and another thread goes on.
		return !over && this.ended.compareAndSet(true, false);
	}

	private boolean isOver() {
		return this.stopped && this.left.isEmpty() && this.attended.get() == null && this.wheel.size() == 0
				&& !this.needed.getAsBoolean();
	}

	/* Take a turn, and sleep; answers whether there is nothing left to do for ever. */
	private boolean runOnce() {
		this.expected = this.threads.elapsed();
		if (this.noticed != NEVER) {
			this.noticed = NEVER;
			this.told.set(false);
		}
		turn();
		if (isOver()) {
			end();
			return !goesOnAfterAll();
		}
		// Left over, it would have this spin.
		var unused = Thread.interrupted();
		long sleep = sleep();
		this.expected = (sleep == Long.MAX_VALUE) ? NEVER : this.threads.elapsed() + sleep;
		this.threads.park(this, sleep);
		return false;
	}

	/* One at a time, and one a second: what fails may fail in each turn. Never throws. */
	private void report(String what, Throwable cause) {
		try {
			long now = this.threads.elapsed();
			if (now - this.reported >= A_SECOND && this.reporting.compareAndSet(false, true)) {
				this.reported = now;
				log(what, cause, () -> this.reporting.set(false));
			}
		}
		catch (Throwable ex) {
			// The next one tries.
			this.reporting.set(false);
		}
	}

	/* On a thread of its own, since a log may block. */
	private void log(String what, @Nullable Throwable cause, Runnable afterwards) {
		try {
			this.threads.start("watchdog-lock-report", () -> {
				try {
					logger.log(Level.ERROR, what, cause);
				}
				catch (Throwable ex) {
					// There is nobody left to tell.
				}
				finally {
					afterwards.run();
				}
			});
		}
		catch (Throwable ex) {
			// The next one tries.
			afterwards.run();
		}
	}

	/*
	 * Not for long while there is something to do: the machine may sleep meanwhile. Once
	 * it is stopped, it looks whether that is all.
	 */
	private long sleep() {
		long sleep = (!this.stopped && this.left.isEmpty() && this.attended.get() == null)
				? this.wheel.sleep(this.clock.read()) : TimerWheel.TICK;
		return (sleep == Long.MAX_VALUE) ? sleep : Math.min(sleep, this.clock.patience());
	}

	/*
	 * Do what is due. A late turn first declares what is lost, then renews the rest.
	 */
	void turn() {
		long now = this.clock.readNoticingSleep();
		mend();
		if (this.left.isEmpty()) {
			// A list does not get shorter.
			this.left = new ArrayList<>();
		}
		try {
			this.wheel.drain(now, this.left);
		}
		finally {
			// Where the list can't grow, at least what is in it: that makes room.
			ring(this.left, now);
			sendRenewals();
		}
	}

	private void sendRenewals() {
		Renewal renewals = this.renewals;
		if (renewals != null) {
			long begun = this.clock.read();
			this.renewals = null;
			renewals.sendAll(begun, this.events);
		}
	}

	/* What fails is rung again in the next turn. */
	private void ring(List<TimerWheel.Alarm> due, long now) {
		int failed = 0;
		for (int i = 0; i < due.size(); i++) {
			TimerWheel.Alarm alarm = due.get(i);
			try {
				alarm.expire(now);
			}
			catch (Throwable ex) {
				due.set(i, due.get(failed));
				due.set(failed++, alarm);
				report("One alarm of the watchdog failed; the others go on", ex);
			}
		}
		for (int i = failed; i < due.size(); i++) {
			TimerWheel.Alarm alarm = due.get(i);
			try {
				alarm.proceed(now);
			}
			catch (Throwable ex) {
				due.set(failed++, alarm);
				report("One alarm of the watchdog failed; the others go on", ex);
			}
		}
		while (due.size() > failed) {
			due.remove(due.size() - 1);
		}
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

}
