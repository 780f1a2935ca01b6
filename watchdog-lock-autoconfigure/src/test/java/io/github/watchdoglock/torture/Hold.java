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

import io.github.watchdoglock.store.AttemptId.Kind;

/**
 * A hold as an instance wrote it down. Times are the machine's {@link System#nanoTime()},
 * which all processes share.
 * <p>
 * The key belongs to it from {@link #begin} to {@link #end} at least: all times are lower
 * bounds of how long it believed that.
 */
final class Hold {

	final int instance;

	final String key;

	final long token;

	final boolean renewed;

	/** How it was asked for. */
	final Kind kind;

	/** Read after the lock was acquired, and before it was seen to be held. */
	final long begin;

	/** The greatest local deadline that was read, as the machine's clock has it. */
	private long deadline;

	/** When it was seen to be held for the last time. */
	private long lastSeen;

	/** When its holder was about to close it; never, where it died before. */
	private long closed = Long.MAX_VALUE;

	/** When its loss was declared, before the store could be told. */
	private long lost = Long.MAX_VALUE;

	/** Whether its instance is dead, so that all of it is written. */
	boolean dead;

	/** Whether its thread ended without closing it on purpose. */
	boolean abandoned;

	Hold(int instance, String key, long token, boolean renewed, long begin, long deadline, Kind kind) {
		this.instance = instance;
		this.key = key;
		this.token = token;
		this.renewed = renewed;
		this.begin = begin;
		this.lastSeen = begin;
		this.deadline = deadline;
		this.kind = kind;
	}

	void seen(long time, long deadline) {
		this.lastSeen = Math.max(this.lastSeen, time);
		this.deadline = Math.max(this.deadline, deadline);
	}

	void closed(long time, boolean held, long lastSeen) {
		this.closed = time;
		this.lastSeen = Math.max(this.lastSeen, held ? time : lastSeen);
	}

	void lost(long time) {
		this.lost = Math.min(this.lost, time);
	}

	/* Whether its holder meant to keep it for a while. */
	boolean isLong() {
		return this.key.startsWith("long/");
	}

	/* Whether it was the term of a leader. */
	boolean isTerm() {
		return this.key.startsWith("%role/");
	}

	boolean isClosedBy(long time) {
		return this.closed <= time;
	}

	/* Whether both may never be had at one time, however many there are. */
	boolean excludes(Hold other) {
		return !this.kind.isShared() || !other.kind.isShared() || this.kind.isPermit() != other.kind.isPermit();
	}

	/* Whether both may be what one grant gave to readers of an instance. */
	boolean sharesGrant(Hold other) {
		return this.instance == other.instance && this.kind.equals(other.kind) && !this.kind.isPermit();
	}

	/* While others write on, only what was seen counts. */
	long end(boolean complete) {
		long end = complete ? Math.min(this.deadline, Math.min(this.closed, this.lost)) : this.lastSeen;
		return Math.max(end, this.lastSeen);
	}

	/* An upper bound: others need not have it before, and may not have it for a lease. */
	long keepsUntil(boolean complete) {
		if (this.closed != Long.MAX_VALUE) {
			return this.closed;
		}
		return (complete || this.dead) ? end(true) : Long.MAX_VALUE;
	}

	/* Whether it was held, as its instance believed, at this moment. */
	boolean covers(long time) {
		return this.begin < time && end(true) > time;
	}

	@Override
	public String toString() {
		return Sharing.word(this.kind) + " of instance " + this.instance + ", token " + this.token + ", from "
				+ this.begin + " to " + end(true);
	}

}
