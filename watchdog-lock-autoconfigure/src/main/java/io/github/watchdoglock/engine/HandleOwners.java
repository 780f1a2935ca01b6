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

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Who has open handles on a hold: its thread, and whoever was given a detached one.
 * Everything is part of a step of the cohort.
 * <p>
 * Extended by the hold, rather than in a field of it: a held lock would be heavier by an
 * object.
 */
abstract class HandleOwners implements Cloneable {

	/** Has the attached handles; null once there are none. */
	private @Nullable Thread thread;

	private int attached;

	/** Of the attached handles, the ones that want an interrupt when the lock is lost. */
	private int interruptible;

	/** What interrupts the thread since the lock was lost. */
	private @Nullable Interruption interruption;

	private @Nullable Detached detached;

	HandleOwners(@Nullable Thread thread) {
		this.thread = thread;
	}

	@Nullable Thread thread() {
		return this.thread;
	}

	boolean hasHandles() {
		return this.attached > 0 || this.detached != null;
	}

	void add(Handle handle) {
		if (handle.isAttached()) {
			this.attached++;
			this.interruptible += wantsInterrupt(handle) ? 1 : 0;
		}
		else {
			this.detached = new Detached(handle, this.detached);
		}
	}

	void remove(Handle handle) {
		if (handle.isAttached()) {
			detach(handle);
		}
		else {
			this.detached = without(handle, this.detached);
		}
	}

	/* It no longer belongs to the thread. */
	private void detach(Handle handle) {
		if (wantsInterrupt(handle)) {
			this.interruptible--;
		}
		if (--this.attached == 0) {
			this.thread = null;
			left();
		}
	}

	/* It belongs to no thread any more. */
	abstract void left();

	/* From now on it belongs to no thread. */
	void moveToNone(Handle handle) {
		this.detached = new Detached(handle, this.detached);
		detach(handle);
	}

	/*
	 * Not within a step: the work of the thread that has wanted an interrupt is over, and
	 * none reaches what it does next.
	 */
	void endInterrupt() {
		Interruption interruption = this.interruption;
		if (interruption != null && this.interruptible == 0) {
			interruption.end();
		}
	}

	/* By its thread: an interrupt that has been sent to it, or is about to be. */
	boolean takeInterrupt() {
		Interruption interruption = this.interruption;
		return interruption != null && interruption.end();
	}

	boolean wantsInterrupt() {
		return this.thread != null && this.interruptible > 0;
	}

	/* What interrupts the thread, if one of its handles wants that. */
	@Nullable Runnable beginInterrupt(Threads threads) {
		if (this.thread != null && wantsInterrupt()) {
			this.interruption = new Interruption(this.thread, threads);
		}
		return this.interruption;
	}

	/* What it was before. */
	void revert(HandleOwners before) {
		this.thread = before.thread;
		this.attached = before.attached;
		this.interruptible = before.interruptible;
		this.interruption = before.interruption;
		this.detached = before.detached;
	}

	/* Whether nobody is left who could close the hold. */
	boolean isAbandoned() {
		this.detached = without(null, this.detached);
		return this.detached == null && (this.thread == null || !this.thread.isAlive());
	}

	/* What the thread does at the moment; takes a while. */
	static List<StackTraceElement> stack(@Nullable Thread thread) {
		return (thread != null) ? List.of(thread.getStackTrace()) : List.of();
	}

	private static boolean wantsInterrupt(Handle handle) {
		return handle.onLoss() == OnLoss.INTERRUPT;
	}

	/* A list without a handle, and without those that were collected; none is changed. */
	private static @Nullable Detached without(@Nullable Handle handle, @Nullable Detached list) {
		boolean any = false;
		for (Detached entry = list; entry != null && !any; entry = entry.next) {
			any = entry.isOver(handle);
		}
		if (!any) {
			return list;
		}
		Detached rest = null;
		for (Detached entry = list; entry != null; entry = entry.next) {
			Handle other = entry.get();
			if (other != null && other != handle) {
				rest = new Detached(other, rest);
			}
		}
		return rest;
	}

	/**
	 * A handle that belongs to no thread, and may be collected unclosed.
	 */
	private static final class Detached extends WeakReference<Handle> {

		private final @Nullable Detached next;

		private Detached(Handle handle, @Nullable Detached next) {
			super(handle);
			this.next = next;
		}

		private boolean isOver(@Nullable Handle handle) {
			return refersTo(null) || refersTo(handle);
		}

	}

	/**
	 * An interrupt of a thread whose lock was lost. It may block, as where that closes a
	 * channel, so it is sent by a thread that nobody depends on. Once its end was asked
	 * for, the thread is interrupted no more. Thread-safe.
	 */
	private static final class Interruption implements Runnable {

		private static final long LOOK = TimeUnit.MICROSECONDS.toNanos(100);

		private static final long MOST_WAITING = TimeUnit.SECONDS.toNanos(1);

		private final Thread thread;

		private final Threads threads;

		private final AtomicReference<State> state = new AtomicReference<>(State.DUE);

		/** Whether it has set the flag of the thread; written before the state. */
		private boolean flagged;

		Interruption(Thread thread, Threads threads) {
			this.thread = thread;
			this.threads = threads;
		}

		@Override
		public void run() {
			if (this.state.compareAndSet(State.DUE, State.SENDING)) {
				try {
					// One that was interrupted before is to see that when this is over.
					this.flagged = !this.threads.isInterrupted(this.thread);
					this.threads.interrupt(this.thread);
				}
				finally {
					this.state.set(State.SENT);
				}
			}
		}

		/*
		 * It is not sent from now on; where it was, and this is its thread, the flag is
		 * as it was before. Answers whether that has taken something back.
		 */
		boolean end() {
			if (this.state.compareAndSet(State.DUE, State.ENDED)) {
				return true;
			}
			// To others the end of that is nothing to wait for: it may block.
			if (this.thread != Thread.currentThread()) {
				return false;
			}
			// Short, since it gets out of what an interrupt closes when that is closed;
			// but a thread may bring an interrupt of its own that waits for this one.
			long end = this.threads.elapsed() + MOST_WAITING;
			boolean interrupted = false;
			while (this.state.get() == State.SENDING && this.threads.elapsed() - end < 0) {
				// It would not sleep with its flag set.
				interrupted |= Thread.interrupted();
				this.threads.park(this, LOOK);
			}
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
			return this.state.compareAndSet(State.SENT, State.ENDED) && this.flagged && Thread.interrupted();
		}

		private enum State {

			DUE, SENDING, SENT, ENDED

		}

	}

}
