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

import org.jspecify.annotations.Nullable;

/**
 * Steps that exclude each other, with effects that follow them. No effect runs under the
 * lock, and one thread at a time runs them, in the order of the steps that left them: so
 * commands of a cohort reach the store in the order in which they were decided.
 */
final class Steps {

	private static final Logger logger = System.getLogger(Steps.class.getName());

	private final ReentrantLock lock = new ReentrantLock();

	/* A list of its own: an empty one costs two references in each cohort. */
	private @Nullable Effect head;

	private @Nullable Effect tail;

	private boolean running;

	/*
	 * Take a step, then run the effects that are due, unless another thread does.
	 */
	void take(Runnable step, Runnable whenIdle) {
		Effect effect;
		this.lock.lock();
		try {
			step.run();
			effect = next(whenIdle);
		}
		finally {
			this.lock.unlock();
		}
		while (effect != null) {
			run(effect.action);
			this.lock.lock();
			try {
				this.running = false;
				effect = next(whenIdle);
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/* Run something after the step of now, which holds the lock. */
	void afterwards(Runnable action) {
		Effect effect = new Effect(action);
		if (this.tail != null) {
			this.tail.next = effect;
		}
		else {
			this.head = effect;
		}
		this.tail = effect;
	}

	private @Nullable Effect next(Runnable whenIdle) {
		if (this.running) {
			return null;
		}
		Effect effect = this.head;
		if (effect == null) {
			whenIdle.run();
			return null;
		}
		this.head = effect.next;
		this.tail = (this.head != null) ? this.tail : null;
		this.running = true;
		return effect;
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

		private @Nullable Effect next;

		private Effect(Runnable action) {
			this.action = action;
		}

	}

}
