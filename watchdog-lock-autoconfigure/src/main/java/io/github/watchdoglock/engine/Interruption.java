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
 * An interrupt of a thread whose lock was lost. Sending it may block, for example if it
 * closes a channel, so it is sent by a thread that no other work depends on. After its
 * end was requested, the thread is not interrupted any more. Thread-safe.
 */
final class Interruption implements Runnable {

	private static final long POLL_INTERVAL = TimeUnit.MICROSECONDS.toNanos(100);

	private static final long MAX_WAIT = TimeUnit.SECONDS.toNanos(1);

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
				// A thread that was interrupted before must still see that interrupt when
				// this one ends. The flag is checked twice, because a mailbox may hide it
				// and restore it between the checks.
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
	 * End it: it is not sent from now on. If it was sent, and this is its thread, the
	 * flag becomes what it was before. Return whether an interrupt was taken back.
	 */
	boolean end() {
		if (this.state.compareAndSet(State.DUE, State.ENDED)) {
			return true;
		}
		// Other threads do not wait until it was sent, because sending may block.
		if (this.thread != Thread.currentThread()) {
			return false;
		}
		// The wait is short, because an interrupt returns from closing a channel when
		// that is closed. It is limited, because a thread may have its own interrupt
		// method, which waits for this thread.
		long end = this.threads.elapsed() + MAX_WAIT;
		boolean interrupted = false;
		while (this.state.get() == State.SENDING && this.threads.elapsed() - end < 0) {
			// With its flag set, the thread would not park.
			interrupted |= Thread.interrupted();
			this.threads.park(this, POLL_INTERVAL);
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
