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
import java.util.Objects;
import java.util.function.Consumer;

import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.AcquireAnswer;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.RenewCommand;
import io.github.watchdoglock.store.StoreCalls;
import io.github.watchdoglock.store.TokenBlock;
import org.jspecify.annotations.Nullable;

/**
 * An attempt that has the lease: knows until when, and renews it. Everything is guarded
 * by the cohort's lock; the deadline is also read without it.
 */
class Grant extends LeaseDeadline implements Steps.Revertible {

	/* No renewal makes a lease shorter, so one for this tells whether it is there. */
	private static final Duration LOOK = Duration.ofMillis(1);

	final Cohort cohort;

	/** Of the hold of now. */
	Terms terms;

	final long firstToken;

	private final long attempt;

	long renewAt;

	private int renewals;

	/** Renewals that failed since the last one that succeeded. */
	private byte failures;

	/** How many renewals are under way. */
	private short renewing;

	/** Whether to ask if the store has it, though its lease is not renewed. */
	private boolean doubted;

	/** How often that was asked in vain. */
	private byte looks;

	/**
	 * A step to be taken when no renewal is under way any more, or its answer overdue.
	 */
	private @Nullable Runnable farewell;

	/** Created when it is handed on, or others wait. */
	private @Nullable HandOffBudget budget;

	Grant(AttemptId id, Cohort cohort, AcquireAnswer.Granted answer, Terms terms, long sent, long leaseEnd) {
		super(sent + terms.valid(), leaseEnd);
		this.attempt = id.number();
		this.cohort = cohort;
		this.firstToken = answer.block().first();
		this.terms = terms;
		this.outlivesTerms = leaseEnd - sent - terms.length() > 0;
		this.renewAt = sent + terms.firstRenewal(core().chance());
		if (answer.block().last() > this.firstToken) {
			this.budget = newBudget(answer.block());
		}
	}

	Core core() {
		return this.cohort.core();
	}

	@Override
	public void save(Steps.Guard guard) {
		guard.keep(this);
		if (this.budget != null) {
			this.budget.save(guard);
		}
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
		Grant grant = (Grant) before;
		revert((LeaseDeadline) grant);
		this.terms = grant.terms;
		this.renewAt = grant.renewAt;
		this.renewals = grant.renewals;
		this.failures = grant.failures;
		this.renewing = grant.renewing;
		this.doubted = grant.doubted;
		this.looks = grant.looks;
		this.farewell = grant.farewell;
		this.budget = grant.budget;
	}

	AttemptId id() {
		return new AttemptId(core().instance(), this.attempt, kind());
	}

	/* How the key is had with it. */
	Kind kind() {
		return Kind.EXCLUSIVE;
	}

	boolean is(AttemptId id) {
		return id.number() == this.attempt && id.instance().equals(core().instance());
	}

	/* Whether a fixed lease ends while the store still keeps the key. */
	boolean outlastsFixedTerms() {
		return this.outlivesTerms && !this.terms.lease().renewed();
	}

	int renewals() {
		return this.renewals;
	}

	boolean atRisk() {
		return this.failures > 0;
	}

	/* Ring at once. */
	void ring(long now) {
		core().watchdog().set(this, now);
	}

	/* What failed before is no risk of the hold that begins. */
	void beginHold() {
		this.failures = 0;
	}

	/* How it goes on from caller to caller. */
	HandOffBudget budget() {
		HandOffBudget budget = this.budget;
		if (budget == null) {
			budget = newBudget(new TokenBlock(this.firstToken, this.firstToken));
			this.budget = budget;
		}
		return budget;
	}

	private HandOffBudget newBudget(TokenBlock block) {
		return new HandOffBudget(block, core().handOffs(this.cohort.key));
	}

	boolean isContended() {
		return this.budget != null && this.budget.isContended();
	}

	/* Whether it may have more callers though others wait elsewhere. */
	boolean mayStay(long now) {
		return this.budget == null || this.budget.mayStay(now);
	}

	/* One more has it. */
	void join() {
		if (this.budget != null) {
			this.budget.join();
		}
	}

	boolean isForced() {
		return this.budget != null && this.budget.isForced();
	}

	/* Whether the store tells others that it may be kept though nobody holds it. */
	boolean isLingering() {
		return this.budget != null && this.budget.isLingering();
	}

	/* What the store says when it has confirmed it. */
	void note(RenewAnswer.Renewed answer, long now) {
		if (answer.contended() || answer.next() != null) {
			budget().note(answer, now);
		}
	}

	/* Who has it now; null while that is being decided, or when it is over. */
	@Nullable User user() {
		return (this.cohort.state() instanceof User user && user.has(this)) ? user : null;
	}

	/* A caller has it from now on. */
	void begin(User caller) {
		this.cohort.become(join(caller));
	}

	/* Who has it with that. */
	User join(User caller) {
		User group = group();
		if (group == null) {
			return caller;
		}
		group.add(caller);
		return group;
	}

	/* Those who have it together, or have just had; null where one has it alone. */
	@Nullable User group() {
		return (this.budget != null) ? (User) this.budget.group() : null;
	}

	/* Its first caller has it, and is to be woken. */
	void begun() {
		this.cohort.tellWhoAwaits(core().now());
	}

	/* It is over; the next attempt may have been begun with that. */
	void vacate(@Nullable Attempt next) {
		this.cohort.vacate(next);
	}

	/* What would come next takes a place with its release. */
	boolean isToRequeue() {
		return this.cohort.isAwaited() && isContended();
	}

	/* Whether a caller may be the next who has it. */
	boolean suits(Waiter waiter) {
		User group = group();
		return !waiter.kind.isPermit() && (group == null || group.isWhole());
	}

	/*
	 * A caller has it no more, by a loss unless the reason is null; answers whether
	 * nobody else has it.
	 */
	boolean isLeft(User caller, LockLoss.@Nullable Reason reason) {
		User group = group();
		return group == null || group.isLeft(caller, reason);
	}

	/* Whether it goes back with a hold that was lost and is closed now. */
	boolean isOwed() {
		User group = group();
		return group == null || group.isOwed();
	}

	/* For how long nobody is to have the key though it has ended. */
	long keep(long now) {
		User group = group();
		return (group != null) ? group.keptFor(now) : 0;
	}

	/* What is changed by whatever happens to it, and not saved with the cohort. */
	Steps.@Nullable Revertible subject() {
		return null;
	}

	/* An answer of the store that concerns whoever has it. */
	void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure) {
		User user = user();
		if (user != null) {
			user.answered(sent, answer, failure);
		}
	}

	/* Ask the store for it by some moment, however lately it has confirmed it. */
	void lookBy(long moment) {
		if (user() == null) {
			return;
		}
		this.doubted = !this.terms.lease().renewed();
		if (this.renewAt - moment > 0) {
			this.renewAt = moment;
			watch();
		}
	}

	/* Ask the store for it at once, in addition to its renewals. */
	void look() {
		PeriodicRenewal look = new PeriodicRenewal(this);
		look.decide(this.terms, core().now());
		this.cohort.leave(look);
	}

	/* Ring for its renewal, its deadline, or what limits its user. */
	void watch() {
		User user = user();
		long look = nextLook();
		long limit = (user != null) ? user.limit() : look;
		core().watchdog().set(this, (limit - look < 0) ? limit : look);
	}

	/* The alarm stands as it was set for the hold before, unless it is needed sooner. */
	void watchNext() {
		User user = user();
		if (user != null && user.limit() - nextLook() < 0) {
			watch();
		}
	}

	/* When to look at it next, whatever its hold needs. */
	private long nextLook() {
		return (this.renewAt - deadline() < 0) ? this.renewAt : deadline();
	}

	/* Stop renewing. */
	void end() {
		core().watchdog().cancel(this);
	}

	/*
	 * Stop renewing, and take the step that ends it in the store; after the renewal that
	 * is under way, so that nothing renews it afterwards.
	 */
	void end(Runnable farewell) {
		if (this.renewing > 0) {
			expectAnswer(this.terms, farewell);
		}
		else {
			end();
			farewell.run();
		}
	}

	/*
	 * Take a step if the renewal under way has no answer in time, which was promised. It
	 * is not renewed meanwhile.
	 */
	void expectAnswer(Terms asked, Runnable overdue) {
		this.farewell = overdue;
		this.renewAt = core().now() + 2 * asked.timeout().toNanos();
		core().watchdog().set(this, this.renewAt);
	}

	/* It has one. */
	void endExpectation() {
		this.farewell = null;
	}

	/* What is over is declared over. */
	@Override
	public void expire(long now) {
		this.cohort.change(subject(), () -> {
			User user = user();
			if (user != null) {
				user.expire(now);
			}
		});
	}

	/* Who has it is looked at, and it is renewed if that is due. */
	@Override
	public void proceed(long now) {
		PeriodicRenewal renewal = new PeriodicRenewal(this);
		this.cohort.change(this, () -> {
			User user = user();
			if (user == null) {
				bidFarewellIfDue(now);
				return;
			}
			long due = now - overdue(now);
			boolean comesDue = comesDue(now);
			// Set before the rest: whatever fails in this turn, there is a next one.
			watch();
			if (user.endIfAbandoned()) {
				return;
			}
			if (comesDue) {
				renewal.decide(this.terms, due);
			}
			user.warn(now);
		});
		if (renewal.isDecided()) {
			try {
				core().watchdog().renew(renewal);
			}
			catch (Throwable ex) {
				renewal.accept(null, ex);
			}
		}
	}

	/* Guard against a turn that has begun with the alarm of the user before. */
	private void bidFarewellIfDue(long now) {
		if (this.renewAt - now <= 0) {
			bidFarewell();
		}
		else if (this.farewell != null) {
			core().watchdog().set(this, this.renewAt);
		}
	}

	/* Its renewals have had their answers, or wait for them in vain. */
	private void bidFarewell() {
		Runnable farewell = this.farewell;
		if (farewell != null) {
			this.farewell = null;
			end();
			farewell.run();
		}
	}

	private void answered(Terms asked, long sent, @Nullable RenewAnswer answer, @Nullable Throwable ex) {
		boolean renewed = asked.lease().renewed();
		if (renewed) {
			mayLast(sent + asked.length());
		}
		endRenewal();
		User user = user();
		// One of a hold before with another lease says nothing of this one's.
		if (user == null || !asked.equals(this.terms)) {
			return;
		}
		if (renewed || answer instanceof RenewAnswer.Gone) {
			user.answered(sent, answer, ex);
		}
		else if (answer == null) {
			this.looks = (byte) Math.min(this.looks + 1, Byte.MAX_VALUE);
			lookBy(core().now() + StoreCalls.backoff(this.looks, core().chance()));
		}
		else {
			this.looks = 0;
			if (this.budget != null) {
				this.budget.confirmed(sent);
			}
		}
	}

	/* How long ago a renewal was due that was not sent; zero or less for none. */
	long overdue(long now) {
		return (this.terms.lease().renewed() && this.renewing == 0) ? now - this.renewAt : 0;
	}

	/* Whether it is to be renewed now; one that is not renewed is only looked at. */
	private boolean comesDue(long now) {
		if (this.renewAt - now > 0) {
			return false;
		}
		boolean renewed = this.terms.lease().renewed() || this.doubted;
		this.doubted = false;
		// By then it is answered, or the store has broken its promise.
		this.renewAt = renewed ? now + 2 * this.terms.timeout().toNanos()
				: now + this.terms.nextRenewal(core().chance());
		return renewed;
	}

	RenewCommand beginRenewal(Terms terms) {
		core().noticeSleepFor(terms, core().now());
		return beginRenewal(terms.lease().duration(), terms.timeout());
	}

	RenewCommand beginRenewal(Duration lease, Duration timeout) {
		this.renewing++;
		return new RenewCommand(this.cohort.key, id(), this.firstToken, lease, needsBlock(), timeout);
	}

	/* Whether a renewal is to bring more tokens. */
	private boolean needsBlock() {
		return this.budget != null && !this.budget.hasToken() && this.cohort.isAwaited()
				&& suits(this.cohort.waiters().first());
	}

	/* One for these terms was answered, or has failed. */
	void endRenewal(long sent, Terms terms) {
		mayLast(sent + terms.length());
		endRenewal();
	}

	private void endRenewal() {
		this.renewing--;
		if (this.renewing == 0) {
			bidFarewell();
		}
	}

	/* The store has confirmed that it lasts as long as the terms of the next hold say. */
	void adapt(Terms terms, long sent) {
		this.outlivesTerms |= this.terms.length() - terms.length() > 0;
		this.terms = terms;
		setDeadline(sent + terms.valid());
		confirm(sent);
	}

	/* The store has confirmed a renewal that was sent at some moment. */
	void confirm(long sent) {
		long deadline = sent + this.terms.valid();
		if (deadline - deadline() > 0) {
			setDeadline(deadline);
		}
		this.renewAt = sent + this.terms.nextRenewal(core().chance());
		core().noticeSleepFor(this.terms, sent);
		if (this.budget != null) {
			this.budget.confirmed(sent);
		}
		this.renewals++;
		this.failures = 0;
		watch();
	}

	/* A renewal has failed: another one soon. */
	void retry(long now) {
		this.failures = (byte) Math.min(this.failures + 1, Byte.MAX_VALUE);
		this.renewAt = now + StoreCalls.backoff(this.failures, core().chance());
		watch();
	}

	/**
	 * Who has a grant: callers by a hold, or nobody for a while. Methods are parts of a
	 * step of the cohort; answers are to the terms of now.
	 */
	interface User extends Cohort.State {

		/* Whether it has this one, and that is not about to end. */
		boolean has(Grant grant);

		/* When it is to be looked at, whatever the grant needs. */
		long limit();

		/* One of answer and failure is there, unless the store breaks its promise. */
		void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable failure);

		/* It ends if its time is over. */
		void expire(long now);

		/* The key was taken from it. */
		void forced();

		/* Visit the callers, each by itself. */
		default void forEach(Consumer<User> visitor) {
		}

		/* Whether it has ended since nobody is left who could. */
		default boolean endIfAbandoned() {
			return false;
		}

		/* Somebody hears of it if it lasts long. */
		default void warn(long now) {
		}

		/* One more has it. */
		default void add(User caller) {
		}

		/* As Grant.isLeft says, which is asked where several have it. */
		default boolean isLeft(User caller, LockLoss.@Nullable Reason reason) {
			return true;
		}

		/* As Grant.isOwed says. */
		default boolean isOwed() {
			return true;
		}

		/* As Grant.keep says. */
		default long keptFor(long now) {
			return 0;
		}

		/* Whether nothing has happened to it that whoever comes next must not have. */
		default boolean isWhole() {
			return true;
		}

	}

	/**
	 * A renewal by the watchdog.
	 */
	private static final class PeriodicRenewal extends Renewal {

		private final Grant grant;

		private @Nullable Terms terms;

		private PeriodicRenewal(Grant grant) {
			super(grant.cohort);
			this.grant = grant;
		}

		private void decide(Terms terms, long due) {
			this.terms = terms;
			decide(this.grant.beginRenewal(terms.lease().renewed() ? terms.lease().duration() : LOOK, terms.timeout()),
					due);
		}

		/* Of one that is sent by itself, outside of a turn. */
		@Override
		long patience() {
			return Objects.requireNonNull(this.terms).timeout().toNanos();
		}

		@Override
		Steps.Revertible subject() {
			return this.grant;
		}

		@Override
		void answered(@Nullable RenewAnswer answer, @Nullable Throwable failure) {
			if (answer != null) {
				Duration took = Duration.ofNanos(core().now() - this.sent);
				this.cohort.afterwards(() -> core().events().renewalAnswered(took));
			}
			this.grant.answered(Objects.requireNonNull(this.terms), this.sent, answer, failure);
		}

	}

}
