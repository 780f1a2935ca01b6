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
import org.jspecify.annotations.Nullable;

/**
 * A grant that is kept though nobody holds it. Nobody hears of it, and its loss is
 * nobody's. Methods are parts of a step of the cohort.
 */
final class IdleGrant implements Predecessor, Standing {

	/** The key as its last holder named it. */
	final LockKey key;

	final Grant grant;

	/** The last one that was used. */
	final long token;

	final long since;

	/** Whether its deadline may be that of a lease which had another margin. */
	final boolean strengthened;

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

	/* A grant that nobody holds, unless it is being decided what becomes of it. */
	static @Nullable IdleGrant of(Grant grant) {
		return (grant.cohort.standing() instanceof IdleGrant idle && idle.grant == grant && !idle.leaving) ? idle
				: null;
	}

	boolean mayStay(long now) {
		return this.core.isOpen() && this.grant.terms.lease().renewed() && this.grant.left(now) > 0
				&& this.until - now > 0 && !HandOffs.isContended(this.grant);
	}

	/* Have it renewed soon, which is how it hears of others where no message comes. */
	void rest(long from) {
		long soon = from + this.grant.terms.nextPoll();
		this.grant.renewAt = (soon - this.grant.renewAt < 0) ? soon : this.grant.renewAt;
		WatchdogTurn.watch(this.grant);
	}

	long until() {
		return this.until;
	}

	/* Its alarm has rung. */
	void look(long now) {
		if (!mayStay(now)) {
			giveBack();
		}
	}

	/* A caller has come, who may wait for what is decided already. */
	void take() {
		if (leave()) {
			Succession.after(this);
		}
	}

	/* Unless somebody has come for it. */
	void giveBack() {
		if (leave()) {
			Succession.end(this);
		}
	}

	private boolean leave() {
		if (this.leaving) {
			return false;
		}
		this.leaving = true;
		this.core.drain().begin();
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
			this.cohort.afterwards(this.core.drain()::end);
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
		return !HandOffs.isContended(this.grant);
	}

	/* Who came meanwhile has had no answer. */
	@Override
	public void handOn() {
		end();
		this.cohort.afterwards(this.core.drain()::end);
		Reception.tell(this.cohort, this.core.now());
	}

	@Override
	public void foundGone() {
		end();
		this.cohort.afterwards(this.core.drain()::end);
	}

	@Override
	public void release(@Nullable Attempt requeued) {
		end();
		ReleaseCommand command = Release.command(this.grant, this.token, Duration.ZERO, requeued);
		Terms terms = this.grant.terms;
		this.cohort.afterwards(() -> {
			long sent = this.core.look();
			var unused = StoreCalls.ask(() -> this.core.store().release(command)).whenComplete((answer, ex) -> {
				if (requeued != null) {
					this.cohort.change(() -> requeued.placed(sent, terms, answer));
				}
				if (answer == null) {
					this.core.repeats().add(Undo.of(this.grant, this.token), StoreCalls.cause(ex));
				}
				this.core.drain().end();
			});
		});
	}

	private void end() {
		this.core.idleGrants().remove(this);
		this.cohort.afterwards(() -> this.core.events().idleEnded(this.key));
	}

}
