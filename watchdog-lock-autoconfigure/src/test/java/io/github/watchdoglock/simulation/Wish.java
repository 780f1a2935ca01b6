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

package io.github.watchdoglock.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockMode;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;

/**
 * The request of a caller and its behaviour.
 *
 * @param style the method that it calls
 * @param keys the keys; one unless several locks are acquired
 * @param waitTime in milliseconds; zero tries once, negative waits indefinitely
 * @param lease of its own, or null
 * @param minHold in milliseconds; zero for none
 * @param maxHold in milliseconds; zero for none
 * @param onLoss the effect of a loss
 * @param work how long it works, in milliseconds
 * @param within what it does meanwhile
 * @param other a lease for that
 * @param reads whether it reads keys that have readers
 * @param permits the number of permits in its request, for keys with permits
 */
record Wish(Style style, List<LockKey> keys, long waitTime, Lease lease, long minHold, long maxHold, OnLoss onLoss,
		long work, Within within, Lease other, boolean reads, int permits) {

	/** The name of keys with readers and writers. */
	static final String READ = "read";

	/** The name of keys with permits. */
	static final String PERMITS = "permits";

	/** The maximum number of permits in a request. */
	static final int MAX_PERMITS = 3;

	/** The length of the longest lease of a request, in default leases. */
	static final long MAX_LEASES = 3;

	static Wish draw(Draw draw, List<LockKey> all, long length, Style favourite) {
		Style style = (favourite != null) ? favourite : draw.of(List.of(Style.values()));
		List<LockKey> keys = new ArrayList<>();
		keys.add(all.get(draw.oneIn(3) ? draw.below(all.size()) : 0));
		if (style == Style.SEVERAL) {
			keys = new ArrayList<>(all);
		}
		if (style == Style.ASYNC_THEN_ASYNC && favourite != null) {
			// Many keys at once.
			keys = List.of(LockKey.of("own", String.valueOf(draw.below(1_000))));
		}
		long wait = draw.oneIn(4) ? 0 : draw.oneIn(8) ? -1 : draw.between(length / 20, 2 * length);
		Lease lease = draw.oneIn(4) ? lease(draw, length) : null;
		return new Wish(style, List.copyOf(keys), wait, lease, draw.oneIn(8) ? draw.between(1, length) : 0,
				draw.oneIn(8) ? draw.between(1, length) : 0,
				draw.of(List.of(OnLoss.REPORT, OnLoss.INTERRUPT, OnLoss.FAIL)),
				draw.oneIn(6) ? draw.between(0, 3 * length) : draw.rarelyUpTo(length / 2),
				draw.oneIn(2) ? Within.NOTHING : draw.of(List.of(Within.values())), lease(draw, length), !draw.oneIn(4),
				draw.oneIn(3) ? 2 + draw.below(MAX_PERMITS - 1) : 2);
	}

	private static Lease lease(Draw draw, long length) {
		Duration duration = Duration.ofMillis(draw.between(length / 2, MAX_LEASES * length));
		return draw.oneIn(2) ? Lease.renewed(duration) : Lease.fixed(duration);
	}

	LockRequest request(LockKey key) {
		LockRequest request = ofKind(key, this.reads).withWaitTime(Duration.ofMillis(this.waitTime))
			.withOnLoss(this.onLoss);
		request = (this.lease != null) ? request.withLease(this.lease) : request;
		boolean keeps = this.minHold > 0 && (this.lease == null || this.lease.renewed());
		request = keeps ? request.withMinHoldTime(Duration.ofMillis(this.minHold)) : request;
		return (this.maxHold > 0) ? request.withMaxHoldTime(Duration.ofMillis(this.maxHold)) : request;
	}

	/* A reader may also request to write, which is rejected. */
	LockRequest again(LockKey key) {
		return ofKind(key, this.work % 2 == 0).withWaitTime(Duration.ofMillis(this.waitTime))
			.withOnLoss(this.onLoss)
			.withLease(this.other);
	}

	private LockRequest ofKind(LockKey key, boolean reads) {
		LockRequest request = LockRequest.of(key);
		if (key.name().equals(PERMITS)) {
			return request.withPermits(this.permits);
		}
		return (reads && key.name().equals(READ)) ? request.withMode(LockMode.READ) : request;
	}

	@Override
	public String toString() {
		return this.style + " " + this.keys + ", waits " + this.waitTime + ", works " + this.work
				+ (this.reads ? ", reads" : "") + ", of " + this.permits
				+ ((this.lease != null) ? ", " + this.lease : "")
				+ ((this.minHold > 0) ? ", at least " + this.minHold : "")
				+ ((this.maxHold > 0) ? ", at most " + this.maxHold : "") + ", " + this.onLoss
				+ ((this.within != Within.NOTHING) ? ", meanwhile " + this.within + " " + this.other : "");
	}

	/**
	 * The method that it calls.
	 */
	enum Style {

		ACQUIRE, TRY, EXECUTE, VIEW, SEVERAL, TRANSACTION, ASYNC, ASYNC_THEN_ASYNC

	}

	/**
	 * What it does while it holds the lock.
	 */
	enum Within {

		NOTHING, REENTER, REENTER_ELSEWHERE, STRENGTHEN, DETACH, WATCH, DIE

	}

}
