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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;

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
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.store.LeaseInspector;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.WakeUps;
import io.github.watchdoglock.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The lock service on top of a store of leases. Thread-safe.
 * <p>
 * It works from construction, and starts no thread before its first lock. Its threads are
 * daemons: the watchdog and those of its pools. It is not final, because the application
 * may apply advice to it.
 */
public class LockEngine implements LockService, AutoCloseable {

	private final EngineContext context;

	private final Customizations customizations;

	final LocalKeys keys;

	private final Callers callers;

	private final AsynchronousCallers asynchronous;

	private final AllOrNone several;

	private final LockListing listing;

	private final Operators operators;

	private final Confirmations confirmations;

	final StoreMessages messages;

	/**
	 * Create an engine, which works at once.
	 * @param settings the settings
	 * @param store the store of leases
	 * @param inspector the commands of the same store for operators
	 * @param wakeUps the hints of the same store
	 * @param observers are notified inline, on any thread: must neither block nor throw
	 * @throws IllegalArgumentException if the settings' default lease leaves no time to
	 * renew it
	 */
	public LockEngine(EngineSettings settings, LeaseStore store, LeaseInspector inspector, WakeUps wakeUps,
			EngineObserver... observers) {
		this(new EngineContext(settings, Ticker.system(), InstantSource.system(), store, new Events(observers)),
				inspector, wakeUps);
		this.context.startLater();
	}

	/* Create an engine whose watchdog takes its turns by hand. */
	LockEngine(EngineContext context, LeaseInspector inspector, WakeUps wakeUps) {
		this.context = context;
		this.customizations = context.customizations;
		this.keys = new LocalKeys(context);
		this.callers = new Callers(context, this.keys, this.customizations);
		this.asynchronous = new AsynchronousCallers(context, this.callers, this.customizations);
		this.several = new AllOrNone(context, this.callers);
		this.listing = new LockListing(context, this.keys);
		this.operators = new Operators(context, inspector, this.keys);
		this.confirmations = new Confirmations(context);
		this.messages = new StoreMessages(context, this.keys, this.operators, wakeUps);
		context.watchdog.onCall(this.keys::resumeStalled);
		this.messages.subscribe();
	}

	/**
	 * Notify a listener of all events from now on, after they have happened, on a thread
	 * of a pool, one call at a time.
	 * @param listener the listener
	 * @return removes the listener when it is run
	 */
	public Runnable addListener(LockListener listener) {
		return this.context.events.add(listener);
	}

	/**
	 * Set the observer of the locks by which leaders are elected. Listeners are not
	 * notified of these locks.
	 * @param observer is notified of these locks inline
	 */
	public void setRoleObserver(EngineObserver observer) {
		this.context.events.setRoleObserver(observer);
	}

	/**
	 * End a hold that its caller must no longer rely on. It is not renewed any more, and
	 * its key stays locked until the lease expires, or until the work ends and closes its
	 * handle.
	 * @param key the lock
	 * @param token the hold's fencing token
	 * @param reason why
	 */
	public void lose(LockKey key, long token, LockLoss.Reason reason) {
		this.keys.lose(key, token, reason);
	}

	/**
	 * Return the objects with which the guard has admitted holds of the calling thread.
	 * @return one entry for each of its fenced holds, lost ones included
	 */
	public List<Object> admissions() {
		return this.context.handles.admissions();
	}

	/**
	 * Request the leader of a role to resign, and wait for the store's answer.
	 * @param role the role's key
	 * @return whether the role has a leader; the message may reach that leader or not
	 */
	public boolean requestResignation(LockKey role) {
		return this.operators.requestResignation(role);
	}

	/**
	 * Return the extensions of the application.
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
		return this.callers.tryAcquire(this.customizations.complete(trying(request)));
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
	public <T, E extends Exception> Optional<T> tryExecute(LockRequest request, LockCallback<T, E> callback) throws E {
		Callers.ensureStack();
		return this.callers.tryExecute(this.customizations.complete(trying(request)), callback);
	}

	/* The properties for wait times do not apply to it. */
	private static LockRequest trying(LockRequest request) {
		return (request.waitTime() != null) ? request : request.withWaitTime(Duration.ZERO);
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
		return new LockView(this, this.context, this.context.keyRules().admit(request));
	}

	/**
	 * Return the locks of this instance. A separate object, so that the engine as a bean
	 * is a {@link LockService} only.
	 * @return a new object
	 */
	public LocalLocks localLocks() {
		return new LocalLocks() {

			@Override
			public List<LockSnapshot> list() {
				return LockEngine.this.listing.list();
			}

			@Override
			public List<LockHandle> current() {
				return LockEngine.this.context.handles.list();
			}

			@Override
			public void ensureHeld() {
				LockEngine.this.confirmations.await(LockEngine.this.context.handles.find((handle) -> true), "");
			}

			@Override
			public void ensureHeld(LockKey wanted) {
				LockKey key = LockEngine.this.context.keyRules().admit(wanted);
				List<Handle> mine = LockEngine.this.context.handles.find((handle) -> handle.key().equals(key));
				if (mine.isEmpty()) {
					throw new IllegalStateException("Lock '" + key + "' is not held by this thread. Call the locked"
							+ " method through its bean: a call within the same object bypasses the annotation. Or"
							+ " acquire the lock in code");
				}
				LockEngine.this.confirmations.await(mine, "");
			}

		};
	}

	/**
	 * Check that the calling thread holds all of its locks whose loss prevents a commit,
	 * and that the store has confirmed them recently, so that a transaction under them
	 * may be committed. Asks the store if necessary, and waits for one command timeout at
	 * most.
	 * @param fenced whether the transaction has checked the fence of a hold, given the
	 * result of its admission: unless the caller has set {@code onLoss}, the fence then
	 * decides about the commit
	 * @param more handles of other locks that are checked too; those of another engine
	 * are not
	 * @param before runs first if there is anything to check
	 * @throws io.github.watchdoglock.LockLostException for the first lock that is lost
	 * @throws io.github.watchdoglock.LockStoreException if the store did not confirm one
	 * of them, which is still held
	 */
	public void ensureCommitAllowed(Predicate<Object> fenced, Collection<LockHandle> more, Runnable before) {
		List<Handle> checked = new ArrayList<>(this.context.handles.find((handle) -> handle.guardsCommit(fenced)));
		for (LockHandle handle : more) {
			if (handle instanceof Handle own && own.hold().lease.context() == this.context) {
				checked.add(own);
			}
		}
		if (!checked.isEmpty()) {
			before.run();
			this.confirmations.await(checked, " before the commit");
		}
	}

	/**
	 * Return the locks that are kept idle for their next callers.
	 * @return a new list, the oldest first
	 */
	public List<IdleLock> idle() {
		return this.context.idleLeases.describe();
	}

	/**
	 * Return all holders of a lock, in all instances. Waits for the store, as
	 * {@link #find(LockKey)} does.
	 * @param key the lock
	 * @return their states, beginning with the one whose lease ends first; empty if the
	 * key is free or only reserved
	 */
	public List<LockState> holders(LockKey key) {
		return this.operators.holders(key);
	}

	/**
	 * Return the stack of the thread that acquired a lock and has not detached it. The
	 * thread is found by the token of its hold, because thread names are not unique;
	 * readers with the same token are distinguished by the thread's name. Takes a while.
	 * @param held the hold
	 * @return the stack, empty if the hold has ended or belongs to no thread
	 */
	public List<StackTraceElement> holderStack(LockSnapshot held) {
		return Hold.stack(this.listing.holder(held));
	}

	/**
	 * Return how long the watchdog has been late.
	 * @return zero while it sleeps because nothing is due
	 */
	public Duration watchdogDelay() {
		return this.context.watchdog.delay();
	}

	/**
	 * Accept requests again after {@link #stop()}; has no effect after {@link #close()}.
	 */
	public void start() {
		this.context.lifecycle.start();
	}

	/**
	 * Accept no new requests, and fail waiting callers. Locks that are held continue and
	 * are renewed.
	 * @return completed when no lock is held any more, except by the calling thread,
	 * which may wait for this; and no failed release waits for its repetition, for which
	 * it waits no longer than a command may take
	 */
	public CompletionStage<Void> stop() {
		// Releases that fail until then are repeated for as long as a command may take.
		Duration timeout = this.context.defaults.timeout();
		this.context.lifecycle.stop();
		this.keys.stop();
		return this.context.lifecycle.whenEmpty(this.context.handles.openHolds())
			.thenCompose((nothing) -> this.context.repeats.settle(timeout));
	}

	/**
	 * The process was restored from a checkpoint, and there may be other copies of it.
	 * Locks that were held are lost, callers that waited wait anew, and nothing is sent
	 * to the store on behalf of attempts from before. No connection from before may be
	 * open any more.
	 */
	public void restored() {
		this.messages.restored();
	}

	/**
	 * Stop permanently, and declare locks lost that are still held. Their keys stay
	 * locked until the leases expire, because the work may continue.
	 */
	@Override
	public void close() {
		this.context.lifecycle.close();
		var unused = stop();
		this.keys.abandon();
		this.messages.unsubscribe();
		this.context.close(() -> this.keys.size() > 0);
	}

}
