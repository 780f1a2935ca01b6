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

import io.github.watchdoglock.time.TimerWheel;

/**
 * Until when a lease can be relied on here, and until when the store may keep the key for
 * it. Written in steps of the cohort; what is left is also read without.
 * <p>
 * Extended by the grant, rather than in a field of it: a held lock would be heavier by an
 * object.
 */
abstract class LeaseDeadline extends TimerWheel.Alarm {

	private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

	/** The moment from which nothing is held, unless a confirmed command moves it. */
	private volatile long deadline;

	/** Milliseconds for which the store may keep the key from the deadline on. */
	private int beyond;

	/** Whether the store may keep the key longer than the terms of now say. */
	boolean outlivesTerms;

	LeaseDeadline(long deadline, long leaseEnd) {
		this.deadline = deadline;
		mayLast(leaseEnd);
	}

	long deadline() {
		return this.deadline;
	}

	/* How long it is valid unless renewed; negative when it is over. */
	long left(long now) {
		return this.deadline - now;
	}

	/* When the store has let go of it, by the commands that are not under way. */
	long leaseEnd() {
		return this.deadline + this.beyond * MILLISECOND;
	}

	final void mayLast(long end) {
		long millis = -Math.floorDiv(this.deadline - end, MILLISECOND);
		this.beyond = (int) Math.max(this.beyond, Math.min(millis, Integer.MAX_VALUE));
	}

	/* What it was before. */
	void revert(LeaseDeadline before) {
		this.deadline = before.deadline;
		this.beyond = before.beyond;
		this.outlivesTerms = before.outlivesTerms;
	}

	void setDeadline(long deadline) {
		long end = leaseEnd();
		this.deadline = deadline;
		this.beyond = 0;
		mayLast(end);
	}

}
