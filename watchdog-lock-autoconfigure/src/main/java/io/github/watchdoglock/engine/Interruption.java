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

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.github.watchdoglock.time.Threads;

/**
 * An interrupt of a thread whose lock was lost. It may block, for example if it closes a
 * channel, so a thread sends it that no other one depends on. After its end was requested
 * the thread is not interrupted any more. Thread-safe.
 */
final class Interruption implements Runnable {

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
				// A thread that was interrupted before is to see that when this is over.
				// Between the two looks it may be hidden, and come back.
				this.flagged = !this.threads.isInterrupted(this.thread) && !Mailbox.hidesInterrupt(this.thread)
						&& !this.threads.isInterrupted(this.thread);
				this.threads.interrupt(this.thread);
			}
			finally {
				this.state.set(State.SENT);
			}
		}
	}

	/*
	 * It is not sent from now on; if it was, and this is its thread, the flag becomes
	 * what it was before. Return whether that has taken an interrupt back.
	 */
	boolean end() {
		if (this.state.compareAndSet(State.DUE, State.ENDED)) {
			return true;
		}
		// Other threads do not wait for the end of that: it may block.
		if (this.thread != Thread.currentThread()) {
			return false;
		}
		// Short, since an interrupt returns from what it closes when that is closed; but
		// a thread may bring an interrupt of its own that waits for this one.
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
