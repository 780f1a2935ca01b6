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

package io.github.watchdoglock.leader;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockLostException;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.OnLoss;
import org.jspecify.annotations.Nullable;

/**
 * An instance's part in the election of one role.
 */
final class Candidacy implements Leadership {

	/*
	 * What there is of it, one at a time: nothing; a question for the lock (asked), which
	 * waits without end; a term, which lasts, then is over while its work goes on, then
	 * gives back its lock; a pause. From each of them it goes on to the next by itself,
	 * as long as the instance stands; when it does not, to nothing. So there is no second
	 * term before the work of the first has ended, and no question before its lock is
	 * given back, which puts this instance behind all that wait.
	 *
	 * What is decided is decided under the lock, and told to listeners in that order;
	 * what may block or run what is the user's comes after it, and the log last.
	 */

	private static final Log log = new Log(Candidacy.class);

	private final String role;

	private final Surroundings around;

	private final RoleSettings settings;

	private final LeaderNews news;

	private final ReentrantLock lock = new ReentrantLock();

	/* Read without the lock. */
	private volatile @Nullable Term term;

	/* The rest is guarded by the lock. */
	private final List<LeaderWork> works = new ArrayList<>();

	private final Pauses pauses = new Pauses();

	private boolean declared;

	/** Whether there is work that is to be the only one of its kind. */
	private boolean taken;

	private boolean open;

	/** Whose answer counts; null where nothing was asked. */
	private @Nullable Asked asked;

	/** Whose end counts; null where there is none. */
	private @Nullable Object pause;

	/** How long not to stand after the term of now. */
	private Duration rest = Duration.ZERO;

	private boolean failing;

	/** Complete when there is nothing of it; null where nobody waits for that. */
	private @Nullable CompletableFuture<Void> settled;

	Candidacy(String role, Surroundings around, RoleSettings settings, LeaderNews news) {
		this.role = role;
		this.around = around;
		this.settings = settings;
		this.news = news;
	}

	/* This instance stands for it, from its start on. */
	void declare(@Nullable LeaderWork work) {
		declare(work, false);
	}

	/* False, and nothing is done, where there is such work already. */
	boolean declareOnce(LeaderWork work) {
		return declare(work, true);
	}

	private boolean declare(@Nullable LeaderWork work, boolean once) {
		Term current = null;
		this.lock.lock();
		try {
			if (once && this.taken) {
				return false;
			}
			this.taken |= once;
			this.declared = true;
			if (work != null) {
				this.works.add(work);
				current = this.term;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (current != null && work != null) {
			begin(current, work);
		}
		stand();
		return true;
	}

	void open() {
		this.lock.lock();
		try {
			this.open = true;
		}
		finally {
			this.lock.unlock();
		}
		stand();
	}

	/* Stand no more until it is opened again. Complete when no work is left. */
	CompletionStage<Void> shut() {
		CompletionStage<Void> done = withdraw(LockLoss.Reason.SHUTDOWN, () -> this.open = false);
		Term current = this.term;
		if (current != null) {
			letGoOfListeners(current);
		}
		return done;
	}

	/*
	 * A listener that stops what it listens to does not wait for itself; one that waits
	 * for another thread to do so can't be told from one that is slow.
	 */
	private void letGoOfListeners(Term current) {
		if (current.handle.loss().isPresent()) {
			letGo(current, Farewell.class::isInstance);
		}
		else {
			letGo(current, TermPart::isOwn);
			later(this.settings.grace(), () -> {
				warnOfOverdueWork(current);
				letGo(current, Farewell.class::isInstance);
			});
		}
	}

	private void letGo(Term current, Predicate<TermPart> which) {
		partsOf(current).stream().filter(which).forEach((part) -> remove(current, part));
		release(current);
	}

	@Override
	public void close() {
		var unused = withdraw(LockLoss.Reason.RESIGNED, () -> {
			this.declared = false;
			this.works.clear();
			this.taken = false;
		});
	}

	private CompletionStage<Void> withdraw(LockLoss.Reason reason, Runnable change) {
		CompletableFuture<Void> done;
		Asked waiting;
		Term current;
		this.lock.lock();
		try {
			change.run();
			waiting = this.asked;
			this.asked = null;
			this.pause = null;
			current = this.term;
			done = (this.settled != null) ? this.settled : new CompletableFuture<>();
			if (current != null) {
				this.settled = done;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (waiting != null) {
			waiting.cancel();
		}
		if (current == null) {
			done.complete(null);
		}
		else {
			revoke(current, reason, Pauses::none);
		}
		return done;
	}

	/* Ask for the lock, unless there is something else already. */
	private void stand() {
		Asked next = new Asked();
		this.lock.lock();
		try {
			if (!this.open || !this.declared || this.asked != null || this.term != null || this.pause != null) {
				return;
			}
			this.asked = next;
		}
		finally {
			this.lock.unlock();
		}
		CompletableFuture<LockHandle> answer;
		try {
			answer = this.around.locks()
				.ask(LockRequest.of(LockKey.ofRole(this.role))
					.withWaitTime(Duration.ofMillis(-1))
					.withLease(Lease.renewed(this.settings.lease()))
					.withOnLoss(OnLoss.REPORT));
		}
		catch (Throwable ex) {
			answer = CompletableFuture.failedFuture(ex);
		}
		next.future.complete(answer);
		var unused = answer.whenComplete((handle, failure) -> answered(next, handle, failure));
	}

	private void answered(Asked to, @Nullable LockHandle handle, @Nullable Throwable failure) {
		Term next = null;
		try {
			LockLoss lost = (handle != null) ? handle.loss().orElse(null) : null;
			if (lost != null) {
				// The answer has waited for a thread, and another instance may lead by
				// now.
				failure = new LockLostException(lost);
			}
			else if (handle != null) {
				next = new Term(this.role, handle, this.around);
			}
		}
		catch (Throwable ex) {
			failure = ex;
		}
		answered(to, next, handle, failure);
	}

	private void answered(Asked to, @Nullable Term next, @Nullable LockHandle handle, @Nullable Throwable failure) {
		Term begun = null;
		List<LeaderWork> toDo = List.of();
		boolean first = false;
		Object rests = null;
		Throwable missed = null;
		this.lock.lock();
		try {
			if (this.asked == to) {
				this.asked = null;
				if (next != null) {
					begun = next;
					this.term = begun;
					toDo = List.copyOf(this.works);
					this.failing = false;
					missed = tell(begun);
				}
				else {
					first = !this.failing;
					this.failing = true;
					rests = beginPause();
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		if (begun != null) {
			lead(begun, toDo);
		}
		else if (handle != null) {
			var unused = handle.closeAsync();
		}
		endLater(rests, this.settings.retry());
		if (first) {
			sayWhyNotAnswered(failure);
		}
		Throwable notTold = missed;
		if (notTold != null) {
			log.say(Level.WARNING, () -> "Not all listeners of '" + this.role + "' were told that it is led", notTold);
		}
	}

	/* Who can't be told misses it; the term goes on. */
	private @Nullable Throwable tell(Term begun) {
		try {
			this.news.granted(begun);
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	private void lead(Term begun, List<LeaderWork> toDo) {
		var unused = begun.handle.whenLost().thenAccept((loss) -> revoke(begun, loss.reason(), Pauses::none));
		toDo.forEach((work) -> begin(begun, work));
		log.say(Level.INFO, () -> "Leads '" + this.role + "' (term " + begun.number() + ")");
	}

	/*
	 * The store has failed, or the lock was lost before its answer arrived: it is asked
	 * again, for as long as it takes.
	 */
	private void sayWhyNotAnswered(@Nullable Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		log.say(Level.WARNING, () -> "Can't stand for '" + this.role + "', and goes on trying: "
				+ ((cause != null) ? cause.getMessage() : "LockService.acquireAsync returned no LockHandle"));
	}

	/* By who has the lock. Null where this instance does not stand any more. */
	private @Nullable Object beginPause() {
		if (!this.open || !this.declared) {
			return null;
		}
		Object begun = new Object();
		this.pause = begun;
		return begun;
	}

	private void endLater(@Nullable Object begun, Duration time) {
		if (begun == null) {
			return;
		}
		try {
			this.around.delays().after(time, () -> endPause(begun));
		}
		catch (Throwable ex) {
			// Not at once: a store that fails is asked again by this.
			waitOut(begun, time);
		}
	}

	private void waitOut(Object begun, Duration time) {
		try {
			this.around.threads().start("watchdog-lock-leader", () -> {
				this.around.threads().park(this, time.toNanos());
				endPause(begun);
			});
		}
		catch (Throwable ex) {
			this.lock.lock();
			try {
				// Whoever declares it anew, or starts, has it stand again.
				this.pause = (this.pause != begun) ? this.pause : null;
			}
			finally {
				this.lock.unlock();
			}
			log.say(Level.WARNING, () -> "Stands no more for '" + this.role
					+ "' before that is asked for again: neither a delay nor a thread can be had", ex);
		}
	}

	private void endPause(Object begun) {
		this.lock.lock();
		try {
			if (this.pause != begun) {
				return;
			}
			this.pause = null;
		}
		finally {
			this.lock.unlock();
		}
		stand();
	}

	private void begin(Term current, LeaderWork work) {
		LeadingThread part = new LeadingThread(current, work, this.around.threads(), this.around.classes(),
				(ended, failure) -> ended(current, ended, failure));
		this.lock.lock();
		try {
			if (current.isOver()) {
				return;
			}
			current.add(part);
		}
		finally {
			this.lock.unlock();
		}
		part.start();
	}

	/* Null where this instance does not lead. */
	@Nullable TermShare share(OnLoss onLoss, @Nullable Thread thread) {
		Term current = this.term;
		if (current == null || !current.isLeading()) {
			return null;
		}
		TermShare share = new TermShare(current, onLoss, thread, this.around.threads(), (closed) -> {
			remove(current, closed);
			release(current);
		});
		this.lock.lock();
		try {
			if (current.isOver()) {
				return null;
			}
			current.add(share);
			return share;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void remove(Term current, TermPart part) {
		this.lock.lock();
		try {
			current.remove(part);
		}
		finally {
			this.lock.unlock();
		}
	}

	/* Work that ends by itself gives the term up. */
	private void ended(Term current, TermPart part, @Nullable Throwable failure) {
		LockLoss.Reason reason = current.handle.loss().map(LockLoss::reason).orElse(LockLoss.Reason.RESIGNED);
		Duration led = Duration.ofNanos(this.around.threads().elapsed() - current.begun);
		remove(current, part);
		Duration pause = revoke(current, reason, (reason != LockLoss.Reason.RESIGNED) ? Pauses::none
				: (failure != null) ? (pauses) -> pauses.afterFailure(led) : Pauses::afterReturn);
		release(current);
		if (failure != null && pause != null && reason == LockLoss.Reason.RESIGNED) {
			log.say(Level.WARNING, () -> "The work of " + current
					+ " failed, and the term is given up; stands again in " + pause.toSeconds() + " s", failure);
		}
		else if (failure != null) {
			log.say(Level.DEBUG, () -> "The work of " + current + " ended by an exception", failure);
		}
	}

	@Override
	public void resign() {
		Term current = this.term;
		if (current != null) {
			revoke(current, LockLoss.Reason.RESIGNED, Pauses::none);
		}
	}

	/* The end of the term of a number, if it is the one of now. */
	boolean resign(long number) {
		Term current = this.term;
		if (current == null || current.number() != number) {
			return false;
		}
		revoke(current, LockLoss.Reason.RESIGNED, Pauses::none);
		return true;
	}

	/* Once: the first reason counts. How long to pause then; null where it is not. */
	private @Nullable Duration revoke(Term current, LockLoss.Reason reason, Function<Pauses, Duration> pausing) {
		Consumer<TermPart> told = (part) -> {
			remove(current, part);
			release(current);
		};
		List<TermPart> parts;
		Duration time;
		Throwable missed;
		this.lock.lock();
		try {
			if (this.term != current || current.isOver()) {
				return null;
			}
			current.end(reason);
			time = pausing.apply(this.pauses);
			this.rest = time;
			missed = tell(current, reason, told);
			parts = current.parts();
		}
		finally {
			this.lock.unlock();
		}
		if (!parts.isEmpty()) {
			later(this.settings.grace(), () -> warnOfOverdueWork(current));
			later(this.settings.patience(), () -> forsake(current));
		}
		interrupt(parts.stream().filter((part) -> !(part instanceof Farewell)).toList(), reason);
		release(current);
		log.say((reason == LockLoss.Reason.RESIGNED || reason == LockLoss.Reason.SHUTDOWN) ? Level.INFO : Level.WARNING,
				() -> "Leads '" + this.role + "' no more (term " + current.number() + "): " + reason.tag());
		if (missed != null) {
			log.say(Level.WARNING, () -> "Not all listeners were told of the end of " + current, missed);
		}
		return time;
	}

	/* Who can't be told misses it: the work is interrupted all the same. */
	private @Nullable Throwable tell(Term current, LockLoss.Reason reason, Consumer<TermPart> told) {
		try {
			this.news.revoked(current, reason, told);
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	/*
	 * Where that can't be had, what comes next counts more, also than a line in the log.
	 */
	private void later(Duration delay, Runnable task) {
		try {
			this.around.delays().after(delay, task);
		}
		catch (Throwable ex) {
			// Such a term is warned of by nobody, and ends when its work does.
		}
	}

	/* An interrupt may block, and no part waits for another one. */
	private void interrupt(List<TermPart> parts, LockLoss.Reason reason) {
		TermPart last = null;
		for (TermPart part : parts) {
			if (!part.isInterrupted()) {
				interrupt(part, reason);
				continue;
			}
			if (last != null && !startInterrupt(last, reason)) {
				interrupt(last, reason);
			}
			last = part;
		}
		if (last != null) {
			interrupt(last, reason);
		}
	}

	private boolean startInterrupt(TermPart part, LockLoss.Reason reason) {
		try {
			this.around.threads().start("watchdog-lock-leader", () -> interrupt(part, reason));
			return true;
		}
		catch (Throwable ex) {
			return false;
		}
	}

	private static void interrupt(TermPart part, LockLoss.Reason reason) {
		try {
			part.revoke(reason);
		}
		catch (Throwable ex) {
			log.say(Level.WARNING, () -> "The end of a term could not be told to " + part, ex);
		}
	}

	private void warnOfOverdueWork(Term current) {
		List<TermPart> left;
		this.lock.lock();
		try {
			left = current.takeOverdue();
		}
		finally {
			this.lock.unlock();
		}
		if (!left.isEmpty()) {
			log.say(Level.WARNING, () -> {
				StringBuilder text = new StringBuilder("The work of " + current + " goes on though it is over since "
						+ this.settings.grace().toMillis() + " ms; this instance does not stand again before it ends");
				left.forEach((part) -> {
					text.append(System.lineSeparator()).append(part);
					part.stack().forEach((line) -> text.append(System.lineSeparator()).append(line));
				});
				return text.toString();
			});
		}
	}

	/* What goes on for so long costs the lease. */
	private void forsake(Term current) {
		if (!partsOf(current).isEmpty()) {
			try {
				this.around.locks().forsake(current.handle);
			}
			catch (Throwable ex) {
				log.say(Level.DEBUG, () -> "The lease of " + current + " ends with its context", ex);
			}
		}
	}

	private List<TermPart> partsOf(Term current) {
		this.lock.lock();
		try {
			return current.parts();
		}
		finally {
			this.lock.unlock();
		}
	}

	/*
	 * Give the lock back, if the term is over and no work is left; not while that is
	 * being decided, as where a listener is told by the thread that ends the term.
	 */
	private void release(Term current) {
		if (this.lock.isHeldByCurrentThread()) {
			return;
		}
		boolean now;
		this.lock.lock();
		try {
			now = this.term == current && current.beginRelease();
		}
		finally {
			this.lock.unlock();
		}
		if (now) {
			CompletableFuture<Void> released;
			try {
				released = current.handle.closeAsync();
			}
			catch (Throwable ex) {
				// A handle that nobody has any more is given back by the engine.
				released = CompletableFuture.completedFuture(null);
			}
			var unused = released.whenComplete((nothing, failure) -> released());
		}
	}

	private void released() {
		CompletableFuture<Void> done;
		Duration time;
		Object rests;
		this.lock.lock();
		try {
			this.term = null;
			done = this.settled;
			this.settled = null;
			time = this.rest;
			this.rest = Duration.ZERO;
			rests = time.isZero() ? null : beginPause();
		}
		finally {
			this.lock.unlock();
		}
		try {
			if (rests != null) {
				endLater(rests, time);
			}
			else {
				stand();
			}
		}
		finally {
			if (done != null) {
				done.complete(null);
			}
		}
	}

	@Override
	public String role() {
		return this.role;
	}

	@Override
	public boolean isLeader() {
		Term current = this.term;
		return current != null && current.isLeading();
	}

	@Override
	public Optional<LeaderTerm> term() {
		Term current = this.term;
		return (current != null && current.isLeading()) ? Optional.of(current) : Optional.empty();
	}

	@Override
	public Runnable addListener(LeaderListener listener) {
		this.lock.lock();
		try {
			Term current = this.term;
			return this.news.add(listener, (current != null && !current.isOver()) ? current : null);
		}
		finally {
			this.lock.unlock();
		}
	}

	void atRisk(long number, Duration remaining, Throwable cause) {
		tellWhileItLasts(number, (current) -> this.news.atRisk(current, remaining, cause));
	}

	void recovered(long number) {
		tellWhileItLasts(number, this.news::recovered);
	}

	private void tellWhileItLasts(long number, Consumer<Term> telling) {
		this.lock.lock();
		try {
			Term current = this.term;
			if (current != null && current.number() == number && !current.isOver()) {
				telling.accept(current);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	RoleStatus status() {
		this.lock.lock();
		try {
			Term current = this.term;
			boolean leading = current != null && current.isLeading();
			int overdue = (current != null && !leading) ? current.parts().size() : 0;
			Instant since = (current != null) ? current.since : null;
			return new RoleStatus(this.role, this.declared, this.declared && this.open, leading, leading ? since : null,
					(current != null) ? current.number() : 0, overdue);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * A question for the lock.
	 */
	private static final class Asked {

		private final CompletableFuture<CompletableFuture<LockHandle>> future = new CompletableFuture<>();

		/* Also where it is being asked at this moment. */
		private void cancel() {
			var unused = this.future.thenAccept((answer) -> answer.cancel(true));
		}

	}

}
