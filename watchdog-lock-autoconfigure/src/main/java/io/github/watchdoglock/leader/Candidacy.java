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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
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
 * An instance's part in the election of one role: a loop of asking for the lock, leading,
 * waiting for the work of the term to end, releasing the lock, and maybe a pause. So no
 * second term begins before the work of the first has ended, and the lock is asked for
 * again after its release, which puts this instance behind all that wait. Thread-safe.
 * <p>
 * All that happens is a task, and tasks run one after another. They neither block nor run
 * users' code: work, listeners and the log have threads of their own.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Candidacy implements Leadership {

	private static final Logger logger = System.getLogger(Candidacy.class.getName());

	private static final String THREAD = "watchdog-lock-leader";

	private final String role;

	private final Surroundings around;

	private final RoleSettings settings;

	private final LeaderNews news;

	private final BooleanSupplier open;

	private final SerialTasks tasks = new SerialTasks(Runnable::run, this::failed);

	/** Whether there is work that has to be the only one of its kind. */
	private final AtomicBoolean taken = new AtomicBoolean();

	private volatile boolean declared;

	private volatile @Nullable Term term;

	/* Only tasks use the fields below. */

	private State state = State.NONE;

	private final List<LeaderWork> works = new ArrayList<>();

	private final Pauses pauses = new Pauses();

	private @Nullable CompletableFuture<LockHandle> asked;

	/** Counts questions and pauses: the end of an earlier one has no effect. */
	private int round;

	/** How long to pause after this term. */
	private Duration rest = Duration.ZERO;

	private boolean failing;

	/** Its work was overdue. */
	private @Nullable Term warned;

	/** Its end has failed. */
	private @Nullable Term abandoned;

	/** Completed when the term of now is over and its lock is released. */
	private final List<CompletableFuture<Void>> stopping = new ArrayList<>();

	/**
	 * Create a candidacy.
	 * @param role the role
	 * @param around what all candidacies share
	 * @param settings what applies to the role
	 * @param news notifies listeners
	 * @param open whether this instance may lead
	 */
	Candidacy(String role, Surroundings around, RoleSettings settings, LeaderNews news, BooleanSupplier open) {
		this.role = role;
		this.around = around;
		this.settings = settings;
		this.news = news;
		this.open = open;
	}

	/* False, and nothing is done, if there is such work already. */
	boolean declareOnce(LeaderWork work) {
		boolean first = this.taken.compareAndSet(false, true);
		if (first) {
			declare(work);
		}
		return first;
	}

	/* This instance is a candidate, from its start on. */
	void declare(@Nullable LeaderWork work) {
		this.declared = true;
		this.tasks.execute(() -> {
			this.declared = true;
			if (work != null) {
				this.works.add(work);
				Term current = this.term;
				if (this.state == State.LEADING && current != null) {
					begin(current, work);
				}
			}
			ask();
		});
	}

	void open() {
		this.tasks.execute(this::ask);
	}

	/* Give the term up. The future is completed when no work is left. */
	CompletableFuture<Void> shut() {
		CompletableFuture<Void> done = new CompletableFuture<>();
		Thread caller = Thread.currentThread();
		endNow(LockLoss.Reason.SHUTDOWN);
		this.tasks.execute(() -> {
			withdraw(LockLoss.Reason.SHUTDOWN, done);
			this.tasks.execute(() -> dropListeners(caller));
			// It may have been started again meanwhile.
			ask();
		});
		return done;
	}

	@Override
	public void close() {
		this.tasks.execute(() -> {
			this.declared = false;
			this.works.clear();
			withdraw(LockLoss.Reason.RESIGNED, new CompletableFuture<>());
		});
		this.taken.set(false);
		resign();
	}

	private void withdraw(LockLoss.Reason reason, CompletableFuture<Void> done) {
		Term current = this.term;
		if (current == null) {
			forgetRound();
			done.complete(null);
		}
		else {
			this.stopping.add(done);
			end(current, reason, Pauses::none, null);
		}
	}

	/* The end of a question or pause has no effect any more. */
	private void forgetRound() {
		this.round++;
		this.state = State.NONE;
		CompletableFuture<LockHandle> asked = this.asked;
		this.asked = null;
		if (asked != null) {
			asked.cancel(true);
		}
	}

	/*
	 * A listener that stops what it listens to does not wait for itself. One that waits
	 * for another thread to do so cannot be told from one that is slow.
	 */
	private void dropListeners(Thread caller) {
		Term current = this.term;
		if (current == null) {
			return;
		}
		if (current.handle.loss().isPresent()) {
			drop(current, Farewell.class::isInstance);
			return;
		}
		drop(current, (part) -> part.isOf(caller));
		later(this.settings.grace(), () -> {
			warnOfOverdueWork(current);
			drop(current, Farewell.class::isInstance);
		});
	}

	private void drop(Term current, Predicate<TermPart> which) {
		current.parts().removeIf(which);
		release(current);
	}

	private void later(Duration delay, Runnable task) {
		this.around.delays().after(delay, () -> this.tasks.execute(task));
	}

	/* Unless something is under way. */
	private void ask() {
		if (this.state != State.NONE || !isCandidate()) {
			return;
		}
		this.state = State.ASKING;
		int number = ++this.round;
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
		this.asked = answer;
		answer.whenComplete((handle, failure) -> this.tasks.execute(() -> answered(number, handle, failure)));
	}

	private void answered(int number, @Nullable LockHandle handle, @Nullable Throwable failure) {
		boolean late = this.state != State.ASKING || this.round != number;
		Throwable reason = failure;
		Term next = null;
		if (handle != null && !late) {
			try {
				// The answer may have waited for a thread while another instance became
				// the leader.
				LockLoss lost = handle.loss().orElse(null);
				next = (lost != null) ? null : new Term(this.role, handle, this.around);
				reason = (lost != null) ? new LockLostException(lost) : null;
			}
			catch (RuntimeException ex) {
				reason = ex;
			}
		}
		if (handle != null && next == null) {
			handle.closeAsync();
		}
		if (late) {
			return;
		}
		this.asked = null;
		if (next != null) {
			lead(next);
		}
		else {
			warnOnce(reason);
			pause(this.settings.retry());
		}
	}

	private void warnOnce(@Nullable Throwable failure) {
		if (!this.failing) {
			this.failing = true;
			Throwable cause = (failure instanceof CompletionException && failure.getCause() != null)
					? failure.getCause() : failure;
			log(Level.WARNING, "Can't stand for '" + this.role + "', and goes on trying: "
					+ ((cause != null) ? cause.getMessage() : "LockService.acquireAsync returned no LockHandle"), null);
		}
	}

	private void lead(Term begun) {
		this.failing = false;
		this.state = State.LEADING;
		this.term = begun;
		this.news.granted(begun);
		begun.handle.whenLost().thenAccept((loss) -> end(begun, loss.reason(), Pauses::none, null));
		this.works.forEach((work) -> begin(begun, work));
		log(Level.INFO, "Leads '" + this.role + "' (term " + begun.number() + ")", null);
	}

	private void begin(Term current, LeaderWork work) {
		LeadingThread part = new LeadingThread(current, work, this.around,
				(ended, failure) -> ended(current, ended, failure));
		if (current.add(part)) {
			part.start();
		}
	}

	/* By the thread of the work: the end of one work gives the term up. */
	private void ended(Term current, TermPart part, @Nullable Throwable failure) {
		LockLoss.Reason reason = current.handle.loss().map(LockLoss::reason).orElse(LockLoss.Reason.RESIGNED);
		Duration led = Duration.ofNanos(this.around.threads().elapsed() - current.begun);
		current.remove(part);
		boolean first = end(current, reason, (reason != LockLoss.Reason.RESIGNED) ? Pauses::none
				: (failure != null) ? (pauses) -> pauses.afterFailure(led) : Pauses::afterReturn, failure);
		if (failure != null && !(first && reason == LockLoss.Reason.RESIGNED)) {
			log(Level.DEBUG, "The work of " + current + " ended by an exception", failure);
		}
		this.tasks.execute(() -> release(current));
	}

	private void remove(Term current, TermPart part) {
		current.remove(part);
		this.tasks.execute(() -> release(current));
	}

	@Override
	public void resign() {
		endNow(LockLoss.Reason.RESIGNED);
	}

	/* From now on this instance does not lead. */
	private void endNow(LockLoss.Reason reason) {
		Term current = this.term;
		if (current != null) {
			end(current, reason, Pauses::none, null);
		}
	}

	/* The end of the term of a number, if it is the one of now. */
	void resign(long number) {
		Term current = this.term;
		if (current != null && current.number() == number) {
			end(current, LockLoss.Reason.RESIGNED, Pauses::none, null);
		}
	}

	/* By any thread; false if it was over before. */
	private boolean end(Term current, LockLoss.Reason reason, Function<Pauses, Duration> pausing,
			@Nullable Throwable failure) {
		boolean first = current.end(reason);
		if (first) {
			this.tasks.execute(() -> over(current, reason, pausing.apply(this.pauses), failure));
		}
		return first;
	}

	private void over(Term current, LockLoss.Reason reason, Duration rest, @Nullable Throwable failure) {
		if (this.term != current) {
			return;
		}
		this.state = State.ENDING;
		this.rest = rest;
		List<TermPart> work = List.copyOf(current.parts());
		this.news.revoked(current, reason, (part) -> remove(current, part));
		later(this.settings.grace(), () -> warnOfOverdueWork(current));
		later(this.settings.patience(), () -> forsake(current));
		work.forEach((part) -> revoke(part, reason));
		boolean wanted = reason == LockLoss.Reason.RESIGNED || reason == LockLoss.Reason.SHUTDOWN;
		log(wanted ? Level.INFO : Level.WARNING,
				"Leads '" + this.role + "' no more (term " + current.number() + "): " + reason.tag(), null);
		if (failure != null && wanted) {
			log(Level.WARNING, "The work of " + current + " failed, and the term is given up; stands again in "
					+ rest.toSeconds() + " s", failure);
		}
		release(current);
	}

	/* An interrupt may block. */
	private void revoke(TermPart part, LockLoss.Reason reason) {
		if (part.isInterrupted()) {
			this.around.start(THREAD, () -> part.revoke(reason));
		}
		else {
			part.revoke(reason);
		}
	}

	private void warnOfOverdueWork(Term current) {
		List<TermPart> left = List.copyOf(current.parts());
		if (!left.isEmpty() && this.warned != current) {
			this.warned = current;
			this.around.log(logger, Level.WARNING, () -> {
				StringBuilder text = new StringBuilder("The work of " + current + " goes on though it is over since "
						+ this.settings.grace().toMillis() + " ms; this instance does not stand again before it ends");
				left.forEach((part) -> {
					text.append(System.lineSeparator()).append(part);
					part.stack().forEach((line) -> text.append(System.lineSeparator()).append(line));
				});
				return text.toString();
			}, null);
		}
	}

	/* Work that goes on for so long costs the lease. */
	private void forsake(Term current) {
		if (this.state == State.ENDING && this.term == current) {
			try {
				this.around.locks().forsake(current.handle);
			}
			catch (RuntimeException ex) {
				log(Level.DEBUG, "The lease of " + current + " ends with its context", ex);
			}
		}
	}

	/* If no work is left. */
	private void release(Term current) {
		if (this.state == State.ENDING && this.term == current && current.parts().isEmpty()) {
			this.state = State.RELEASING;
			CompletableFuture<Void> released;
			try {
				released = current.handle.closeAsync();
			}
			catch (RuntimeException ex) {
				released = CompletableFuture.failedFuture(ex);
			}
			released.whenComplete((nothing, failure) -> this.tasks.execute(() -> released(current)));
		}
	}

	private void released(Term current) {
		if (this.term != current) {
			return;
		}
		this.term = null;
		List<CompletableFuture<Void>> done = List.copyOf(this.stopping);
		this.stopping.clear();
		if (!done.isEmpty()) {
			// Users' code depends on them, and may end the JVM: the log comes first.
			this.around.lines().execute(() -> done.forEach((each) -> each.complete(null)));
		}
		pause(this.rest);
	}

	private void pause(Duration time) {
		this.state = State.NONE;
		if (time.isZero()) {
			ask();
		}
		else if (isCandidate()) {
			this.state = State.PAUSING;
			int number = ++this.round;
			later(time, () -> {
				if (this.state == State.PAUSING && this.round == number) {
					this.state = State.NONE;
					ask();
				}
			});
		}
	}

	/* An error in a task ends the term; one while it ends costs the lease. */
	private void failed(Throwable error) {
		Term current = this.term;
		if (current == null) {
			this.tasks.execute(() -> {
				forgetRound();
				pause(this.settings.retry());
			});
		}
		else if (current.end(LockLoss.Reason.FAILED)) {
			this.tasks.execute(() -> over(current, LockLoss.Reason.FAILED, this.settings.retry(), null));
		}
		else if (this.abandoned != current) {
			this.abandoned = current;
			this.tasks.execute(() -> abandon(current));
		}
		log(Level.WARNING, "The candidacy for '" + this.role + "' failed, and begins anew", error);
	}

	private void abandon(Term current) {
		if (this.term == current && this.state != State.RELEASING) {
			this.state = State.ENDING;
			current.parts().forEach((part) -> revoke(part, LockLoss.Reason.FAILED));
			forsake(current);
			release(current);
		}
	}

	private void log(Level level, String text, @Nullable Throwable thrown) {
		this.around.log(logger, level, () -> text, thrown);
	}

	/* Null if this instance does not lead. */
	@Nullable TermShare share(OnLoss onLoss, @Nullable Thread thread) {
		Term current = this.term;
		if (current == null || !current.isLeading()) {
			return null;
		}
		TermShare share = new TermShare(current, onLoss, thread, this.around, (closed) -> remove(current, closed));
		return current.add(share) ? share : null;
	}

	@Override
	public String role() {
		return this.role;
	}

	@Override
	public boolean isLeader() {
		return term().isPresent();
	}

	@Override
	public Optional<LeaderTerm> term() {
		Term current = this.term;
		return (current != null && current.isLeading()) ? Optional.of(current) : Optional.empty();
	}

	@Override
	public Runnable addListener(LeaderListener listener) {
		Audience audience = new Audience(listener, this.around);
		this.tasks.execute(() -> this.news.add(audience, (this.state == State.LEADING) ? this.term : null));
		return () -> this.tasks.execute(() -> this.news.remove(audience));
	}

	void atRisk(long number, Duration remaining, Throwable cause) {
		notifyOf(number, (current) -> this.news.atRisk(current, remaining, cause));
	}

	void recovered(long number) {
		notifyOf(number, this.news::recovered);
	}

	private void notifyOf(long number, Consumer<Term> notification) {
		this.tasks.execute(() -> {
			Term current = this.term;
			if (this.state == State.LEADING && current != null && current.number() == number) {
				notification.accept(current);
			}
		});
	}

	private boolean isCandidate() {
		return this.declared && this.open.getAsBoolean();
	}

	RoleStatus status() {
		Term current = this.term;
		boolean leading = current != null && current.isLeading();
		Instant since = (leading && current != null) ? current.since : null;
		return new RoleStatus(this.role, this.declared, isCandidate(), leading, since,
				(current != null) ? current.number() : 0, (current != null && !leading) ? current.parts().size() : 0);
	}

	/**
	 * What a candidacy does at the moment.
	 */
	private enum State {

		/** Nothing. */
		NONE,

		/** It has asked for the lock, and waits without end. */
		ASKING,

		/** It leads. */
		LEADING,

		/** The term is over, and its work goes on. */
		ENDING,

		/** No work is left, and the lock is being released. */
		RELEASING,

		/** It does not ask for a while. */
		PAUSING

	}

}
