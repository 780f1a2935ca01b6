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

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockSnapshot.Mode;
import io.github.watchdoglock.listener.EngineObserver.Held;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.repeat.Undo;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore.RenewAnswer;
import io.github.watchdoglock.store.ReleaseCommand;
import io.github.watchdoglock.store.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * What callers have of a grant: HELD, then RELEASED or LOST, once. Methods are parts of a
 * step of the cohort, but for {@link #isHeld(long)} and {@link #loss(long)}.
 */
final class Hold extends HandleOwners implements Grant.User, Held {

	final Grant grant;

	/** The key as the caller named it. */
	final LockKey key;

	final long token;

	private final Mode mode;

	final long acquired;

	HoldRules rules;

	/*
	 * Created on request. Callbacks of users may refer to their handles, and must not
	 * keep those of no thread from being collected: their handles keep the future.
	 */
	private @Nullable Reference<CompletableFuture<LockLoss>> whenLost;

	/** The same, as long as a thread has the hold. */
	private @Nullable CompletableFuture<LockLoss> whenLostByThread;

	/** Whether somebody was told that it lasts unusually long. */
	private boolean calledLong;

	/** Whether its deadline may be that of a lease which had another margin. */
	boolean strengthened;

	/** Of a fenced hold: what its guard has admitted it with. */
	private volatile @Nullable Object admission;

	private volatile State state = State.HELD;

	private volatile @Nullable LockLoss loss;

	Hold(Grant grant, Waiter waiter, long token, long acquired) {
		super(waiter.thread);
		this.grant = grant;
		this.key = waiter.key;
		this.token = token;
		this.mode = waiter.mode();
		this.acquired = acquired;
		this.rules = waiter.rules;
	}

	/*
	 * A caller has its turn. It is woken first: all others who wait do so for it.
	 */
	static void begin(Grant grant, Waiter waiter, long token, Runnable whenWoken) {
		Cohort cohort = grant.cohort;
		Core core = cohort.core();
		long now = core.now();
		Hold hold = new Hold(grant, waiter, token, now);
		grant.begin(hold);
		cohort.beginUse();
		cohort.waiters().grant(waiter, Handle.first(hold));
		whenWoken.run();
		hold.tell((events) -> events.acquired(hold, Duration.ofNanos(now - waiter.start)));
	}

	@Override
	public LockKey key() {
		return this.key;
	}

	@Override
	public long token() {
		return this.token;
	}

	@Override
	public Mode mode() {
		return this.mode;
	}

	/* How it has its key, which who reads may have of a grant that is nobody else's. */
	Kind kind() {
		return (this.mode == Mode.READ) ? Kind.READ : this.grant.kind();
	}

	@Nullable Object admission() {
		return this.admission;
	}

	/* By the thread that has it, not within a step. */
	void admit(Object admission) {
		this.admission = admission;
	}

	private Core core() {
		return this.grant.cohort.core();
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
		Hold hold = (Hold) before;
		revert((HandleOwners) hold);
		this.whenLost = hold.whenLost;
		this.whenLostByThread = hold.whenLostByThread;
		this.calledLong = hold.calledLong;
		this.strengthened = hold.strengthened;
		this.rules = hold.rules;
		this.loss = hold.loss;
		this.state = hold.state;
	}

	@Override
	public Grant grant() {
		return this.grant;
	}

	@Override
	public void lookAgain(long now) {
		this.grant.ring(now);
	}

	boolean isOpen() {
		return this.state == State.HELD;
	}

	boolean isHeld(long now) {
		return this.state == State.HELD && this.grant.left(now) > 0;
	}

	/* The loss, also where only the clock has noticed it yet. */
	@Nullable LockLoss loss(long now) {
		LockLoss loss = this.loss;
		if (loss == null && this.state == State.HELD && this.grant.left(now) <= 0) {
			return new LockLoss(this.key, this.token, LockLoss.Reason.EXPIRED);
		}
		return loss;
	}

	Duration remaining(long now) {
		return isHeld(now) ? Duration.ofNanos(this.grant.left(now)) : Duration.ZERO;
	}

	@Override
	public boolean has(Grant grant) {
		return this.grant == grant && isOpen();
	}

	@Override
	public Waiter.Outcome.Refused refusal(long now) {
		return new Waiter.Outcome.Refused(core().label(thread()), remaining(now));
	}

	@Override
	public long limit() {
		return this.rules.nextLimit(this.acquired, this.grant.terms, this.calledLong);
	}

	/* A re-entry has the key stay taken for so long from now, if it is closed before. */
	void keepFor(long minHold) {
		if (minHold > 0) {
			this.rules = this.rules.keptFor(core().now() - this.acquired + minHold);
		}
	}

	/* It may last for so long from now; answers until when, to lift that. */
	long limit(long maxHold) {
		long end = core().now() + maxHold;
		this.rules = this.rules.limited(end);
		this.grant.watch();
		return end;
	}

	void lift(long end) {
		this.rules = this.rules.lifted(end);
	}

	@Override
	public void expire(long now) {
		if (this.grant.left(now) <= 0) {
			long late = this.grant.overdue(now);
			if (late > 0) {
				this.grant.cohort.afterwards(() -> core().events().renewalSent(Duration.ofNanos(late)));
			}
			lose(LockLoss.Reason.EXPIRED);
		}
		else if (this.rules.end(this.acquired) - now <= 0) {
			exceed(Duration.ofNanos(now - this.acquired));
		}
	}

	@Override
	public boolean excludes(Kind kind) {
		return isOpen() && this.grant.kind().isPermit() != kind.isPermit();
	}

	@Override
	public void forced() {
		lose(LockLoss.Reason.FORCED);
	}

	@Override
	public void forEach(Consumer<Grant.User> visitor) {
		if (isOpen()) {
			visitor.accept(this);
		}
	}

	/*
	 * Its stack is looked at before it is interrupted, which makes it do something else.
	 */
	private void exceed(Duration held) {
		Thread thread = thread();
		lose(LockLoss.Reason.MAX_HOLD, () -> {
			List<StackTraceElement> stack = HandleOwners.stack(thread);
			core().events().maxHoldExceeded(this.key, this.token, held, stack);
		});
	}

	@Override
	public boolean endIfAbandoned() {
		if (isAbandoned()) {
			Thread thread = thread();
			String name = (thread != null) ? thread.getName() : null;
			tell((listener) -> listener.abandoned(this.key, this.token, name));
			lose(LockLoss.Reason.ABANDONED);
			return true;
		}
		return false;
	}

	@Override
	public void warn(long now) {
		if (!this.calledLong && this.rules.longHold(this.grant.terms) - (now - this.acquired) <= 0) {
			this.calledLong = true;
			Duration held = Duration.ofNanos(now - this.acquired);
			tellWithStack((listener, stack) -> listener.longHold(this.key, this.token, held, stack));
		}
	}

	/* Tell listeners after the step of now. */
	void tell(Consumer<Events> news) {
		this.grant.cohort.afterwards(() -> news.accept(core().events()));
	}

	/*
	 * Not on the watchdog's thread: a stack takes a while, and many may be due at once.
	 */
	private void tellWithStack(BiConsumer<LockListener, List<StackTraceElement>> news) {
		Thread thread = thread();
		this.grant.cohort.afterwards(
				() -> core().interrupts().execute(() -> news.accept(core().events(), HandleOwners.stack(thread))));
	}

	@Override
	public void answered(long sent, @Nullable RenewAnswer answer, @Nullable Throwable ex) {
		long now = core().now();
		if (this.grant.left(now) <= 0) {
			// It was over before the answer came: nothing revives it.
			lose(LockLoss.Reason.EXPIRED);
		}
		else if (answer instanceof RenewAnswer.Renewed renewed) {
			this.grant.note(renewed, now);
			boolean recovered = this.grant.atRisk();
			this.grant.confirm(sent);
			tellRenewed(recovered);
		}
		else if (answer instanceof RenewAnswer.Gone) {
			this.grant.cohort.afterwards(() -> core().events().renewalGone(this.key, this.token));
			lose(goneReason());
		}
		else {
			boolean news = !this.grant.atRisk();
			this.grant.retry(now);
			tellFailed(now, StoreCalls.cause(ex), news);
		}
	}

	void tellRenewed(boolean recovered) {
		tell((listener) -> listener.renewed(this.key, this.token));
		if (recovered) {
			tell((events) -> events.recovered(this));
		}
	}

	void tellFailed(long now, Throwable cause, boolean news) {
		tell((listener) -> listener.renewalFailed(this.key, this.token, cause));
		if (news) {
			Duration left = Duration.ofNanos(this.grant.left(now));
			tell((events) -> events.atRisk(this, left, cause));
		}
	}

	/* Its last handle has been closed in time; false where it was over before. */
	boolean endIfHeld() {
		expireIfOver();
		if (this.state == State.HELD) {
			this.state = State.RELEASED;
			return true;
		}
		LockLoss loss = this.loss;
		if (loss != null && isOwed(loss.reason()) && !this.grant.outlastsFixedTerms() && this.grant.isOwed()) {
			// The store may keep the key for a while, and the work is done now; what
			// outlasts its terms was ended with the loss.
			undo(false);
		}
		return false;
	}

	/* Whether the store may still keep the key of a hold that was lost. */
	static boolean isOwed(LockLoss.Reason reason) {
		return reason == LockLoss.Reason.EXPIRED || reason == LockLoss.Reason.MAX_HOLD
				|| reason == LockLoss.Reason.SHUTDOWN || reason == LockLoss.Reason.OVERTAKEN;
	}

	/* How long nobody is to have the key though it has ended. */
	Duration keep(long now) {
		long own = this.rules.minHold() - (now - this.acquired);
		return Duration.ofNanos(Math.max(own, this.grant.keep(now)));
	}

	/* End whatever the store has of it; nobody waits for the answer. */
	private void undo(boolean keeps) {
		this.grant.end(() -> {
			Undo undo = toUndo(keeps);
			this.grant.cohort.afterwards(() -> core().repeats().begin(undo));
		});
	}

	/* What ends it in the store; its minimum hold may count, and what others owe does. */
	Undo toUndo(boolean keeps) {
		ReleaseCommand command = new ReleaseCommand(this.grant.cohort.key, this.grant.id(), this.token, Duration.ZERO,
				null, this.grant.terms.timeout());
		return new Undo(this.key, this.token, this.grant.leaseEnd(),
				() -> command.keeping(keeps ? keep(core().now()) : Duration.ofNanos(this.grant.keep(core().now()))));
	}

	@Override
	public void expireIfOver() {
		if (this.state == State.HELD && this.grant.left(core().nowNoticingSleep()) <= 0) {
			lose(LockLoss.Reason.EXPIRED);
		}
	}

	/* Whatever else is wrong with it, one whose time is over has expired. */
	void lose(LockLoss.Reason suspected) {
		lose(suspected, null);
	}

	private void lose(LockLoss.Reason suspected, @Nullable Runnable before) {
		long now = core().now();
		LockLoss.Reason reason = (this.grant.left(now) <= 0) ? LockLoss.Reason.EXPIRED : suspected;
		loseAlone(reason, before);
		if (this.grant.isLeft(this, reason)) {
			this.grant.end();
			if (reason == LockLoss.Reason.ABANDONED || this.grant.outlastsFixedTerms()) {
				undo(reason == LockLoss.Reason.ABANDONED);
			}
			this.grant.vacate(null);
		}
	}

	/* Whatever becomes of what it had. */
	void loseAlone(LockLoss.Reason reason, @Nullable Runnable before) {
		long now = core().now();
		this.state = State.LOST;
		LockLoss loss = lost(reason);
		Duration held = Duration.ofNanos(now - this.acquired);
		this.grant.cohort.afterwards(() -> core().lifecycle().end());
		Runnable interruption = beginInterrupt(core().system());
		Thread thread = thread();
		if (before != null || interruption != null) {
			this.grant.cohort.afterwards(() -> {
				if (interruption != null && thread == Thread.currentThread()) {
					// It blocks nobody, and is to be seen at once.
					interruption.run();
				}
				core().interrupts().execute(() -> {
					try {
						if (before != null) {
							before.run();
						}
					}
					finally {
						if (interruption != null) {
							interruption.run();
						}
					}
				});
			});
		}
		this.grant.cohort.afterwards(() -> core().events().lost(this, loss, held));
	}

	/* The store did not know it any more when it was released. */
	LockLoss foundGone() {
		return lost(goneReason());
	}

	/* Why the store does not know it: by what a message has said before, if any did. */
	private LockLoss.Reason goneReason() {
		return this.grant.isForced() ? LockLoss.Reason.FORCED : LockLoss.Reason.GONE;
	}

	private LockLoss lost(LockLoss.Reason reason) {
		LockLoss loss = new LockLoss(this.key, this.token, reason);
		this.loss = loss;
		CompletableFuture<LockLoss> whenLost = (this.whenLost != null) ? this.whenLost.get() : null;
		if (whenLost != null) {
			// A leader hears of it behind nothing that users do.
			Executor told = this.key.isRole() ? core().interrupts() : core().completions();
			this.grant.cohort.afterwards(() -> told.execute(() -> whenLost.complete(loss)));
		}
		return loss;
	}

	CompletableFuture<LockLoss> whenLost() {
		CompletableFuture<LockLoss> future = (this.whenLost != null) ? this.whenLost.get() : null;
		if (future == null) {
			future = new CompletableFuture<>();
			this.whenLost = new WeakReference<>(future);
			this.whenLostByThread = (thread() != null) ? future : null;
			LockLoss loss = this.loss;
			if (loss != null) {
				future.complete(loss);
			}
		}
		return future;
	}

	@Override
	void left() {
		this.whenLostByThread = null;
	}

	private enum State {

		HELD, RELEASED, LOST

	}

}
