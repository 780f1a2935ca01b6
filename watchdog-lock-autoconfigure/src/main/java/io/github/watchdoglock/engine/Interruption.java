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

import java.util.concurrent.atomic.AtomicReference;

/**
 * An interrupt of a thread whose lock was lost. It may block, as where that closes a
 * channel, so it is sent by a thread that nobody depends on. Once its end was asked for,
 * the thread is interrupted no more. Thread-safe.
 */
final class Interruption implements Runnable {

	private final Thread thread;

	private final AtomicReference<State> state = new AtomicReference<>(State.DUE);

	/** Whether it has set the flag of the thread; written before the state. */
	private boolean flagged;

	Interruption(Thread thread) {
		this.thread = thread;
	}

	@Override
	public void run() {
		if (this.state.compareAndSet(State.DUE, State.SENDING)) {
			try {
				// One that was interrupted before is to see that when this is over.
				this.flagged = !this.thread.isInterrupted();
				this.thread.interrupt();
			}
			finally {
				this.state.set(State.SENT);
			}
		}
	}

	/*
	 * It is not sent from now on; where it was, and this is its thread, the flag is as it
	 * was before. Answers whether that has taken something back.
	 */
	boolean end() {
		if (this.state.compareAndSet(State.DUE, State.ENDED)) {
			return true;
		}
		while (this.state.get() == State.SENDING) {
			// Short: a thread gets out of what an interrupt closes when that has closed
			// it.
			Thread.yield();
		}
		return this.thread == Thread.currentThread() && this.state.compareAndSet(State.SENT, State.ENDED)
				&& this.flagged && Thread.interrupted();
	}

	private enum State {

		DUE, SENDING, SENT, ENDED

	}

}
