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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.watchdoglock.LeaderElection;
import io.github.watchdoglock.LeaderListener;
import io.github.watchdoglock.LeaderWork;
import io.github.watchdoglock.Leadership;
import io.github.watchdoglock.LockConfigurationException;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.OnLoss;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The part of an instance in all elections. Thread-safe.
 */
public final class LeaderElections implements LeaderElection {

	private final Map<String, Candidacy> candidacies = new ConcurrentHashMap<>();

	private final AtomicBoolean open = new AtomicBoolean();

	private final ElectionContext context;

	private final Function<String, RoleSettings> settings;

	private final List<Consumer<String>> candidacyListeners = new CopyOnWriteArrayList<>();

	/**
	 * Create the elections. The instance is a candidate for no role before they are
	 * started.
	 * @param locks the locks that elect leaders
	 * @param settings returns the settings of a role
	 */
	public LeaderElections(RoleLocks locks, Function<String, RoleSettings> settings) {
		this(locks, settings, Threads.system(), LeaderElections::after);
	}

	LeaderElections(RoleLocks locks, Function<String, RoleSettings> settings, Threads threads, Delays delays) {
		this.context = new ElectionContext(locks, threads, delays, Thread.currentThread().getContextClassLoader(),
				new CopyOnWriteArrayList<>(),
				new SerialTasks((lines) -> delays.after(Duration.ZERO, lines), (failure) -> {
				}));
		this.settings = settings;
	}

	/*
	 * Runs on a thread of its own, because a task may have to wait for the start of the
	 * store.
	 */
	private static Runnable after(Duration delay, Runnable task) {
		CompletableFuture<Boolean> due = new CompletableFuture<>();
		var unused = due.thenAccept((passed) -> {
			if (passed) {
				ElectionContext.start(Threads.system(), LeaderElections::after, Candidacy.THREAD, task);
			}
		});
		// Ended early with a value, because JDK 17 keeps a future that is cancelled.
		due.completeOnTimeout(true, delay.toNanos(), TimeUnit.NANOSECONDS);
		return () -> due.complete(false);
	}

	@Override
	public Leadership join(String role, LeaderWork work) {
		Candidacy candidacy = candidacy(role);
		if (!candidacy.reserveWork()) {
			throw new LockConfigurationException(
					"This instance is a candidate for role '" + LockKey.ofRole(role).printableId()
							+ "' twice, each time with work of its own",
					"Do both in one LeaderWork, or give each a role of its own.");
		}
		declare(role, work);
		return candidacy;
	}

	/**
	 * Become a candidate for a role, with work that runs in addition to the role's other
	 * work.
	 * @param role the role
	 * @param work the work; null for none
	 */
	public void declare(String role, @Nullable LeaderWork work) {
		Candidacy candidacy = candidacy(role);
		candidacy.declare(work);
		this.candidacyListeners.forEach((listener) -> listener.accept(candidacy.role()));
	}

	@Override
	public Leadership of(String role) {
		return candidacy(role);
	}

	private Candidacy candidacy(String role) {
		String name = Objects.requireNonNull(LockKey.ofRole(role).id());
		return this.candidacies.computeIfAbsent(name,
				(added) -> new Candidacy(added, this.context, this.settings.apply(added), this.open::get));
	}

	/**
	 * Notify a listener of all terms from now on.
	 * @param listener the listener
	 */
	public void addListener(LeaderListener listener) {
		this.context.listeners().add(new ListenerDispatcher(listener, this.context));
	}

	/**
	 * Become a candidate for all roles, from now on.
	 */
	public void start() {
		this.open.set(true);
		this.candidacies.values().forEach(Candidacy::open);
	}

	/**
	 * End all terms, and be a candidate for no role until the elections are started
	 * again.
	 * @return complete when all work has ended and its locks are released
	 */
	public CompletionStage<Void> stop() {
		this.open.set(false);
		return CompletableFuture
			.allOf(this.candidacies.values().stream().map(Candidacy::stop).toArray(CompletableFuture[]::new));
	}

	/**
	 * Notify a listener of each role that this instance is a candidate for, now and
	 * later.
	 * @param listener receives each role at least once; must neither block nor throw
	 */
	public void addCandidacyListener(Consumer<String> listener) {
		this.candidacyListeners.add(listener);
		list().stream().filter(RoleStatus::declared).map(RoleStatus::role).forEach(listener);
	}

	/**
	 * Return the status of a role in this instance.
	 * @param role the name of the role
	 * @return the status; nothing but the name if this instance does not know the role
	 */
	public RoleStatus status(String role) {
		Candidacy candidacy = this.candidacies.get(role);
		return (candidacy != null) ? candidacy.status() : new RoleStatus(role, false, false, false, null, 0, 0);
	}

	/**
	 * Return the status of each role in this instance.
	 * @return a new list, sorted by the names of the roles
	 */
	public List<RoleStatus> list() {
		return this.candidacies.values()
			.stream()
			.map(Candidacy::status)
			.sorted(Comparator.comparing(RoleStatus::role))
			.toList();
	}

	/**
	 * Take part in the current term. Its lock is not released before the handle is
	 * closed.
	 * @param role the role
	 * @param onLoss what happens to the caller's work at the end of the term
	 * @param thread the caller's thread; null if it has none
	 * @return the handle; null if this instance does not lead
	 */
	public @Nullable LockHandle enter(String role, OnLoss onLoss, @Nullable Thread thread) {
		return candidacy(role).share(onLoss, thread);
	}

	/**
	 * Check that no method of the calling thread has lost its term, except for methods
	 * whose {@code onLoss} is {@code REPORT}, so that a transaction may be committed.
	 * @return the locks of these terms: the transaction must not be committed after the
	 * loss of one of them
	 * @throws io.github.watchdoglock.LockLostException for the first term that is lost
	 */
	public static List<LockHandle> ensureCommitAllowed() {
		return TermShare.ensureCommitAllowed();
	}

	/**
	 * Return the observer of the locks that elect leaders.
	 * @return notifies the terms of this instance
	 */
	public EngineObserver observer() {
		return new TermObserver(this.candidacies, this.context);
	}

}
