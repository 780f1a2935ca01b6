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
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;

import io.github.watchdoglock.LocalLocks;
import io.github.watchdoglock.LockCallback;
import io.github.watchdoglock.LockHandle;
import io.github.watchdoglock.LockHandles;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.LockListener;
import io.github.watchdoglock.LockLoss;
import io.github.watchdoglock.LockRequest;
import io.github.watchdoglock.LockService;
import io.github.watchdoglock.LockSnapshot;
import io.github.watchdoglock.LockState;
import io.github.watchdoglock.listener.EngineObserver;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.listener.RoleObserver;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The lock service over a store of leases. Thread-safe.
 * <p>
 * Works from construction, and starts no thread before its first lock. Its threads are
 * daemons: the watchdog and those of its pools. Not final, since the application may put
 * advice around it.
 */
public class LockEngine implements LockService, AutoCloseable {

	private final Core core;

	private final Customizations customizations;

	final LockRegistry registry;

	private final Callers callers;

	private final AsynchronousCallers asynchronous;

	private final AllOrNone several;

	private final Operators operators;

	private final WakeUps wakeUps;

	/**
	 * Create an engine; it works at once.
	 * @param settings what it is told
	 * @param store where leases live
	 * @param inspector what operators ask the same store
	 * @param wakeUps hints from the same store
	 * @param observers are notified inline, on any thread: must neither block nor throw
	 * @throws IllegalArgumentException if the settings' default lease leaves no time to
	 * renew it
	 */
	public LockEngine(EngineSettings settings, LeaseStore store, LeaseInspector inspector, WakeUps wakeUps,
			EngineObserver... observers) {
		this(new Core(settings, Ticker.system(), InstantSource.system(), store, new Events(observers)), inspector,
				wakeUps);
		this.core.startLater();
	}

	/* An engine whose watchdog takes its turns by hand. */
	LockEngine(Core core, LeaseInspector inspector, WakeUps wakeUps) {
		this.core = core;
		this.customizations = new Customizations(core.keys());
		this.registry = new LockRegistry(core, wakeUps);
		this.callers = new Callers(core, this.registry, this.customizations);
		this.asynchronous = new AsynchronousCallers(core, this.callers, this.customizations);
		this.several = new AllOrNone(core, this.callers);
		this.operators = new Operators(core, inspector, this.registry);
		this.wakeUps = wakeUps;
		core.watchdog.whenCalled(this.registry::attend);
		if (wakeUps.tellsOfMoves()) {
			core.repeats.keepRecent();
		}
		wakeUps.subscribe(core.instance, this.registry);
	}

	/**
	 * Notify a listener of what happens from now on, after the fact, on a thread of a
	 * pool, one call at a time.
	 * @param listener the listener
	 * @return to be run to tell it no more
	 */
	public Runnable addListener(LockListener listener) {
		return this.core.events.add(listener);
	}

	/**
	 * Say who hears of the locks by which leaders are elected, of which no listener does.
	 * @param observer hears of them inline
	 */
	public void tellOfRoles(RoleObserver observer) {
		this.core.events.tellOfRoles(observer);
	}

	/**
	 * Renew a lock no more though it is held: its holder has lost it, and its key is left
	 * to its lease, or to the end of the work, by which its handle is closed.
	 * @param key the lock
	 * @param token the hold's fencing token
	 */
	public void forsake(LockKey key, long token) {
		lose(key, token, LockLoss.Reason.SHUTDOWN);
	}

	/**
	 * End a hold that its caller must no longer rely on.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param reason why
	 */
	public void lose(LockKey key, long token, LockLoss.Reason reason) {
		this.registry.lose(key, token, reason);
	}

	/**
	 * What the guard has admitted holds of the calling thread with.
	 * @return one entry for each of its fenced holds, lost ones included
	 */
	public List<Object> admissions() {
		return this.core.threads.admissions();
	}

	/**
	 * Ask whoever leads a role to give it up, waiting for the store's answer.
	 * @param role the role's key
	 * @return whether somebody leads, who may hear of it, or not
	 */
	public boolean askToResign(LockKey role) {
		return this.operators.askToResign(role);
	}

	/**
	 * What the application adds.
	 * @return always the same object
	 */
	public Customizations customizations() {
		return this.customizations;
	}

	@Override
	public LockHandle acquire(LockRequest request) throws InterruptedException {
		Callers.ensureStack();
		return this.callers.acquire(this.customizations.complete(request));
	}

	@Override
	public Optional<LockHandle> tryAcquire(LockRequest request) throws InterruptedException {
		Callers.ensureStack();
		return this.callers.tryAcquire(this.customizations.complete(request));
	}

	@Override
	public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
		Callers.ensureStack();
		return this.asynchronous.acquire(request);
	}

	@Override
	public LockHandles acquireAll(Collection<LockRequest> requests) throws InterruptedException {
		Callers.ensureStack();
		return this.several.acquire(requests.stream().map(this.customizations::complete).toList());
	}

	@Override
	public <T extends @Nullable Object, E extends Exception> T execute(LockRequest request, LockCallback<T, E> callback)
			throws E {
		Callers.ensureStack();
		return this.callers.execute(this.customizations.complete(request), callback);
	}

	@Override
	public Optional<LockState> find(LockKey key) {
		return this.operators.find(key);
	}

	@Override
	public boolean forceRelease(LockKey key) {
		return this.operators.forceAll(key);
	}

	@Override
	public boolean forceRelease(LockKey key, long token) {
		return this.operators.forceOne(key, token);
	}

	@Override
	public Lock asLock(LockRequest request) {
		return new LockView(this, this.core, this.core.keys().admit(request));
	}

	/**
	 * The locks of this instance. A separate object, so that the engine as a bean is a
	 * {@link LockService} only.
	 * @return a new object
	 */
	public LocalLocks localLocks() {
		return new LocalLocks() {

			@Override
			public List<LockSnapshot> list() {
				return LockEngine.this.list();
			}

			@Override
			public List<LockHandle> current() {
				return LockEngine.this.current();
			}

			@Override
			public void ensureHeld() {
				LockEngine.this.ensureHeld();
			}

		};
	}

	/**
	 * What {@link LocalLocks#list()} returns.
	 * @return a new list
	 */
	public List<LockSnapshot> list() {
		return this.registry.list();
	}

	/**
	 * What {@link LocalLocks#current()} returns.
	 * @return a new list
	 */
	public List<LockHandle> current() {
		return this.core.threads.list();
	}

	/**
	 * Check that the calling thread holds all of its locks.
	 * @throws io.github.watchdoglock.LockLostException for the first lock that is lost
	 */
	public void ensureHeld() {
		this.core.threads.ensureHeld(this.core.nowNoticingSleep(), false);
	}

	/**
	 * Check that the calling thread holds all of its locks that are to fail with their
	 * loss, so that a transaction under them may be committed.
	 * @throws io.github.watchdoglock.LockLostException for the first lock that is lost
	 */
	public void ensureCommitAllowed() {
		this.core.threads.ensureHeld(this.core.nowNoticingSleep(), true);
	}

	/**
	 * What is kept for its next caller though nobody holds it.
	 * @return a new list, the oldest first
	 */
	public List<IdleLock> idle() {
		return this.core.idleLeases.list().stream().map(IdleLease::describe).toList();
	}

	/**
	 * All who have a lock, in whichever instances. Waits for the store, as
	 * {@link #find(LockKey)} does.
	 * @param key the lock
	 * @return their states, the one whose lease ends first before the others; empty where
	 * the key is free or only reserved
	 */
	public List<LockState> holders(LockKey key) {
		return this.operators.holders(key);
	}

	/**
	 * Look at the thread that acquired a lock and has not detached it. It is found by the
	 * token of its hold, since thread names are not unique, and of readers who have one
	 * token by its name. Takes a while.
	 * @param held the hold
	 * @return its stack, empty where the hold has ended or belongs to no thread
	 */
	public List<StackTraceElement> holderStack(LockSnapshot held) {
		return Hold.stack(this.registry.holder(held));
	}

	/**
	 * How long the watchdog has not done what it was time for.
	 * @return zero while it sleeps, since nothing is due
	 */
	public Duration watchdogSilence() {
		return this.core.watchdog.silence();
	}

	/**
	 * Take locks again after {@link #stop()}; after {@link #close()} nothing does.
	 */
	public void start() {
		this.core.lifecycle.start();
	}

	/**
	 * Take no new locks and send away who waits; what is held goes on and is renewed.
	 * @return complete when nothing is held any more, and no release that failed waits
	 * for its repetition longer than a command may take
	 */
	public CompletionStage<Void> stop() {
		// What failed then is repeated for as long as a command may take.
		Duration timeout = this.core.defaults.timeout();
		this.core.lifecycle.stop();
		this.registry.dismiss();
		return this.core.lifecycle.whenEmpty().thenCompose((nothing) -> this.core.repeats.settle(timeout));
	}

	/**
	 * Stop for good, and declare lost what is still held; its keys are left to their
	 * leases, since its work may go on.
	 */
	@Override
	public void close() {
		this.core.lifecycle.close();
		var unused = stop();
		this.registry.abandon();
		this.wakeUps.unsubscribe(this.core.instance);
		this.core.close(() -> this.registry.size() > 0);
	}

}
