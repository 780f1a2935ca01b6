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
final class IdleLease implements Predecessor.Idle, IdleLeases.Entry {

	private static final AtomicLong NUMBERS = new AtomicLong();

	private final long number = NUMBERS.incrementAndGet();

	/** The key as its last holder named it. */
	private final LockKey key;

	private final GrantedLease lease;

	/** The last token that was used. */
	private final long token;

	private final long since;

	private final long until;

	private final EngineContext context;

	/**
	 * Whether a shutdown waits for it, because it is being decided who gets it, or it is
	 * being released.
	 */
	private boolean counted;

	/** Whether observers count it as idle. */
	private boolean shown;

	IdleLease(Hold hold, long since, long until) {
		this.key = hold.key;
		this.lease = hold.lease;
		this.token = hold.token;
		this.context = this.lease.context();
		this.since = since;
		this.until = until;
	}

	/*
	 * Return the idle state that follows a hold that was closed; null if its lease must
	 * not be kept.
	 */
	static @Nullable IdleLease after(Hold hold) {
		GrantedLease lease = hold.lease;
		if (!lease.lingering || lease.mayBeForced() || hold.kind().isShared()) {
			return null;
		}
		EngineContext context = lease.context();
		long time = context.idleLeases.time(hold.key, lease.timing(), hold.rules);
		if (time == 0) {
			return null;
		}
		long now = context.now();
		IdleLease idle = new IdleLease(hold, now, now + time);
		return idle.mayStayIdle(now) ? idle : null;
	}

	/* It becomes the predecessor, so the end of the hold is completed before. */
	void begin() {
		this.lease.becomeIdle(this, this.since);
		IdleLeases.Entry oldest = this.context.idleLeases.add(this);
		if (oldest != null) {
			oldest.makeRoom();
		}
		this.shown = true;
		this.context.events.idleBegun(this.key);
	}

	/* A caller has arrived for an idle lease. */
	static void endForCaller(GrantedLease lease) {
		IdleLease idle = leave(lease);
		if (idle != null) {
			HandOff.after(lease, idle, lease.context().now());
		}
	}

	/* Release an idle lease. */
	static void release(GrantedLease lease) {
		IdleLease idle = leave(lease);
		if (idle != null) {
			HandOff.release(lease, idle);
		}
	}

	/* The store does not know an idle lease any more. */
	static void drop(GrantedLease lease) {
		IdleLease idle = leave(lease);
		if (idle != null) {
			idle.gone();
			lease.markEnded();
			lease.lock.leaseEnded(lease, null);
		}
	}

	/*
	 * End the idle state; return null if the lease was not idle. From now on a shutdown
	 * waits for the lease as for a hold.
	 */
	private static @Nullable IdleLease leave(GrantedLease lease) {
		IdleLease idle = (IdleLease) lease.leaveIdle();
		if (idle != null) {
			idle.context.lifecycle.begin();
			idle.counted = true;
		}
		return idle;
	}

	@Override
	public void endIfOver(long now) {
		if (!mayStayIdle(now)) {
			release(this.lease);
		}
	}

	@Override
	public void answered(long sent, @Nullable RenewAnswer answer) {
		long now = this.context.now();
		if (answer instanceof RenewAnswer.Gone) {
			drop(this.lease);
			return;
		}
		if (answer instanceof RenewAnswer.Renewed renewed) {
			this.lease.noteOthersAndTokens(renewed, now);
		}
		if (!mayStayIdle(now)) {
			release(this.lease);
		}
		else if (answer != null) {
			this.lease.prolong(sent);
			this.lease.becomeIdle(this, sent);
		}
		else {
			this.lease.retry(now);
		}
	}

	private boolean mayStayIdle(long now) {
		return this.context.isOpen() && this.lease.timing().lease().renewed() && this.lease.left(now) > 0
				&& this.until - now > 0 && !this.lease.isContended();
	}

	@Override
	public long until() {
		return this.until;
	}

	@Override
	public long number() {
		return this.number;
	}

	@Override
	public void makeRoom() {
		this.lease.lock.tasks().run(() -> release(this.lease));
	}

	@Override
	public IdleLock describe() {
		long now = this.context.now();
		long age = now - this.since;
		return new IdleLock(this.key, this.token, this.context.wallTime(age), Duration.ofNanos(age),
				Duration.ofNanos(Math.max(this.lease.left(now), 0)));
	}

	@Override
	public long token() {
		return this.token;
	}

	@Override
	public Duration lockedFor() {
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
	public boolean keepIdle() {
		long now = this.context.now();
		// Guard against a race with a newer idle lease, for which this one had to make
		// room.
		boolean stays = mayStayIdle(now) && this.context.idleLeases.contains(this);
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
			this.context.repeats.add(toUndo(), StoreCalls.cause(failure));
		}
		countOut();
	}

	@Override
	public void abort() {
		end();
	}

	private void countOut() {
		if (this.counted) {
			this.context.lifecycle.end();
			this.counted = false;
		}
	}

	/* Return the release that ends it in the store, without a hold. */
	private Undo toUndo() {
		ReleaseCommand command = this.lease.releaseCommand(this.token, Duration.ZERO, null);
		return new Undo(command.key(), ReleaseCommand.NONE, this.lease.times.leaseEnd(), () -> command);
	}

	private void end() {
		hide();
		countOut();
	}

	@Override
	public void releasing() {
		hide();
	}

	/* It is not idle any more, for operators and observers. */
	private void hide() {
		this.context.idleLeases.remove(this);
		if (this.shown) {
			this.shown = false;
			this.context.events.idleEnded(this.key);
		}
	}

}
