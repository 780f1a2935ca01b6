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
 * A hold as recorded by an instance. Times are the machine's {@link System#nanoTime()},
 * which all processes share.
 * <p>
 * The hold has the key at least from {@link #begin} to {@link #end}: all times are lower
 * bounds of how long its instance believed that.
 */
final class Hold {

	final int instance;

	final String key;

	final long token;

	final boolean renewed;

	/** The kind of its request. */
	final Kind kind;

	/** Read after the lock was acquired, and before it was seen to be held. */
	final long begin;

	/** The greatest local deadline that was read, converted to the machine's clock. */
	private long deadline;

	/** The last time when it was seen to be held. */
	private long lastSeen;

	/** The time just before its holder closed it; never, if the holder died before. */
	private long closed = Long.MAX_VALUE;

	/**
	 * The time when its loss was declared, before a command to the store could be sent.
	 */
	private long lost = Long.MAX_VALUE;

	/** Whether its instance has died, so that its log is complete. */
	boolean dead;

	/** Whether its thread ended on purpose without closing it. */
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

	/* Whether its holder planned to keep it for a while. */
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

	/*
	 * Whether both must never be held at the same time, whatever the number of permits.
	 */
	boolean excludes(Hold other) {
		return !this.kind.isShared() || !other.kind.isShared() || this.kind.isPermit() != other.kind.isPermit();
	}

	/* Whether readers of one instance may share one lease for both. */
	boolean sharesGrant(Hold other) {
		return this.instance == other.instance && this.kind.equals(other.kind) && !this.kind.isPermit();
	}

	/* While logs are incomplete, only observed times are used. */
	long end(boolean complete) {
		long end = complete ? Math.min(this.deadline, Math.min(this.closed, this.lost)) : this.lastSeen;
		return Math.max(end, this.lastSeen);
	}

	/*
	 * An upper bound: until then, other callers need not get the key, and for a lease
	 * longer they may not.
	 */
	long keepsUntil(boolean complete) {
		if (this.closed != Long.MAX_VALUE) {
			return this.closed;
		}
		return (complete || this.dead) ? end(true) : Long.MAX_VALUE;
	}

	/* Whether its instance believed at this time that it was held. */
	boolean covers(long time) {
		return this.begin < time && end(true) > time;
	}

	@Override
	public String toString() {
		return Sharing.word(this.kind) + " of instance " + this.instance + ", token " + this.token + ", from "
				+ this.begin + " to " + end(true);
	}

}
