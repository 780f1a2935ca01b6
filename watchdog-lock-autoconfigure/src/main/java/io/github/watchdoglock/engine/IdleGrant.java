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

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * A grant that is kept though nobody holds it. Nobody hears of it, and its loss is
 * nobody's. Methods are parts of a step of the cohort.
 */
final class IdleGrant extends IdleGrants.Entry implements HandOff.Predecessor, Grant.User {

	/** The key as its last holder named it. */
	private final LockKey key;

	private final Grant grant;

	/** The last one that was used. */
	private final long token;

	private final long since;

	/** Whether its deadline may be that of a lease which had another margin. */
	private final boolean strengthened;

	private final Cohort cohort;

	private final Core core;

	private final long until;

	/** Whether it is being decided who has it next. */
	private boolean leaving;

	IdleGrant(Hold hold, long since, long until) {
		this.key = hold.key;
		this.grant = hold.grant;
		this.token = hold.token;
		this.strengthened = hold.strengthened;
		this.cohort = hold.grant.cohort;
		this.core = this.cohort.core();
		this.since = since;
		this.until = until;
	}

	/* Keep the grant of a hold that was closed; false where it is not to be kept. */
	static boolean keep(Hold hold) {
		Grant grant = hold.grant;
		Cohort cohort = grant.cohort;
		Core core = cohort.core();
		long now = core.now();
		long time = core.idleGrants().time(hold.key, grant.terms, hold.rules);
		if (time == 0 || !grant.isLingering() || grant.isForced() || hold.kind().isShared()) {
			return false;
		}
		IdleGrant idle = new IdleGrant(hold, now, now + time);
		if (!idle.mayStay(now)) {
			return false;
		}
		cohort.become(idle);
		idle.rest(now);
		cohort.afterwards(() -> {
			IdleGrants.Entry oldest = core.idleGrants().add(idle);
			if (oldest != null) {
				oldest.makeRoom();
			}
		});
		cohort.afterwards(() -> core.events().idleBegun(idle.key));
		return true;
	}

	@Override
	public Grant grant() {
		return this.grant;
	}

	@Override
	public boolean strengthened() {
		return this.strengthened;
	}

	@Override
	public void save(Steps.Guard guard) {
		guard.keep(this);
		this.grant.save(guard);
	}

	@Override
	public Object copy() {
		try {
			return clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void revert(Object before) {
		this.leaving = ((IdleGrant) before).leaving;
	}

	@Override
	public void lookAgain(long now) {
		this.grant.ring(now);
	}

	@Override
	public boolean has(Grant grant) {
		return this.grant == grant && !this.leaving;
	}

	@Override
	public Waiter.Outcome.@Nullable Refused refusal(long now) {
		return null;
	}

	boolean mayStay(long now) {
		return this.core.isOpen() && this.grant.terms.lease().renewed() && this.grant.left(now) > 0
				&& this.until - now > 0 && !this.grant.isContended();
	}

	@Override
	public void forced() {
		drop();
	}

	/* Have it renewed soon, which is how it hears of others where no message comes. */
	void rest(long from) {
		long soon = from + this.grant.terms.nextPoll(this.core.chance());
		this.grant.renewAt = (soon - this.grant.renewAt < 0) ? soon : this.grant.renewAt;
		this.grant.watch();
	}

	@Override
	public long limit() {
		return this.until;
	}

	@Override
	public void expire(long now) {
		if (!mayStay(now)) {
			giveBack();
		}
	}

	@Override
	public void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable ex) {
		long now = this.core.now();
		if (answer instanceof RenewAnswer.Gone) {
			drop();
			return;
		}
		if (answer instanceof RenewAnswer.Renewed renewed) {
			this.grant.note(renewed, now);
		}
		if (!mayStay(now)) {
			giveBack();
		}
		else if (answer != null) {
			this.grant.confirm(sent);
			rest(sent);
		}
		else {
			this.grant.retry(now);
		}
	}

	@Override
	public void makeRoom() {
		this.cohort.change(this::giveBack);
	}

	@Override
	public IdleLock describe() {
		long now = this.core.now();
		long age = now - this.since;
		return new IdleLock(this.key, this.token, this.core.wallTime(age), Duration.ofNanos(age),
				Duration.ofNanos(Math.max(this.grant.left(now), 0)));
	}

	/* A caller has come, who may wait for what is decided already. */
	@Override
	public void pursue() {
		if (leave()) {
			HandOff.after(this);
		}
	}

	/* Unless somebody has come for it. */
	void giveBack() {
		if (leave()) {
			HandOff.end(this);
		}
	}

	private boolean leave() {
		if (this.leaving) {
			return false;
		}
		this.leaving = true;
		this.cohort.beginUse();
		return true;
	}

	/* The store has taken it away. */
	void drop() {
		if (leave()) {
			this.grant.end();
			foundGone();
			this.cohort.vacate(null);
		}
	}

	@Override
	public boolean linger() {
		long now = this.core.now();
		// Guard against race with a newer one, which it had to make room for meanwhile.
		boolean stays = mayStay(now) && this.core.idleGrants().contains(this);
		if (stays) {
			this.leaving = false;
			this.cohort.afterwards(this.core.lifecycle()::end);
			rest(now);
		}
		return stays;
	}

	@Override
	public boolean keepsKey() {
		return false;
	}

	@Override
	public boolean mayHandOn(long now) {
		return !this.grant.isContended();
	}

	@Override
	public void handOn() {
		end();
		this.cohort.afterwards(this.core.lifecycle()::end);
	}

	@Override
	public boolean owesAnswers() {
		return true;
	}

	@Override
	public void foundGone() {
		end();
		this.cohort.afterwards(this.core.lifecycle()::end);
	}

	@Override
	public void release(@Nullable Attempt requeued) {
		end();
		ReleaseCommand command = HandOff.command(this.grant, this.token, Duration.ZERO, requeued);
		HandOff.tell(this.grant, command, requeued, (answer, ex) -> {
			if (answer == null) {
				Undo undo = toUndo();
				Throwable cause = StoreCalls.cause(ex);
				this.cohort.afterwards(() -> this.core.repeats().add(undo, cause));
			}
			this.cohort.afterwards(this.core.lifecycle()::end);
		});
	}

	/* What ends it in the store, of a grant that nobody holds any more. */
	private Undo toUndo() {
		ReleaseCommand command = HandOff.command(this.grant, this.token, Duration.ZERO, null);
		return new Undo(this.cohort.key, ReleaseCommand.NONE, this.grant.leaseEnd(), () -> command);
	}

	private void end() {
		this.cohort.afterwards(() -> this.core.idleGrants().remove(this));
		this.cohort.afterwards(() -> this.core.events().idleEnded(this.key));
	}

}
