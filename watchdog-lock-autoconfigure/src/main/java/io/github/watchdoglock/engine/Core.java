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

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import io.github.watchdoglock.Lease;
import io.github.watchdoglock.LockKey;
import io.github.watchdoglock.PrintableText;
import io.github.watchdoglock.listener.Events;
import io.github.watchdoglock.repeat.Repeats;
import io.github.watchdoglock.settings.EngineSettings;
import io.github.watchdoglock.settings.KeyRules;
import io.github.watchdoglock.store.AttemptId;
import io.github.watchdoglock.store.AttemptId.Kind;
import io.github.watchdoglock.store.LeaseStore;
import io.github.watchdoglock.time.Clock;
import io.github.watchdoglock.time.Threads;
import io.github.watchdoglock.time.Ticker;
import io.github.watchdoglock.time.TimerWheel;
import org.jspecify.annotations.Nullable;

/**
 * What all cohorts of an engine share. Thread-safe.
 */
final class Core {

	private static final int MAX_THREAD_NAME = 64;

	/* Until a thread that could not be had is tried for again. */
	private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(20);

	/*
	 * The start of the store's client included. The store answers when that has failed.
	 */
	private static final long CONNECTING = TimeUnit.SECONDS.toNanos(10);

	private final EngineSettings settings;

	private final String instance;

	private final Threads system;

	private final Clock clock;

	private final LeaseStore store;

	private final Watchdog watchdog;

	private final Repeats repeats;

	private final Events events;

	private final Executor completions;

	private final Executor effects;

	private final Executor interrupts;

	private final TimerWheel.Alarm wanted = new TimerWheel.Alarm() {

		@Override
		public void proceed(long now) {
			Core.this.events.proceed();
		}

	};

	private final TimerWheel.Alarm repetition = new TimerWheel.Alarm() {

		@Override
		public void proceed(long now) {
			if (Core.this.repeats.turn()) {
				expectRepetition();
			}
		}

	};

	private final Lifecycle lifecycle = new Lifecycle();

	private final IdleGrants idleGrants;

	private final ThreadHandles threads = new ThreadHandles();

	private final Terms defaults;

	private final HoldRules rules;

	private final Terms.Cache terms = new Terms.Cache(this::newTerms);

	private final AtomicLong attempts = new AtomicLong();

	private volatile boolean heard;

	Core(EngineSettings settings, Ticker ticker, InstantSource wallClock, LeaseStore store, Events events,
			Executor completions) {
		this(settings, newInstance(), Threads.system(), ticker, wallClock, store, events, completions);
	}

	Core(EngineSettings settings, String instance, Threads system, Ticker ticker, InstantSource wallClock,
			LeaseStore store, Events events, Executor completions) {
		this.settings = settings;
		this.instance = instance;
		this.system = system;
		this.clock = new Clock(ticker, wallClock);
		this.store = store;
		this.watchdog = new Watchdog(system, this.clock, events, settings.leaseTime().toNanos() / 4);
		this.repeats = new Repeats(system, this.clock, store, events, this::expectRepetition);
		this.events = events;
		this.events.whenThreadWanted(() -> this.watchdog.setIn(this.wanted, PATIENCE));
		this.completions = lookedAfter(completions);
		this.effects = another("watchdog-lock-effects",
				"All {0} threads that go on with what locks have left to be done are busy; there are {1} now, and"
						+ " will be more while others are too");
		this.interrupts = another("watchdog-lock-interrupts",
				"All {0} threads that interrupt whoever has lost a lock wait for that, as where it closes a channel;"
						+ " there are {1} now, and will be more while others wait too");
		this.defaults = newTerms(Lease.renewed(settings.leaseTime()));
		this.clock.tolerate(this.defaults.tolerance());
		this.rules = HoldRules.of(settings);
		this.idleGrants = new IdleGrants(settings.linger());
	}

	private Executor lookedAfter(Executor executor) {
		if (executor instanceof Completions own) {
			own.lookedAfterBy(this.watchdog);
		}
		return executor;
	}

	private Executor another(String name, String warning) {
		return (this.completions instanceof Completions users) ? lookedAfter(users.other(name, warning))
				: this.completions;
	}

	private static String newInstance() {
		return Long.toUnsignedString(new SecureRandom().nextLong(), Character.MAX_RADIX);
	}

	/* From now on its threads do what otherwise is done by hand. */
	void start() {
		this.watchdog.start();
	}

	/* With the next turn of the watchdog, not the one after that: alarms are late. */
	private void expectRepetition() {
		this.watchdog.setIn(this.repetition, TimerWheel.TICK / 2);
	}

	/* Its threads end, with what there is to tell, when nobody may need them any more. */
	void close(BooleanSupplier needed) {
		this.watchdog.stop(needed);
		this.repeats.close();
		this.events.close();
		for (Executor executor : List.of(this.completions, this.effects, this.interrupts)) {
			if (executor instanceof Completions own) {
				own.close();
			}
		}
	}

	/* What counts for keys that come in. */
	KeyRules keys() {
		return this.settings.keys();
	}

	String instance() {
		return this.instance;
	}

	LeaseStore store() {
		return this.store;
	}

	Watchdog watchdog() {
		return this.watchdog;
	}

	Repeats repeats() {
		return this.repeats;
	}

	Events events() {
		return this.events;
	}

	/* Runs what users wait for, and what they do then. */
	Executor completions() {
		return this.completions;
	}

	/* Goes on with effects of steps, which wait behind nothing of the users'. */
	Executor effects() {
		return this.effects;
	}

	/* Interrupts holders and looks at their stacks, which may take a while. */
	Executor interrupts() {
		return this.interrupts;
	}

	Lifecycle lifecycle() {
		return this.lifecycle;
	}

	/* How often a lock may be handed on here while others wait elsewhere. */
	int handOffs(LockKey key) {
		return this.settings.handOffs().of(key);
	}

	IdleGrants idleGrants() {
		return this.idleGrants;
	}

	/* Where threads come from, and how they wait. */
	Threads system() {
		return this.system;
	}

	/* At least zero and less than one. */
	double chance() {
		return this.system.random();
	}

	ThreadHandles threads() {
		return this.threads;
	}

	long now() {
		return this.clock.read();
	}

	/* The same, where nobody may have noticed yet that the machine has slept. */
	long nowNoticingSleep() {
		return this.clock.readNoticingSleep();
	}

	Instant wallTime(long ago) {
		return this.clock.wallTime(ago);
	}

	boolean isOpen() {
		return this.lifecycle.isOpen();
	}

	AttemptId nextAttempt(Kind kind) {
		return new AttemptId(this.instance, this.attempts.incrementAndGet(), kind);
	}

	Terms defaults() {
		return this.defaults;
	}

	Terms terms(@Nullable Lease lease) {
		return (lease != null) ? this.terms.of(lease) : this.defaults;
	}

	private Terms newTerms(Lease lease) {
		return Terms.of(lease, this.settings);
	}

	/*
	 * A lease is about to be asked for, or was renewed: a sleep of the machine must not
	 * outlast its margin. Before it is sent, since what was ignored so far counts then.
	 */
	void noticeSleepFor(Terms terms, long sent) {
		this.clock.tolerate(terms.tolerance(), sent + terms.length());
	}

	/* What counts for a hold where its request says nothing. */
	HoldRules rules() {
		return this.rules;
	}

	/* How long to wait in nanoseconds: zero tries once, negative waits without end. */
	long wait(@Nullable Duration wait) {
		Duration time = (wait != null) ? wait : this.settings.waitTime();
		if (time.isNegative()) {
			return -1;
		}
		// Beyond a century it is without end, and nanoseconds would overflow.
		return (time.toDays() > 36_500) ? -1 : time.toNanos();
	}

	/* Of a caller who waited for it, be it that it failed with a connection. */
	void heardFromStore() {
		if (!this.heard) {
			this.heard = true;
		}
	}

	/*
	 * So many nanoseconds longer than its time-out an answer may take: until the first
	 * one the store may still connect.
	 */
	long connecting() {
		return this.heard ? 0 : CONNECTING;
	}

	/*
	 * Wait on the calling thread for what may never be done; answers whether it is.
	 */
	boolean await(CompletableFuture<?> done, long nanos) throws InterruptedException {
		Thread waiting = Thread.currentThread();
		var unused = done.whenComplete((result, ex) -> this.system.unpark(waiting));
		long end = this.system.elapsed() + nanos;
		while (!done.isDone()) {
			if (waiting.isInterrupted()) {
				// Before the flag is cleared, since this may fail.
				InterruptedException interruption = new InterruptedException();
				if (Thread.interrupted()) {
					throw interruption;
				}
			}
			long left = end - this.system.elapsed();
			if (left <= 0) {
				return false;
			}
			this.system.park(done, left);
		}
		return true;
	}

	/* The same, where an interrupt is left for later. */
	void awaitUninterruptibly(CompletableFuture<?> done, long nanos) {
		long end = this.system.elapsed() + nanos;
		boolean interrupted = false;
		try {
			while (true) {
				try {
					await(done, end - this.system.elapsed());
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

	/* Whether who closes a hold waits for the store. */
	boolean awaitsRelease() {
		return this.settings.awaitRelease();
	}

	/* Who this is, for people who look at the store. */
	String label(@Nullable Thread thread) {
		if (thread == null) {
			return this.settings.instanceName().get();
		}
		return this.settings.instanceName().get() + "/" + PrintableText.of(thread.getName(), MAX_THREAD_NAME);
	}

}
