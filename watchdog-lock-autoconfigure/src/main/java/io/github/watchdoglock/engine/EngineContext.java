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
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.listener.EngineObserver.Command;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.repeat.Repeats;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.settings.LeaseLimits;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptIds;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.store.OwnAttempts;
import io.github.watchdoglock.store.StoreContact;
import io.github.watchdoglock.text.PrintableText;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Pool;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.Ticker;
import io.github.watchdoglock.time.TimerWheel;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The objects that all keys of an engine share. Thread-safe.
 */
final class EngineContext {

	private static final Log logger = LogFactory.getLog(EngineContext.class);

	private static final int MAX_THREAD_NAME = 64;

	private static final int MAX_TIMINGS = 256;

	/* The number of successive attempts whose leases are renewed together. */
	private static final int GROUP_SIZE = 100;

	/*
	 * The time until pools look again at tasks that wait, and at threads that could not
	 * be started.
	 */
	private static final long POOL_CHECK_DELAY = TimeUnit.MILLISECONDS.toNanos(20);

	/*
	 * The additional time for the first answer, including the start of the store's
	 * client. If connecting fails, the store answers with that failure.
	 */
	private static final long CONNECTING = TimeUnit.SECONDS.toNanos(10);

	private final EngineSettings settings;

	final AttemptIds ids;

	/** Starts, parks and unparks threads. */
	final Threads threads;

	private final Clock clock;

	final LeaseStore store;

	final Watchdog watchdog;

	final Repeats repeats;

	final Events events;

	private final List<Pool> pools = new ArrayList<>();

	/** The alarms that belong to no key. */
	private final List<Alarm> alarms = new ArrayList<>();

	/** Completes futures of users, and runs their callbacks. */
	final Executor completions;

	/** Continues tasks of keys, independently of user code. */
	final Executor taskContinuations;

	/** Interrupts holders and reads their stacks, which may take a while. */
	final Executor interrupts;

	final Lifecycle lifecycle = new Lifecycle();

	final IdleLeases idleLeases;

	final ThreadHandles handles = new ThreadHandles();

	final StoreContact contact;

	final Customizations customizations;

	final LeaseTiming defaults;

	/** Apply to a hold unless its request sets its own values. */
	final HoldRules rules;

	/** The timings of leases; there are few if leases come from annotations. */
	private final Map<Lease, LeaseTiming> timings = new ConcurrentHashMap<>();

	private volatile boolean storeAnswered;

	/** The last label of a thread, which all locks that the thread holds share. */
	private Label lastLabel = new Label("", "", "");

	/**
	 * Whether the watchdog is to be started with the first key, which has not been used
	 * yet.
	 */
	private final AtomicBoolean unstarted = new AtomicBoolean();

	EngineContext(EngineSettings settings, Ticker ticker, InstantSource wallClock, LeaseStore store, Events events) {
		this(settings, AttemptIds.newInstance(Threads.system()::unpredictable), Threads.system(), ticker, wallClock,
				store, events, null);
	}

	/* With one executor for everything, or, if it is null, with its own pools. */
	EngineContext(EngineSettings settings, String instance, Threads threads, Ticker ticker, InstantSource wallClock,
			LeaseStore store, Events events, @Nullable Executor executor) {
		this.settings = settings;
		this.customizations = new Customizations(settings.keys());
		this.ids = new AttemptIds(instance, threads::unpredictable);
		this.threads = threads;
		this.clock = new Clock(ticker, wallClock);
		this.store = new OwnAttempts(store, this.ids);
		this.contact = new StoreContact(this.clock::read);
		this.watchdog = new Watchdog(threads, this.clock, LeaseLimits.maxDelay(settings.leaseTime()).toNanos());
		this.repeats = new Repeats(threads, this.clock, this.store, events, repetition());
		this.events = events;
		this.events.onThreadNeeded(delayedTrigger(POOL_CHECK_DELAY, events::proceed));
		this.completions = (executor != null) ? executor : pool("watchdog-lock-completions",
				"All {0} threads that complete the futures of locks are blocked by callbacks of the application. There"
						+ " are {1} threads now, and more are started while all of them are blocked. Run blocking code"
						+ " on an executor of the application, for example with thenApplyAsync or whenCompleteAsync");
		this.taskContinuations = (executor != null) ? executor
				: pool("watchdog-lock-tasks",
						"All {0} threads that continue tasks of locks are busy. There are {1} threads now, and more are"
								+ " started while all of them are busy");
		this.interrupts = (executor != null) ? executor : pool("watchdog-lock-interrupts",
				"All {0} threads that interrupt holders of lost locks are blocked, for example because an interrupt"
						+ " closes a channel. There are {1} threads now, and more are started while all of them"
						+ " are blocked");
		this.defaults = newTiming(Lease.renewed(settings.leaseTime()));
		this.clock.tolerate(this.defaults.tolerance());
		this.rules = HoldRules.of(settings);
		this.idleLeases = new IdleLeases(settings.linger());
	}

	private Executor pool(String name, String warning) {
		Pool[] pool = new Pool[1];
		Runnable check = delayedTrigger(POOL_CHECK_DELAY, () -> pool[0].check());
		pool[0] = this.threads.pool(name, warning, check);
		this.pools.add(pool[0]);
		return pool[0];
	}

	/*
	 * Half a tick, because alarms fire up to a tick late: so this runs in the next turn
	 * of the watchdog, and not in the one after that.
	 */
	private Runnable repetition() {
		Runnable[] trigger = new Runnable[1];
		trigger[0] = delayedTrigger(TimerWheel.TICK / 2, () -> {
			if (this.repeats.turn()) {
				trigger[0].run();
			}
		});
		return trigger[0];
	}

	/* Return a trigger that lets the watchdog run an action after this time. */
	private Runnable delayedTrigger(long nanos, Runnable action) {
		Alarm alarm = new Alarm() {

			@Override
			void fire(long now) {
				action.run();
			}

		};
		this.alarms.add(alarm);
		return () -> this.watchdog.setIn(alarm, nanos);
	}

	/* A command to the store that was sent at this time has ended. */
	void commandEnded(Command command, long sent, @Nullable Throwable failure) {
		this.events.commandEnded(command, now() - sent, failure);
	}

	/* Start the watchdog's thread. Without it, turns are taken by hand. */
	void start() {
		this.watchdog.start();
	}

	/* Start the watchdog's thread with the first key. */
	void startLater() {
		this.unstarted.set(true);
	}

	/* Called by a caller, which fails if the watchdog's thread cannot be started. */
	void startIfUnstarted() {
		if (this.unstarted.get() && this.unstarted.compareAndSet(true, false)) {
			start();
		}
	}

	/* End the threads, after pending notifications, when no key needs them any more. */
	void close(BooleanSupplier needed) {
		this.watchdog.stop(() -> needed.getAsBoolean() || this.alarms.stream().anyMatch(Alarm::isSet));
		this.repeats.close();
		this.events.close();
		this.pools.forEach(Pool::close);
	}

	KeyRules keyRules() {
		return this.settings.keys();
	}

	/*
	 * How often a lock may be handed on within this instance while other instances wait.
	 */
	int handOffs(LockKey key) {
		return this.settings.handOffs().of(key);
	}

	/*
	 * How old a confirmation of a lock may be when a transaction under it is committed,
	 * in nanoseconds; negative if the age does not matter.
	 */
	long commitCheck(LockKey key) {
		return this.settings.commitCheck().of(key);
	}

	/* A random number, at least zero and less than one. */
	double chance() {
		return this.threads.random();
	}

	/*
	 * The same, but equal for the leases of successive attempts whose commands are sent
	 * in the same interval of the grid. So they stay together: records that Redis has
	 * allocated one after the other are renewed by the same script, and share the lines
	 * and pages that the processor caches.
	 */
	double chance(AttemptId attempt, long gridInterval) {
		long group = 31L * attempt.instance().hashCode() + attempt.number() / GROUP_SIZE;
		return this.threads.random(31 * group + gridInterval);
	}

	long now() {
		return this.clock.read();
	}

	/* The same, if no thread may have noticed yet that the machine has slept. */
	long nowNoticingSleep() {
		return this.clock.readNoticingSleep();
	}

	Instant wallTime(long ago) {
		return this.clock.wallTime(ago);
	}

	boolean isOpen() {
		return this.lifecycle.isOpen();
	}

	LeaseTiming timing(@Nullable Lease lease) {
		if (lease == null) {
			return this.defaults;
		}
		LeaseTiming known = this.timings.get(lease);
		LeaseTiming timing = (known != null) ? known : newTiming(lease);
		if (known == null && this.timings.size() < MAX_TIMINGS) {
			this.timings.put(lease, timing);
		}
		return timing;
	}

	private LeaseTiming newTiming(Lease lease) {
		return LeaseTiming.of(lease, this.settings);
	}

	/*
	 * A lease is about to be requested, or was renewed: from now on, a sleep of the
	 * machine that is longer than the lease's margin must be noticed. This is called
	 * before the command is sent, because a difference between the clocks that was
	 * ignored so far is counted as elapsed time if it exceeds the smaller margin.
	 */
	void noticeSleepFor(LeaseTiming timing, long sent) {
		this.clock.tolerate(timing.tolerance(), sent + timing.length());
	}

	/*
	 * Return how long to wait in nanoseconds: zero tries once, a negative value waits
	 * indefinitely.
	 */
	long wait(@Nullable Duration wait) {
		Duration time = (wait != null) ? wait : this.settings.waitTime();
		if (time.isNegative()) {
			return -1;
		}
		// More than a century is indefinite; its nanoseconds could overflow.
		return (time.toDays() > 36_500) ? -1 : time.toNanos();
	}

	/*
	 * The same for a thread, which waits no longer than by default while its transactions
	 * keep locks: other callers may hold this lock and wait for those. If the default is
	 * to wait indefinitely, the limit is the default lease.
	 */
	long waitOfThread(@Nullable Duration wait) {
		long time = wait(wait);
		if (this.handles.kept().findAny().isEmpty()) {
			return time;
		}
		long most = (wait(null) < 0) ? this.settings.leaseTime().toNanos() : wait(null);
		return (time < 0) ? most : Math.min(time, most);
	}

	/*
	 * The store has answered a waiting caller, or has failed although there was a
	 * connection.
	 */
	void recordStoreAnswer() {
		if (!this.storeAnswered) {
			this.storeAnswered = true;
		}
	}

	/*
	 * Return how many nanoseconds longer than its timeout an answer may take. Until the
	 * first answer, the store may still be connecting.
	 */
	long connecting() {
		return this.storeAnswered ? 0 : CONNECTING;
	}

	/*
	 * Wait on the calling thread for a future that may never be completed. Return whether
	 * it is completed.
	 */
	boolean await(CompletableFuture<?> done, long nanos) throws InterruptedException {
		Thread waiting = Thread.currentThread();
		var unused = done.whenComplete((result, ex) -> this.threads.unpark(waiting));
		long end = this.threads.elapsed() + nanos;
		while (!done.isDone()) {
			if (waiting.isInterrupted()) {
				// Created before the flag is cleared, because creating it may fail.
				InterruptedException interruption = new InterruptedException();
				if (Thread.interrupted()) {
					throw interruption;
				}
			}
			long left = end - this.threads.elapsed();
			if (left <= 0) {
				return false;
			}
			this.threads.park(done, left);
		}
		return true;
	}

	/*
	 * The same, but an interrupt does not end the wait; the flag is set again afterwards.
	 */
	void awaitUninterruptibly(CompletableFuture<?> done, long nanos) {
		long end = this.threads.elapsed() + nanos;
		boolean interrupted = false;
		try {
			while (true) {
				try {
					await(done, end - this.threads.elapsed());
					return;
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/* Whether closing a hold waits for the store. */
	boolean awaitsRelease() {
		return this.settings.awaitRelease();
	}

	/* The label of this instance and a thread, for people who look at the store. */
	String label(@Nullable Thread thread) {
		if (thread == null) {
			return this.settings.instanceName().get();
		}
		String name = thread.getName();
		String instance = this.settings.instanceName().get();
		Label last = this.lastLabel;
		if (!last.thread.equals(name) || !last.instance.equals(instance)) {
			last = new Label(instance, name, instance + "/" + PrintableText.of(name, MAX_THREAD_NAME));
			this.lastLabel = last;
		}
		return last.text;
	}

	/*
	 * Return a copy of a future for users: dependents of the copy run on a thread for
	 * completions, or on the calling thread if the future is completed.
	 */
	<T> CompletableFuture<T> forUsers(CompletableFuture<T> future) {
		CompletableFuture<T> copy = new CompletableFuture<>();
		Executor executor = future.isDone() ? Runnable::run : this.completions;
		var unused = future
			.handleAsync(
					(value, failure) -> (failure != null) ? copy.completeExceptionally(failure) : copy.complete(value),
					executor)
			// The executor has failed: complete the copy on this thread, because callers
			// wait for it.
			.exceptionally((ex) -> future.isCompletedExceptionally() ? copy.completeExceptionally(ex)
					: copy.complete(future.join()));
		return copy;
	}

	/* Log that the state of a key has ended because of an error. Never throws. */
	void reportEnded(LockKey key, Throwable cause) {
		try {
			this.taskContinuations.execute(() -> logger.error("The state of lock '" + key
					+ "' in this instance has ended because of an error: its holders have lost it, and its waiting"
					+ " callers have failed. After an OutOfMemoryError, end the process", cause));
		}
		catch (Throwable ex) {
			// This cannot be logged, but holders and callers are notified all the same.
		}
	}

	/**
	 * A label and the names from which it was created.
	 */
	private record Label(String instance, String thread, String text) {

	}

}
