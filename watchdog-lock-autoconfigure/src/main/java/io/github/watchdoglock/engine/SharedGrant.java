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

import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import org.jspecify.annotations.Nullable;

/**
 * A grant of a key that others may have too: a permit, which one hold at a time has, or
 * that of those who read. Stands beside others in its cohort, which goes on asking for
 * whoever waits.
 */
final class SharedGrant extends Grant implements Cohort.State {

	private final Kind kind;

	/** The last one who had it. */
	private @Nullable User user;

	SharedGrant(AttemptId id, Cohort cohort, AcquireAnswer.Granted answer, Terms terms, long sent, long leaseEnd) {
		super(id, cohort, answer, terms, sent, leaseEnd);
		this.kind = id.kind();
		if (!this.kind.isPermit()) {
			budget().share(new Readers(this, this.firstToken));
		}
	}

	@Override
	public void save(Steps.Guard guard) {
		super.save(guard);
		User user = this.user;
		if (user != null) {
			guard.keep(user);
		}
	}

	@Override
	public void revert(Object before) {
		super.revert(before);
		this.user = ((SharedGrant) before).user;
	}

	@Override
	Kind kind() {
		return this.kind;
	}

	@Override
	public Grant grant() {
		return this;
	}

	@Override
	public Waiter.Outcome.@Nullable Refused refusal(long now) {
		return null;
	}

	@Override
	public void lookAgain(long now) {
		ring(now);
	}

	@Override
	public void expireIfOver() {
		User user = user();
		if (user != null && left(core().nowNoticingSleep()) <= 0) {
			this.cohort.keep(this);
			user.expire(core().now());
		}
	}

	@Override
	public boolean excludes(Kind kind) {
		return user() != null && this.kind.isPermit() != kind.isPermit();
	}

	@Override
	public boolean mayAdmit(Waiter first, long now) {
		User group = group();
		return group != null && group.mayAdmit(first, now);
	}

	@Override
	public boolean admit(Waiter first, long now) {
		User group = group();
		return group != null && group.admit(first, now);
	}

	/* What an undone step has left of it is nothing. */
	@Override
	@Nullable User user() {
		User user = this.user;
		return (user != null && user.has(this) && this.cohort.shared().contains(this)) ? user : null;
	}

	@Override
	void begin(User caller) {
		if (!this.cohort.shared().contains(this)) {
			this.cohort.share(this);
		}
		this.user = join(caller);
	}

	@Override
	void begun() {
		if (group() instanceof Readers readers) {
			readers.admitAll();
		}
		this.cohort.waiters().lateKnow(core().now());
		this.cohort.endIfUnwanted();
	}

	@Override
	void vacate(@Nullable Attempt next) {
		this.cohort.unshare(this);
		this.cohort.endIfUnwanted();
	}

	/* An attempt is there for whoever waits. */
	@Override
	boolean isToRequeue() {
		return false;
	}

	/* Who comes to read joins it before it ends, or needs another one. */
	@Override
	boolean suits(Waiter waiter) {
		return group() == null && waiter.kind.equals(this.kind);
	}

	@Override
	Steps.Revertible subject() {
		return this;
	}

}
