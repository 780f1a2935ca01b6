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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderTerm;
import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockStoreException;
import io.github.watchdoglock.OnLoss;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The part of this instance in the election of one role: a loop that requests the lock,
 * leads, waits for the end of the term's work, releases the lock, and possibly pauses. So
 * no second term begins before the work of the first one has ended. The lock is requested
 * again after its release, which puts this instance behind all waiting instances.
 * Thread-safe.
 * <p>
 * Everything that happens is a task, and tasks run one after another. They neither block
 * nor run users' code: work, listeners and the log have threads of their own.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class Candidacy implements Leadership {

	/** The name of threads that exist only for a moment. */
	static final String THREAD = "watchdog-lock-leader";

	private static final Log logger = LogFactory.getLog(Candidacy.class);

	private static final long MAX_PAUSE = 60;

	private final String role;

	private final ElectionContext context;

	private final RoleSettings settings;

	private final BooleanSupplier open;

	private final SerialTasks tasks = new SerialTasks(Runnable::run, this::failed);

	/** The listeners of this role only. */
	private final List<ListenerDispatcher> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Whether the role has work from {@code stand}, which accepts one work for each role.
	 */
	private final AtomicBoolean workReserved = new AtomicBoolean();

	private volatile boolean declared;

	private volatile @Nullable Term term;

	/* Only tasks use the fields below. */

	private State state = State.NONE;

	private final List<LeaderWork> works = new ArrayList<>();

	/**
	 * The request or the pause whose end is awaited: the end of an earlier one has no
	 * effect.
	 */
	private @Nullable CompletableFuture<LockHandle> awaited;

	/** How long to pause after this term. */
	private Duration pauseAfterTerm = Duration.ZERO;

	/** The number of consecutive failures of the work. */
	private int failures;

	/** Whether it is logged that the lock cannot be requested. */
	private boolean failureLogged;

	/**
	 * Create a candidacy.
	 * @param role the role
	 * @param context the objects that all candidacies share
	 * @param settings the settings of the role
	 * @param open whether this instance may lead
	 */
	Candidacy(String role, ElectionContext context, RoleSettings settings, BooleanSupplier open) {
		this.role = role;
		this.context = context;
		this.settings = settings;
		this.open = open;
	}

	/*
	 * Called before work of join() is added; false if there is such work already.
	 */
	boolean reserveWork() {
		return this.workReserved.compareAndSet(false, true);
	}

	/* Make this instance a candidate, from its start on. */
	void declare(@Nullable LeaderWork work) {
		this.tasks.execute(() -> {
			this.declared = true;
			if (work != null) {
				this.works.add(work);
				leading().ifPresent((current) -> begin(current, work));
			}
			requestLock();
		});
	}

	void open() {
		this.tasks.execute(this::requestLock);
	}

	/*
	 * End the term and the candidacy. The future is completed when no work is left. If
	 * the calling thread itself does this work, it cannot wait for the end of the work,
	 * and the key is left to the lease.
	 */
	CompletableFuture<Void> stop() {
		Thread caller = Thread.currentThread();
		return CompletableFuture.supplyAsync(() -> {
			Term current = this.term;
			CompletableFuture<Void> released = withdraw(LockLoss.Reason.SHUTDOWN);
			this.tasks.execute(this::dropListeners);
			// The elections may have been started again meanwhile.
			requestLock();
			if (current != null && current.parts.stream().anyMatch((part) -> part.isWorkOf(caller))) {
				this.tasks.execute(() -> stopRenewing(current));
				released = CompletableFuture.completedFuture(null);
			}
			return released;
		}, this.tasks).thenCompose(Function.identity());
	}

	@Override
	public void close() {
		this.tasks.execute(() -> {
			this.declared = false;
			this.works.clear();
			withdraw(LockLoss.Reason.RESIGNED);
		});
		this.workReserved.set(false);
		resign();
	}

	private CompletableFuture<Void> withdraw(LockLoss.Reason reason) {
		Term current = this.term;
		if (current != null) {
			end(current, reason);
			return current.released;
		}
		stopWaiting();
		return CompletableFuture.completedFuture(null);
	}

	private void stopWaiting() {
		CompletableFuture<LockHandle> ended = this.awaited;
		this.awaited = null;
		this.state = State.NONE;
		if (ended != null) {
			ended.cancel(true);
		}
	}

	/*
	 * A listener may itself stop the application, and wait for that. So listeners are not
	 * waited for after the grace period, nor if the lock is lost anyway.
	 */
	private void dropListeners() {
		Term current = this.term;
		if (current != null && !this.open.getAsBoolean() && (current.overdue || current.handle.loss().isPresent())) {
			current.parts.removeIf(TermPart::isListener);
			release(current);
		}
	}

	private Runnable schedule(Duration delay, Runnable task) {
		return this.context.delays().after(delay, () -> this.tasks.execute(task));
	}

	/* Does nothing if a request, a term or a pause is under way. */
	private void requestLock() {
		if (this.state == State.NONE && isCandidate()) {
			this.state = State.REQUESTING;
			CompletableFuture<LockHandle> answer = this.context.locks()
				.requestLock(LockRequest.of(LockKey.ofRole(this.role))
					.withWaitTime(Duration.ofMillis(-1))
					.withLease(Lease.renewed(this.settings.lease()))
					.withOnLoss(OnLoss.REPORT));
			this.awaited = answer;
			answer.whenComplete((handle, failure) -> this.tasks.execute(() -> answered(answer, handle, failure)));
		}
	}

	private void answered(CompletableFuture<LockHandle> answer, @Nullable LockHandle handle,
			@Nullable Throwable failure) {
		boolean wanted = this.awaited == answer;
		// The answer may have waited for a thread while another instance became the
		// leader.
		if (handle != null && wanted && handle.loss().isEmpty()) {
			lead(handle);
			return;
		}
		if (handle != null) {
			handle.closeAsync();
		}
		else if (wanted) {
			Throwable cause = (failure != null && failure.getCause() instanceof LockStoreException store) ? store
					: failure;
			warnOnce((cause != null) ? cause.getMessage() : "LockService.acquireAsync returned no LockHandle");
		}
		if (wanted) {
			pause(this.settings.retry());
		}
	}

	private void warnOnce(@Nullable String cause) {
		if (!this.failureLogged) {
			this.failureLogged = true;
			log(logger::warn,
					"The request for leadership of role '" + this.role + "' failed, and is repeated: " + cause, null);
		}
	}

	private void lead(LockHandle handle) {
		Term begun = new Term(this.role, handle, this.context);
		this.awaited = null;
		this.failureLogged = false;
		this.state = State.LEADING;
		this.term = begun;
		notifyListeners((listener, current) -> listener.granted(current), begun);
		handle.whenLost().thenAccept((loss) -> end(begun, loss.reason()));
		this.works.forEach((work) -> begin(begun, work));
		log(logger::info, "This instance leads role '" + this.role + "' (term " + begun.number() + ")", null);
	}

	private void begin(Term current, LeaderWork work) {
		TermPart part = new TermPart("its work " + work, OnLoss.INTERRUPT, this.context);
		current.parts.add(part);
		this.context.start("watchdog-lock-leader-role-" + this.role, () -> {
			Throwable failure = null;
			part.enter();
			try {
				// No work begins in a term that has ended.
				if (current.isLeading()) {
					Thread.currentThread().setContextClassLoader(this.context.contextClassLoader());
					work.lead(current);
				}
			}
			catch (Throwable ex) {
				failure = ex;
			}
			part.leave();
			// The work has ended, so an interrupt of it must not reach the code below.
			var unused = Thread.interrupted();
			ended(current, part, failure);
		});
	}

	/* Runs on the thread of the work: the end of one work ends the term. */
	private void ended(Term current, TermPart part, @Nullable Throwable failure) {
		LockLoss.Reason reason = current.handle.loss().map(LockLoss::reason).orElse(LockLoss.Reason.RESIGNED);
		boolean first = end(current, reason);
		this.tasks.execute(() -> {
			current.parts.remove(part);
			if (first && reason == LockLoss.Reason.RESIGNED) {
				backOff(current, failure);
			}
			else if (failure != null) {
				log(logger::debug, "The work of " + current + " ended with an exception", failure);
			}
			release(current);
		});
	}

	/* After each consecutive failure, the pause is twice as long. */
	private void backOff(Term current, @Nullable Throwable failure) {
		long led = Duration.ofNanos(this.context.threads().elapsed() - current.begun).toSeconds();
		if (failure == null || led > MAX_PAUSE) {
			this.failures = 0;
		}
		this.pauseAfterTerm = Duration.ofSeconds(Math.min(1L << Math.min(this.failures, 6), MAX_PAUSE));
		if (failure != null) {
			this.failures++;
			log(logger::warn, "The work of " + current + " failed, so the term is resigned. This instance is a"
					+ " candidate again in " + this.pauseAfterTerm.toSeconds() + " s", failure);
		}
	}

	@Override
	public void resign() {
		Term current = this.term;
		if (current != null) {
			end(current, LockLoss.Reason.RESIGNED);
		}
	}

	/* End the term with this number, if it is the current one. */
	void resign(long number) {
		ifCurrent(number, (current) -> end(current, LockLoss.Reason.RESIGNED));
	}

	/*
	 * May be called by any thread. Returns false if the term had ended before. From now
	 * on, this instance does not lead.
	 */
	private boolean end(Term current, LockLoss.Reason reason) {
		boolean first = current.end(reason);
		if (first) {
			this.tasks.execute(() -> termEnded(current, reason));
		}
		return first;
	}

	private void termEnded(Term current, LockLoss.Reason reason) {
		this.state = State.ENDING;
		this.pauseAfterTerm = (reason == LockLoss.Reason.FAILED) ? this.settings.retry() : Duration.ZERO;
		notifyOfEnd(current, reason);
		current.released.thenRun(schedule(this.settings.grace(), () -> overdue(current)));
		current.released.thenRun(schedule(this.settings.workTimeout(), () -> stopRenewing(current)));
		revoke(current, reason);
		boolean wanted = reason == LockLoss.Reason.RESIGNED || reason == LockLoss.Reason.SHUTDOWN;
		log(wanted ? logger::info : logger::warn, "This instance no longer leads role '" + this.role + "' (term "
				+ current.number() + "): " + reason.tag(), null);
		release(current);
	}

	private void revoke(Term current, LockLoss.Reason reason) {
		LockLoss loss = current.lossFor(reason);
		current.parts.forEach((part) -> part.revoke(loss));
	}

	private void overdue(Term current) {
		current.overdue = true;
		if (!current.parts.isEmpty()) {
			String left = current.parts.stream()
				.map((part) -> System.lineSeparator() + part)
				.collect(Collectors.joining());
			log(logger::warn,
					"The work of " + current + " continues, although the term ended " + this.settings.grace().toMillis()
							+ " ms ago. This instance is not a candidate until the work has ended" + left,
					null);
		}
		dropListeners();
	}

	/* If the work continues for this long, the lease is not renewed any more. */
	private void stopRenewing(Term current) {
		if (this.state == State.ENDING && this.term == current) {
			try {
				this.context.locks().stopRenewing(current.handle);
			}
			catch (RuntimeException ex) {
				log(logger::debug, "The lease of " + current + " ends with its context", ex);
			}
		}
	}

	/* Does nothing while work is left. */
	private void release(Term current) {
		if (this.state == State.ENDING && this.term == current && current.parts.isEmpty()) {
			this.state = State.RELEASING;
			// The next term may begin, regardless of what the lock throws.
			CompletableFuture.completedFuture(current.handle)
				.thenCompose(LockHandle::closeAsync)
				.whenComplete((nothing, failure) -> this.tasks.execute(() -> released(current)));
		}
	}

	private void released(Term current) {
		this.term = null;
		// The log comes first, because users' code depends on the future, and may end the
		// JVM.
		this.context.log().execute(() -> current.released.complete(null));
		pause(this.pauseAfterTerm);
	}

	private void pause(Duration time) {
		stopWaiting();
		if (time.isZero() || !isCandidate()) {
			requestLock();
			return;
		}
		CompletableFuture<LockHandle> pause = new CompletableFuture<>();
		this.state = State.PAUSING;
		this.awaited = pause;
		Runnable timer = schedule(time, () -> {
			if (this.awaited == pause) {
				stopWaiting();
				requestLock();
			}
		});
		pause.whenComplete((nothing, cancelled) -> timer.run());
	}

	/* An error in a task ends the term. An error while the term ends costs the lease. */
	private void failed(Throwable error) {
		Term current = this.term;
		if (current == null) {
			warnOnce(error.getMessage());
			pause(this.settings.retry());
			return;
		}
		log(logger::warn, "The candidacy for role '" + this.role + "' failed, and starts again", error);
		if (!end(current, LockLoss.Reason.FAILED)) {
			this.state = State.ENDING;
			stopRenewing(current);
			revoke(current, LockLoss.Reason.FAILED);
			release(current);
		}
	}

	private void log(BiConsumer<Object, @Nullable Throwable> level, String text, @Nullable Throwable thrown) {
		this.context.log(level, text, thrown);
	}

	/* Return null if this instance does not lead. */
	@Nullable LockHandle share(OnLoss onLoss, @Nullable Thread thread) {
		Term current = this.term;
		if (current == null || !current.isLeading()) {
			return null;
		}
		TermPart part = new TermPart("a method", onLoss, this.context);
		TermShare share = new TermShare(current, part, (closed) -> remove(current, closed), new AtomicBoolean());
		current.parts.add(part);
		if (thread != null) {
			share.enter(onLoss != OnLoss.REPORT);
		}
		// Guard against a race with the end of the term, whose revocation may have been
		// too early for this part.
		if (current.isLeading()) {
			return share;
		}
		share.close();
		return null;
	}

	private void remove(Term current, TermPart part) {
		current.parts.remove(part);
		this.tasks.execute(() -> release(current));
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

	/* The listener is notified at once of the current term, if there is one. */
	@Override
	public Runnable addListener(LeaderListener listener) {
		ListenerDispatcher dispatcher = new ListenerDispatcher(listener, this.context);
		this.tasks.execute(() -> {
			this.listeners.add(dispatcher);
			leading().ifPresent((current) -> dispatcher.add((added) -> added.granted(current), () -> {
			}));
		});
		return () -> this.tasks.execute(() -> this.listeners.remove(dispatcher));
	}

	/*
	 * Notify listeners of an event of the term with this number, if it is the current
	 * one.
	 */
	void notifyOf(long number, BiConsumer<LeaderListener, LeaderTerm> notification) {
		ifCurrent(number, (current) -> notifyListeners(notification, current));
	}

	private void ifCurrent(long number, Consumer<Term> task) {
		this.tasks.execute(() -> leading().filter((current) -> current.number() == number).ifPresent(task));
	}

	private Optional<Term> leading() {
		return Optional.ofNullable(this.term).filter((current) -> this.state == State.LEADING);
	}

	private void notifyListeners(BiConsumer<LeaderListener, LeaderTerm> notification, Term current) {
		dispatchers().forEach((each) -> each.add((listener) -> notification.accept(listener, current), () -> {
		}));
	}

	/* Each listener is a part of the term until it has returned. */
	private void notifyOfEnd(Term current, LockLoss.Reason reason) {
		dispatchers().forEach((each) -> {
			current.parts.add(each.part);
			each.add((listener) -> listener.revoked(current, reason), () -> remove(current, each.part));
		});
	}

	private Stream<ListenerDispatcher> dispatchers() {
		return Stream.concat(this.listeners.stream(), this.context.listeners().stream());
	}

	private boolean isCandidate() {
		return this.declared && this.open.getAsBoolean();
	}

	RoleStatus status() {
		Term current = this.term;
		boolean leading = current != null && current.isLeading();
		Instant since = (leading && current != null) ? current.since : null;
		return new RoleStatus(this.role, this.declared, isCandidate(), leading, since,
				(current != null) ? current.number() : 0, (current != null && !leading) ? current.parts.size() : 0);
	}

	/**
	 * The state of a candidacy.
	 */
	private enum State {

		/** Nothing is under way. */
		NONE,

		/** It has requested the lock, and waits indefinitely. */
		REQUESTING,

		/** It leads. */
		LEADING,

		/** The term has ended, and its work continues. */
		ENDING,

		/** No work is left, and the lock is being released. */
		RELEASING,

		/** It does not request the lock for a while. */
		PAUSING

	}

}
