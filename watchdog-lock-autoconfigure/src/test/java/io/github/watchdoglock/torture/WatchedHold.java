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

package io.github.watchdoglock.torture;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * A hold that is observed and recorded. For one thread.
 */
final class WatchedHold {

	/* A deadline is recorded if it has moved by more than this. */
	private static final long MOVED = TimeUnit.MILLISECONDS.toNanos(1);

	private final HoldLog log;

	private final SlowTicker ticker;

	private final LockHandle handle;

	private final long id;

	private long deadline;

	private long lastSeen;

	private boolean lost;

	private WatchedHold(HoldLog log, SlowTicker ticker, LockHandle handle, long begin) {
		this.log = log;
		this.ticker = ticker;
		this.handle = handle;
		this.id = log.nextHold();
		this.deadline = deadline();
		this.lastSeen = begin;
	}

	/* Begin to watch a lock that was just acquired; null if it is not held any more. */
	static WatchedHold begin(HoldLog log, SlowTicker ticker, LockHandle handle, boolean renewed, Kind kind) {
		long begin = ticker.machine().read();
		if (!handle.isHeld()) {
			return null;
		}
		WatchedHold hold = new WatchedHold(log, ticker, handle, begin);
		log.write("begin", hold.id, HoldLog.name(handle.key()), handle.fencingToken(), renewed ? "renewed" : "fixed",
				begin, hold.deadline, Sharing.word(kind));
		return hold;
	}

	/*
	 * A lower bound, because the clock is read before the remaining time. If no time
	 * remains, the time of the look says when that was seen, but not when the hold ended.
	 */
	private long deadline() {
		long before = this.ticker.machine().read();
		Duration remaining = this.handle.remaining();
		return (remaining.toNanos() > 0) ? before + this.ticker.real(remaining) : this.deadline;
	}

	/* Check whether the lock is held. */
	boolean look() {
		long before = this.ticker.machine().read();
		if (!this.handle.isHeld()) {
			this.lost = true;
			return false;
		}
		this.lastSeen = before;
		if (this.lost) {
			this.log.write("revived", this.id, before);
			this.lost = false;
		}
		long deadline = deadline();
		if (deadline - this.deadline > MOVED) {
			this.deadline = deadline;
			this.log.write("seen", this.id, before, deadline);
		}
		return true;
	}

	/* The thread of the hold will not close it. */
	void abandon() {
		this.log.write("abandoned", this.id);
	}

	void close() {
		long before = this.ticker.machine().read();
		boolean held = this.handle.isHeld();
		this.log.write("end", this.id, before, held ? "held" : "lost", this.lastSeen);
		this.handle.close();
	}

}
