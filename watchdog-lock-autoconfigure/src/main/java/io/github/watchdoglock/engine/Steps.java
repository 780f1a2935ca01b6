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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import io.github.watchdoglock.time.SpinLock;
import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Steps that exclude each other, with effects that follow them. A step happens as a
 * whole, or has changed nothing when it throws. No effect runs under the lock, and one
 * thread at a time runs them, in the order of the steps that left them: so commands of a
 * cohort reach the store in the order in which they were decided. Whatever is thrown, no
 * effect is lost: where one fails, the watchdog goes on with it.
 * <p>
 * Extended by what takes them, rather than in a field of it: a held lock would be heavier
 * by an object.
 */
abstract class Steps implements Runnable {

	private static final Logger logger = System.getLogger(Steps.class.getName());

	/* About a millisecond's worth: then the pool goes on, and the thread with its own. */
	private static final int MOST_IN_A_ROW = 256;

	/* A second's worth of the watchdog's turns; what fails for longer always fails. */
	private static final int MOST_TRIES = 100;

	private static final int ATTENDED = 1;

	private static final int STALLED = 2;

	private static final AtomicIntegerFieldUpdater<Steps> ATTENTION = AtomicIntegerFieldUpdater.newUpdater(Steps.class,
			"attention");

	final Guard guard;

	/*
	 * The last one of a ring, whose next is the first: an empty list costs a reference.
	 */
	private @Nullable Effect last;

	/** What the thread that runs effects has taken out of the ring. */
	private @Nullable Effect taken;

	/** Whether a thread runs effects, or is to; it alone touches what it has taken. */
	private boolean running;

	/** Of the list of those that the watchdog is to look after. */
	@Nullable Steps nextAttended;

	/**
	 * Whether it is in that, and whether the thread that runs effects is the watchdog.
	 */
	private volatile int attention;

	Steps(Guard guard) {
		this.guard = guard;
	}

	/*
	 * Take a step, then run the effects that are due, unless another thread does. Throws
	 * what the step throws, and then that has changed nothing.
	 */
	void change(Runnable step) {
		change(null, step);
	}

	/* The same, of a step that changes something besides what the key has now. */
	void change(@Nullable Revertible subject, Runnable step) {
		boolean run;
		try {
			this.guard.lock.lock();
			try {
				run = take(subject, step);
			}
			finally {
				this.guard.lock.unlock();
			}
		}
		catch (Throwable ex) {
			attend(false);
			throw ex;
		}
		if (run) {
			try {
				threads().proceed(this);
			}
			catch (Throwable ex) {
				attend(true);
			}
		}
	}

	/* Answers whether this thread is to run effects. */
	private boolean take(@Nullable Revertible subject, Runnable step) {
		Guard guard = this.guard;
		Effect last = this.last;
		Effect first = (last != null) ? last.following : null;
		guard.uses = 0;
		try {
			save(guard);
			if (subject != null) {
				subject.save(guard);
			}
			step.run();
			commit(guard.uses);
		}
		catch (Throwable ex) {
			this.last = last;
			if (last != null && first != null) {
				last.following = first;
			}
			guard.revert();
			throw ex;
		}
		// It has happened: from here on nothing is called that could fail.
		while (guard.size > 0) {
			guard.size--;
			guard.changing[guard.size] = null;
			guard.before[guard.size] = null;
		}
		boolean run = !this.running && this.last != null;
		if (run) {
			this.running = true;
		}
		else if (!this.running) {
			try {
				tidy();
			}
			catch (Throwable ex) {
				attend(false);
			}
		}
		return run;
	}

	/* Save what the steps of this change. */
	abstract void save(Guard guard);

	/* The last part of a step, which succeeds or throws. */
	abstract void commit(int uses);

	/* A step that has left nothing to do. */
	abstract void tidy();

	/* What lets a thread go on with effects. */
	abstract Threads threads();

	/* Where they go on when that has had its share. */
	abstract Executor others();

	/* Have the watchdog look after it; where that throws, it has not heard. */
	abstract void callWatchdog();

	/* Part of a step: something else is about to be changed. */
	void keep(Revertible changing) {
		changing.save(this.guard);
	}

	/* Part of a step: a use has begun, of which the store is to be told at its end. */
	void beginUse() {
		this.guard.uses++;
	}

	/* Part of a step: something is to be done after it. */
	void leave(Effect effect) {
		Effect last = this.last;
		if (last == null) {
			effect.following = effect;
		}
		else {
			effect.following = last.following;
			last.following = effect;
		}
		this.last = effect;
	}

	void afterwards(Runnable action) {
		leave(new Action(action));
	}

	/*
	 * What could not be done is done by the watchdog, behind what is due already. Nothing
	 * is allocated for it.
	 */
	void defer(Effect effect) {
		this.guard.lock.lock();
		try {
			leave(effect);
		}
		finally {
			this.guard.lock.unlock();
		}
		attend(false);
	}

	/* By the watchdog: whatever a failure has left undone. */
	void mend() {
		change(this::lookAgain);
	}

	/* Part of a step: set all alarms anew. */
	abstract void lookAgain();

	/* Have the watchdog look after it; allocates nothing. */
	void attend(boolean stalled) {
		if (beginAttention(stalled)) {
			try {
				callWatchdog();
			}
			catch (Throwable ex) {
				// It has not heard, so the next one is to ask.
				forgetAttention();
				throw ex;
			}
		}
	}

	/* Whether effects are to be run with it is still known. */
	private void forgetAttention() {
		int before;
		do {
			before = this.attention;
		}
		while (!ATTENTION.compareAndSet(this, before, before & ~ATTENDED));
	}

	/* Whether nobody has asked for it before. */
	boolean beginAttention(boolean stalled) {
		int before;
		do {
			before = this.attention;
		}
		while (!ATTENTION.compareAndSet(this, before, before | ATTENDED | (stalled ? STALLED : 0)));
		return (before & ATTENDED) == 0;
	}

	/* Whether effects are to be run with it. */
	boolean endAttention() {
		return (ATTENTION.getAndSet(this, 0) & STALLED) != 0;
	}

	/* Run effects, on the one thread whose turn it is; throws nothing. */
	@Override
	public final void run() {
		try {
			for (int i = 0; i < MOST_IN_A_ROW; i++) {
				Effect effect = next();
				if (effect == null) {
					return;
				}
				try {
					effect.proceed();
				}
				catch (Throwable ex) {
					if (goesOnAfter(effect, ex)) {
						continue;
					}
					attend(true);
					return;
				}
			}
			others().execute(this);
		}
		catch (Throwable ex) {
			attend(true);
		}
	}

	/* Null where there is none: then another thread may run the next ones. */
	private @Nullable Effect next() {
		Effect last = this.taken;
		if (last == null) {
			this.guard.lock.lock();
			try {
				last = this.last;
				this.taken = last;
				this.last = null;
				if (last == null) {
					try {
						tidy();
					}
					catch (Throwable ex) {
						attend(false);
					}
					this.running = false;
					return null;
				}
			}
			finally {
				this.guard.lock.unlock();
			}
		}
		Effect first = last.following;
		if (first == last) {
			this.taken = null;
		}
		else {
			last.following = first.following;
		}
		return first;
	}

	/* Others wait behind it, so one that fails for good is given up. */
	private boolean goesOnAfter(Effect effect, Throwable cause) {
		if (++effect.failures < MOST_TRIES) {
			Effect last = this.taken;
			if (last == null) {
				effect.following = effect;
				this.taken = effect;
			}
			else {
				effect.following = last.following;
				last.following = effect;
			}
			return false;
		}
		try {
			others().execute(
					() -> logger.log(Level.ERROR, "A lock goes on after something has failed again and again", cause));
		}
		catch (Throwable ex) {
			// There is nobody left to tell.
		}
		return true;
	}

	/**
	 * Something that a step leaves to be done outside of it. Where it throws, it is done
	 * again, so what it has done by then must not be harmful twice.
	 */
	abstract static class Effect {

		Effect following = this;

		private byte failures;

		abstract void proceed();

	}

	private static final class Action extends Effect {

		private final Runnable action;

		private Action(Runnable action) {
			this.action = action;
		}

		@Override
		void proceed() {
			this.action.run();
		}

	}

	/**
	 * Something that steps change, and that can be put back to what it was.
	 */
	interface Revertible extends Cloneable {

		/* Keep it and what belongs to it. */
		void save(Guard guard);

		/* A copy of now. */
		Object copy();

		/* Put it back to what it was; allocates nothing. */
		void revert(Object before);

	}

	/**
	 * The lock of many keys, and what the step that has it may have to be put back to.
	 */
	static final class Guard {

		/*
		 * The queue, two users with their grants and budgets, and some more. Where a
		 * grant has many readers, all of them may change.
		 */
		private static final int USUAL = 12;

		final SpinLock lock = SpinLock.outermost();

		private @Nullable Revertible[] changing = new Revertible[USUAL];

		private @Nullable Object[] before = new Object[USUAL];

		private int size;

		private int uses;

		void keep(Revertible changing) {
			if (this.size == this.changing.length) {
				grow();
			}
			this.before[this.size] = changing.copy();
			this.changing[this.size] = changing;
			this.size++;
		}

		private void grow() {
			@Nullable Revertible[] changing = Arrays.copyOf(this.changing, 2 * this.size);
			this.before = Arrays.copyOf(this.before, 2 * this.size);
			this.changing = changing;
		}

		private void revert() {
			while (this.size > 0) {
				this.size--;
				Revertible changing = this.changing[this.size];
				Object before = this.before[this.size];
				if (changing != null && before != null) {
					changing.revert(before);
				}
				this.changing[this.size] = null;
				this.before[this.size] = null;
			}
		}

	}

}
