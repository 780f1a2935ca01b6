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

package io.github.watchdoglock.store;

import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The contact with a store: whether it responds, and since when it may have forgotten
 * what it had confirmed. All times are nanoseconds on one clock. Thread-safe.
 */
public final class StoreContact {

	private static final long NEVER = Long.MAX_VALUE;

	private final LongSupplier clock;

	/** When a connection was last lost or opened. */
	private volatile long doubted;

	/** Since when waiting for an answer is in vain. */
	private volatile long lost = NEVER;

	/** When the store was last found to respond again. */
	private volatile long back;

	/**
	 * Create the contact with a store that has confirmed nothing.
	 * @param clock the clock
	 */
	public StoreContact(LongSupplier clock) {
		this.clock = clock;
		this.doubted = clock.getAsLong();
		this.back = this.doubted;
	}

	/** Note that a connection was lost. */
	public void disconnected() {
		this.doubted = this.clock.getAsLong();
	}

	/** Note that a connection was opened. */
	public void connected() {
		this.doubted = this.clock.getAsLong();
		respondsAgain();
	}

	private void respondsAgain() {
		this.back = this.clock.getAsLong();
		this.lost = NEVER;
	}

	/**
	 * Note the end of a command.
	 * @param sent when it was sent
	 * @param timeout how long its answer might have taken
	 * @param failure why it had no answer; null if it had one
	 */
	public void commandEnded(long sent, long timeout, @Nullable Throwable failure) {
		if (failure == null) {
			if (this.lost != NEVER) {
				respondsAgain();
			}
			return;
		}
		if (sent - this.back < 0) {
			// The store has responded since.
			return;
		}
		long now = this.clock.getAsLong();
		boolean unsent = StoreCalls.cause(failure) instanceof NotConnectedException;
		if (unsent ? this.lost == NEVER : now - sent >= timeout) {
			this.lost = unsent ? now + timeout : now;
		}
	}

	/**
	 * Return since when confirmations count: when a connection was lost, the store may
	 * have been restarted without its data, or replaced.
	 * @return the time at which a valid confirmation was requested at the earliest
	 */
	public long doubted() {
		return this.doubted;
	}

	/**
	 * Return whether waiting for the store is in vain: a command had no answer within its
	 * timeout, or there has been no connection for as long, and no command was answered
	 * since.
	 * @return whether not to wait
	 */
	public boolean isLost() {
		long lost = this.lost;
		return lost != NEVER && this.clock.getAsLong() - lost >= 0;
	}

}
