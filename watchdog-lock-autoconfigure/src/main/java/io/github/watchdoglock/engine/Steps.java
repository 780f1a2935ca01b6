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
import java.util.concurrent.locks.ReentrantLock;

import io.github.watchdoglock.time.Threads;
import org.jspecify.annotations.Nullable;

/**
 * Steps that exclude each other, with effects that follow them. No effect runs under the
 * lock, and one thread at a time runs them, in the order of the steps that left them: so
 * commands of a cohort reach the store in the order in which they were decided.
 * <p>
 * Extended by what takes them, rather than in a field of it: a held lock would be heavier
 * by an object.
 */
abstract class Steps {

	private static final Logger logger = System.getLogger(Steps.class.getName());

	private final ReentrantLock lock;

	/*
	 * The last one of a ring, whose next is the first: an empty list costs a reference.
	 */
	private @Nullable Effect last;

	private boolean running;

	Steps(ReentrantLock lock) {
		this.lock = lock;
	}

	/* Take a step, then run the effects that are due, unless another thread does. */
	void change(Runnable step) {
		Effect last;
		this.lock.lock();
		try {
			step.run();
			last = due();
		}
		finally {
			this.lock.unlock();
		}
		if (last != null) {
			Effect left = last;
			threads().proceed(() -> run(left));
		}
	}

	private void run(Effect left) {
		Effect last = left;
		while (last != null) {
			runAll(last);
			this.lock.lock();
			try {
				this.running = false;
				last = due();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/* Who runs effects. */
	abstract Threads threads();

	/* Run something after the step of now, which holds the lock. */
	void afterwards(Runnable action) {
		this.last = new Effect(action, this.last);
	}

	/* Part of a step that has left nothing to do. */
	abstract void tidy();

	/* The effects left so far, for the thread that is to run them. */
	private @Nullable Effect due() {
		if (this.running) {
			return null;
		}
		Effect last = this.last;
		if (last == null) {
			tidy();
			return null;
		}
		this.last = null;
		this.running = true;
		return last;
	}

	private static void runAll(Effect last) {
		Effect effect = last;
		do {
			effect = effect.next;
			run(effect.action);
		}
		while (effect != last);
	}

	private static void run(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException | Error ex) {
			// The effects behind this one belong to other callers.
			logger.log(Level.ERROR, "A lock goes on after an unexpected failure", ex);
		}
	}

	private static final class Effect {

		private final Runnable action;

		private Effect next;

		private Effect(Runnable action, @Nullable Effect last) {
			this.action = action;
			this.next = this;
			if (last != null) {
				this.next = last.next;
				last.next = this;
			}
		}

	}

}
