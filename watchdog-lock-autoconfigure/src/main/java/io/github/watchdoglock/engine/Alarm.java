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

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * An alarm that the watchdog fires. Threads set it through {@link Watchdog#set}, one at a
 * time; only the watchdog keeps it in its wheel.
 */
abstract class Alarm extends TimerWheel.Entry {

	/** The due time of an alarm that is not set. */
	static final long NEVER = Long.MAX_VALUE;

	private static final AtomicIntegerFieldUpdater<Alarm> SENT = AtomicIntegerFieldUpdater.newUpdater(Alarm.class,
			"sent");

	private static final AtomicLongFieldUpdater<Alarm> DUE = AtomicLongFieldUpdater.newUpdater(Alarm.class, "due");

	/** When it is due, on the clock. */
	private volatile long due = NEVER;

	/** When the watchdog will look at it; written by the watchdog. */
	volatile long known = NEVER;

	/** 1 while it is on its way to the watchdog, otherwise 0. */
	volatile int sent;

	/* The next alarm in the list of alarms on their way. */
	@Nullable Alarm nextSent;

	/* Return the earlier of two times. */
	static long earlier(long one, long other) {
		return isBefore(one, other) ? one : other;
	}

	static boolean isBefore(long one, long other) {
		return one != NEVER && (other == NEVER || one - other < 0);
	}

	/*
	 * Change its due time. Return whether the watchdog has to be notified. This is not
	 * necessary if the alarm becomes due later: the watchdog looks at the alarm at the
	 * former time, and finds the new one.
	 */
	boolean move(long due) {
		if (this.due != due) {
			this.due = due;
		}
		return isBefore(due, this.known);
	}

	boolean isSet() {
		return this.due != NEVER;
	}

	/* Whether it will never be set again. */
	boolean isObsolete() {
		return false;
	}

	/*
	 * Send it to the watchdog, unless it is on its way. Return whether it was sent. This
	 * is one method, because no call may fail between marking the alarm as sent and
	 * adding it to the list.
	 */
	boolean send(AtomicReference<@Nullable Alarm> inbox) {
		if (this.sent != 0 || !SENT.compareAndSet(this, 0, 1)) {
			return false;
		}
		Alarm before;
		do {
			before = inbox.get();
			this.nextSent = before;
		}
		while (!inbox.compareAndSet(before, this));
		return true;
	}

	/*
	 * Called by the watchdog: put it into the wheel. A thread that changes it from now on
	 * sends it again.
	 */
	void received(TimerWheel<Alarm> wheel) {
		long linked;
		do {
			linked = this.due;
			link(wheel);
			this.nextSent = null;
			this.sent = 0;
		}
		// Guard against a race with a thread that changes it and does not send it,
		// because it found it on its way.
		while (this.due != linked && SENT.compareAndSet(this, 0, 1));
	}

	/*
	 * Called by the watchdog when it sets the alarm itself: put it into the wheel at
	 * once, unless it is on its way. Return whether that was done.
	 */
	boolean linkUnlessSent(TimerWheel<Alarm> wheel) {
		if (this.sent != 0) {
			return false;
		}
		link(wheel);
		return true;
	}

	private void link(TimerWheel<Alarm> wheel) {
		long due = this.due;
		if (due == NEVER) {
			wheel.cancel(this);
		}
		else {
			wheel.set(this, due);
		}
		this.known = due;
	}

	/* Called by the watchdog, after the wheel has removed it. */
	void drained(TimerWheel<Alarm> wheel, long now) {
		// First, so that a thread that sets it from now on sends it.
		this.known = NEVER;
		long due = this.due;
		if (due != NEVER && due - now > 0) {
			link(wheel);
		}
		else if (due != NEVER && DUE.compareAndSet(this, due, NEVER)) {
			fire(now);
		}
	}

	/* Called on the watchdog's thread: it must neither block nor call user code. */
	abstract void fire(long now);

}
