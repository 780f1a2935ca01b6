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

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.LeaseStore.ReleaseAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is kept for the next caller while no caller holds it. Listeners are not
 * notified about it, and its loss is not reported. It belongs to the tasks of its key.
 */
final class IdleLease implements HandOff.Predecessor {

	private static final AtomicLong NUMBERS = new AtomicLong();

	/** Its position in the order in which idle leases were added. */
	final long number = NUMBERS.incrementAndGet();

	/** The key as its last holder named it. */
	private final LockKey key;

	private final GrantedLease lease;

	/** The last token that was used. */
	private final long token;

	private final long since;

	private final long until;

	private final Core core;

	/**
	 * Whether a shutdown waits for it, because it is being decided who gets it, or it is
	 * being released.
	 */
	private boolean counted;

	IdleLease(Hold hold, long since, long until) {
		this.key = hold.key;
		this.lease = hold.lease;
		this.token = hold.token;
		this.core = this.lease.core();
		this.since = since;
		this.until = until;
	}

	/* Keep the lease of a hold that was closed. Return false if it must not be kept. */
	static boolean keep(Hold hold) {
		GrantedLease lease = hold.lease;
		if (!lease.lingering || lease.isForced() || hold.kind().isShared()) {
			return false;
		}
		Core core = lease.core();
		long time = core.idleLeases.time(hold.key, lease.timing(), hold.rules);
		if (time == 0) {
			return false;
		}
		long now = core.now();
		IdleLease idle = new IdleLease(hold, now, now + time);
		if (!idle.mayStay(now)) {
			return false;
		}
		lease.becomeIdle(idle, now);
		IdleLease oldest = core.idleLeases.add(idle);
		if (oldest != null) {
			oldest.makeRoom();
		}
		core.events.idleBegun(idle.key);
		return true;
	}

	/* A caller has arrived for an idle lease. */
	static void endForCaller(GrantedLease lease) {
		IdleLease idle = lease.leaveIdle();
		if (idle != null) {
			HandOff.after(lease, idle, lease.core().now());
		}
	}

	/* Release an idle lease. */
	static void release(GrantedLease lease) {
		IdleLease idle = lease.leaveIdle();
		if (idle != null) {
			HandOff.release(lease, idle);
		}
	}

	/* The store does not know an idle lease any more. */
	static void drop(GrantedLease lease) {
		IdleLease idle = lease.leaveIdle();
		if (idle != null) {
			idle.gone();
			lease.end();
			lease.lock.leaseEnded(lease, null);
		}
	}

	static void endIfOver(GrantedLease lease, long now) {
		IdleLease idle = lease.idle();
		if (idle != null && !idle.mayStay(now)) {
			release(lease);
		}
	}

	/* The store has answered a renewal of an idle lease, or the renewal has failed. */
	static void answered(GrantedLease lease, long sent, @Nullable RenewAnswer answer) {
		IdleLease idle = lease.idle();
		if (idle == null) {
			return;
		}
		long now = lease.core().now();
		if (answer instanceof RenewAnswer.Gone) {
			drop(lease);
			return;
		}
		if (answer instanceof RenewAnswer.Renewed renewed) {
			lease.note(renewed, now);
		}
		if (!idle.mayStay(now)) {
			release(lease);
		}
		else if (answer != null) {
			lease.confirmed(sent);
			lease.becomeIdle(idle, sent);
		}
		else {
			lease.retry(now);
		}
	}

	boolean mayStay(long now) {
		return this.core.isOpen() && this.lease.timing().lease().renewed() && this.lease.left(now) > 0
				&& this.until - now > 0 && !this.lease.isContended();
	}

	long until() {
		return this.until;
	}

	/* Release it, unless a caller has arrived for it. */
	private void makeRoom() {
		this.lease.lock.run(() -> release(this.lease));
	}

	IdleLock describe() {
		long now = this.core.now();
		long age = now - this.since;
		return new IdleLock(this.key, this.token, this.core.wallTime(age), Duration.ofNanos(age),
				Duration.ofNanos(Math.max(this.lease.left(now), 0)));
	}

	@Override
	public long token() {
		return this.token;
	}

	@Override
	public Duration keep() {
		return Duration.ZERO;
	}

	@Override
	public boolean mayHandOn(long now) {
		return !this.lease.isContended();
	}

	@Override
	public @Nullable Supplier<Waiter.Outcome.Refused> refusal() {
		return null;
	}

	@Override
	public boolean linger() {
		long now = this.core.now();
		// Guard against a race with a newer idle lease, for which this one had to make
		// room.
		boolean stays = mayStay(now) && this.core.idleLeases.contains(this);
		if (stays) {
			this.lease.becomeIdle(this, now);
			countOut();
		}
		return stays;
	}

	@Override
	public void handedOn() {
		end();
	}

	@Override
	public void gone() {
		end();
	}

	@Override
	public void released(@Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
		if (answer == null) {
			this.core.repeats.add(toUndo(), StoreCalls.cause(failure));
		}
		countOut();
	}

	@Override
	public void abort() {
		end();
	}

	/* It is not idle any more: from now on a shutdown waits for it as for a hold. */
	void begin() {
		this.core.lifecycle.begin();
		this.counted = true;
	}

	private void countOut() {
		if (this.counted) {
			this.core.lifecycle.end();
			this.counted = false;
		}
	}

	/* Return the release that ends it in the store, without a hold. */
	private Undo toUndo() {
		ReleaseCommand command = HandOff.command(this.lease, this.token, Duration.ZERO, null);
		return new Undo(this.lease.lock.key, ReleaseCommand.NONE, this.lease.leaseEnd(), () -> command);
	}

	private void end() {
		deregister();
		countOut();
	}

	/* It is not idle any more. */
	@Override
	public void deregister() {
		this.core.idleLeases.remove(this);
		this.core.events.idleEnded(this.key);
	}

}
