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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.text.DurationText;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.TimerWheel;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The thread that notices that time has passed: it renews leases, declares holds lost,
 * asks again for waiting callers, ends waits, and repeats failed releases. It runs no
 * user code, and never blocks except to sleep. It is a platform thread, because a virtual
 * thread would be late among CPU-bound virtual threads.
 */
final class Watchdog {

	private static final Log logger = LogFactory.getLog(Watchdog.class);

	private static final long NEVER = Long.MAX_VALUE;

	private static final long A_SECOND = TimeUnit.SECONDS.toNanos(1);

	/*
	 * So many alarms are fired before the renewals of their keys are sent. If many leases
	 * are due together, their state is still in the processor's cache.
	 */
	private static final int ALARMS_IN_A_ROW = 500;

	/* The pause between turns that fail. */
	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

	/*
	 * So many alarms on their way wake the watchdog, which then removes those of short
	 * locks.
	 */
	private static final int WAKE_THRESHOLD = 8_192;

	/*
	 * Only if the watchdog is late are so many alarms on their way: then callers remove
	 * those that are not needed any more.
	 */
	private static final int CLEANUP_THRESHOLD = 8 * WAKE_THRESHOLD;

	private final Threads threads;

	private final Clock clock;

	private final TimerWheel<Alarm> wheel;

	/** Alarms on their way to the watchdog, the last one first. */
	private final AtomicReference<@Nullable Alarm> inbox = new AtomicReference<>();

	/** Their approximate number. */
	private int sent;

	/**
	 * Alarms that the turn has not put into the wheel yet; used by the watchdog's thread
	 * only.
	 */
	private @Nullable Alarm received;

	/** Alarms that the turn has not fired yet; used by the watchdog's thread only. */
	private final List<Alarm> due = new ArrayList<>();

	/** The renewals of the turn, the last one first. */
	private final AtomicReference<@Nullable RenewCall> renewals = new AtomicReference<>();

	/** Null if turns are taken by hand. */
	private volatile @Nullable Thread thread;

	/** When the thread will look next, on the clock. */
	private volatile long wakeAt = NEVER;

	/**
	 * Whether there are keys in which something has failed, and which have to be
	 * continued.
	 */
	private volatile boolean called;

	private final Lateness lateness;

	/** Continues the keys in which something has failed. */
	private volatile Runnable resumeAction = () -> {
	};

	private volatile boolean stopped;

	private volatile BooleanSupplier needed = () -> true;

	/** Whether the thread has ended, whether or not it was stopped. */
	private final AtomicBoolean ended = new AtomicBoolean();

	private final AtomicBoolean reporting = new AtomicBoolean();

	/** When the last report was made. */
	private volatile long reported;

	Watchdog(Threads threads, Clock clock, long maxDelay) {
		this.threads = threads;
		this.clock = clock;
		this.lateness = new Lateness(threads, maxDelay);
		this.reported = threads.elapsed() - A_SECOND;
		this.wheel = new TimerWheel<>(clock.read());
	}

	void onCall(Runnable resumeAction) {
		this.resumeAction = resumeAction;
	}

	/* If this fails, the next alarm starts the thread. */
	void start() {
		try {
			this.thread = this.threads.start("watchdog-lock", this::run);
		}
		catch (Throwable ex) {
			this.ended.set(true);
			throw ex;
		}
	}

	/* The thread ends when no key needs it any more. */
	void stop(BooleanSupplier needed) {
		this.needed = needed;
		this.stopped = true;
		wake();
	}

	/*
	 * Change when an alarm is due; called by one thread at a time for each alarm. The
	 * watchdog notices this later, unless it would sleep for too long.
	 */
	void set(Alarm alarm, long due) {
		if (!alarm.move(due)) {
			return;
		}
		if (Thread.currentThread() == this.thread && alarm.linkUnlessSent(this.wheel)) {
			return;
		}
		if (alarm.send(this.inbox)) {
			this.sent++;
			if (this.sent > CLEANUP_THRESHOLD) {
				this.sent = 0;
				removeObsolete();
			}
		}
		if (Alarm.isBefore(due, this.wakeAt) || this.sent % WAKE_THRESHOLD == 0) {
			if (this.thread != null) {
				this.lateness.expectWithin(due - this.clock.read());
			}
			wake();
		}
		detectDelay();
	}

	/*
	 * Called by any thread: remove alarms that are not needed any more, so that alarms of
	 * short locks do not accumulate while the watchdog is late.
	 */
	private void removeObsolete() {
		Alarm alarm = this.inbox.getAndSet(null);
		while (alarm != null) {
			Alarm next = alarm.nextSent;
			alarm.nextSent = null;
			if (!alarm.isObsolete()) {
				sendAgain(alarm);
			}
			alarm = next;
		}
		// The watchdog may have looked meanwhile, and seen none of these alarms.
		wake();
	}

	/* Send an alarm that was sent before, and is in no list any more. */
	private void sendAgain(Alarm alarm) {
		alarm.sent = 0;
		var unused = alarm.send(this.inbox);
	}

	void setIn(Alarm alarm, long nanos) {
		set(alarm, this.clock.read() + nanos);
	}

	private void wake() {
		Thread thread = this.thread;
		if (thread != null) {
			this.threads.unpark(thread);
		}
	}

	/* Send a renewal with the others of this turn, or soon. */
	void renew(RenewCall renewal) {
		RenewCall before;
		do {
			before = this.renewals.get();
			renewal.nextInTurn = before;
		}
		while (!this.renewals.compareAndSet(before, renewal));
		if (this.thread != Thread.currentThread()) {
			wake();
		}
	}

	/*
	 * Let the watchdog continue the keys in which something has failed. Allocates
	 * nothing.
	 */
	void call() {
		this.called = true;
		if (this.thread != Thread.currentThread()) {
			wake();
		}
		if (this.ended.get()) {
			restart();
		}
	}

	/* How long a turn has been due, or has lasted. */
	Duration delay() {
		detectDelay();
		return this.lateness.delay();
	}

	/*
	 * Any thread may notice that the watchdog is late, or has ended; no thread waits for
	 * it.
	 */
	private void detectDelay() {
		if (this.ended.get()) {
			restart();
		}
		long delay = this.lateness.detect();
		if (delay > 0) {
			reportDelay(Duration.ofNanos(delay));
		}
	}

	private void reportDelay(Duration delay) {
		Thread thread = this.thread;
		log("watchdog-lock-silence", () -> {
			Throwable stack = new IllegalStateException("This is the stack of the watchdog");
			stack.setStackTrace((thread != null) ? thread.getStackTrace() : new StackTraceElement[0]);
			logger.error("The watchdog is " + DurationText.of(delay) + " late. As long as this"
					+ " lasts, locks are not renewed and will be lost. Its stack:", stack);
		}, this.lateness.reported());
	}

	private void restart() {
		if (this.ended.compareAndSet(true, false)) {
			try {
				this.thread = this.threads.start("watchdog-lock", () -> {
					if (!this.stopped) {
						log("watchdog-lock-report",
								() -> logger.error("The watchdog had ended, and continues with another thread"),
								this.reporting);
					}
					run();
				});
			}
			catch (Throwable ex) {
				// The next caller tries again.
				this.ended.set(true);
			}
		}
	}

	/*
	 * The loop continues after any exception or error, because the locks of all callers
	 * depend on this thread.
	 */
	@SuppressWarnings("ThreadPriorityCheck")
	private void run() {
		boolean over = false;
		try {
			Thread.currentThread().setPriority(Thread.MAX_PRIORITY);
			while (!over) {
				try {
					over = runOnce();
				}
				catch (Throwable ex) {
					recover(ex);
				}
			}
		}
		finally {
			// If this thread has ended as intended, another one may have been started
			// already.
			if (!over) {
				end();
				restart();
			}
		}
	}

	private void recover(Throwable failure) {
		report("The watchdog continues after an unexpected failure", failure);
		var unused = Thread.interrupted();
		this.threads.park(this, PAUSE);
	}

	private void end() {
		this.lateness.ends();
		this.ended.set(true);
	}

	private boolean canEnd() {
		return this.stopped && !this.called && !this.needed.getAsBoolean();
	}

	/* Take a turn, and sleep. Return whether the thread can end. */
	private boolean runOnce() {
		this.lateness.turnBegins();
		turn();
		if (canEnd()) {
			end();
			// Guard against a race with a caller that has set an alarm and has not seen
			// that the thread ends.
			return canEnd() || !this.ended.compareAndSet(true, false);
		}
		// With its flag set, the thread would not park, and this loop would spin.
		var unused = Thread.interrupted();
		sleep();
		return false;
	}

	/*
	 * The thread does not sleep for long while an alarm is set, because the machine may
	 * sleep meanwhile. Once it is stopped, it checks in each tick whether it can end.
	 */
	private void sleep() {
		long now = this.clock.read();
		long next = this.stopped ? now + TimerWheel.TICK : this.wheel.next();
		// First, because a thread that sends an alarm from now on compares it with this
		// time.
		this.wakeAt = next;
		if (this.inbox.get() != null || this.renewals.get() != null || this.called) {
			receive();
			next = Alarm.earlier(next, this.wheel.next());
			this.wakeAt = next;
			if (this.renewals.get() != null) {
				return;
			}
			if (this.called) {
				// A key has failed in this turn. A call by another thread ends the pause.
				next = Alarm.earlier(next, now + PAUSE);
			}
		}
		long sleep = (next == NEVER) ? NEVER : Math.min(next - now, this.clock.maxCheckInterval());
		this.lateness.sleepBegins(sleep);
		if (sleep > 0) {
			this.threads.park(this, sleep);
		}
	}

	/*
	 * Do what is due: declare losses, and send renewals. Alarms that a failed turn has
	 * not fired are fired by the next one.
	 */
	void turn() {
		long now = this.clock.readNoticingSleep();
		resumeStalled();
		receive();
		this.wheel.drain(now, this.due);
		for (int i = 0; i < this.due.size(); i++) {
			if (i % ALARMS_IN_A_ROW == 0) {
				sendRenewals();
			}
			fire(this.due.get(i), now);
		}
		this.due.clear();
		sendRenewals();
	}

	private void sendRenewals() {
		RenewCall renewals = this.renewals.getAndSet(null);
		if (renewals != null) {
			renewals.sendAll();
		}
	}

	private void resumeStalled() {
		if (this.called) {
			this.called = false;
			try {
				this.resumeAction.run();
			}
			catch (Throwable ex) {
				this.called = true;
				throw ex;
			}
		}
	}

	/* If this fails, the rest is received by the next turn. */
	private void receive() {
		this.sent = 0;
		if (this.received == null) {
			this.received = this.inbox.getAndSet(null);
		}
		Alarm alarm = this.received;
		while (alarm != null) {
			this.received = alarm.nextSent;
			try {
				alarm.received(this.wheel);
			}
			catch (Throwable ex) {
				sendAgain(alarm);
				throw ex;
			}
			alarm = this.received;
		}
	}

	/* An alarm that fails is fired again in the next turn. */
	private void fire(Alarm alarm, long now) {
		try {
			alarm.drained(this.wheel, now);
		}
		catch (Throwable ex) {
			alarm.known = NEVER;
			set(alarm, now);
			report("One alarm of the watchdog failed; the others continue", ex);
		}
	}

	/*
	 * One report at a time, and at most one per second, because a failure may repeat in
	 * each turn.
	 */
	private void report(String what, Throwable cause) {
		long now = this.threads.elapsed();
		if (now - this.reported >= A_SECOND && this.reporting.compareAndSet(false, true)) {
			this.reported = now;
			log("watchdog-lock-report", () -> {
				try {
					logger.error(what, cause);
				}
				catch (Throwable ex) {
					logger.error(what + ", with a " + cause.getClass().getName() + " that cannot be logged");
				}
				finally {
					this.reporting.set(false);
				}
			}, this.reporting);
		}
	}

	/*
	 * Log on a separate thread, because a log may block. If no thread can be started, the
	 * next report tries again.
	 */
	private void log(String name, Runnable work, AtomicBoolean begun) {
		try {
			this.threads.start(name, work);
		}
		catch (Throwable ex) {
			begun.set(false);
		}
	}

}
